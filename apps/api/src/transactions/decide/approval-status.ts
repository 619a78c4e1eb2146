// Answers agents that poll every few seconds for a decision. Cheap to poll, and cheap to wait for.
import { LRUCache } from "lru-cache";
import type { Clock } from "@countersign/platform/clock";
import type { WaitForChange } from "../../events/index.ts";
import { mayRead, type Caller } from "../caller.ts";
import type { Transition } from "../transition.ts";
import { transactionErrors } from "../errors.ts";
import { isTerminal, statusOf } from "../lifecycle.ts";
import type { Changed, DecisionState, TransactionStore } from "../store/index.ts";
import type { Hex } from "../transaction.ts";

const keptAtMost = 10_000;
const keptMs = 1_000;
const longestWaitSeconds = 25;

export type View = "records" | "flags";

type ReadState = TransactionStore["readDecisionState"];

/**
 * Returns the state of a transaction from the database or, for a second, from a cache. The caller's
 * permission is not checked here. Concurrent requests share one query.
 */
function makeStates(readState: ReadState) {
  const kept = new LRUCache<Hex, DecisionState>({ max: keptAtMost, ttl: keptMs });
  const asked = new Map<Hex, Promise<DecisionState | undefined>>();
  const ask = async (requestHash: Hex): Promise<DecisionState | undefined> => {
    const question = readState(requestHash);
    asked.set(requestHash, question);
    // False once the entry was dropped or queried again: the answer may predate that.
    const isLatest = (): boolean => asked.get(requestHash) === question;
    try {
      const state = await question;
      if (state !== undefined && isLatest()) kept.set(requestHash, state);
      return state;
    } finally {
      if (isLatest()) asked.delete(requestHash);
    }
  };
  return {
    read: async (requestHash: Hex): Promise<DecisionState | undefined> =>
      kept.get(requestHash) ?? (await (asked.get(requestHash) ?? ask(requestHash))),
    /** Does not share a query that started earlier. */
    readAnew: ask,
    drop: (requestHash: Hex): void => {
      kept.delete(requestHash);
      asked.delete(requestHash);
    },
  };
}

type Parts = {
  readonly store: Pick<TransactionStore, "readDecisionState">;
  readonly waitForChange: WaitForChange;
  /** Ends all waits: they answer with the state as it is. */
  readonly stopping: AbortSignal;
  readonly clock: Clock;
};

export type StatusRequest = {
  readonly requestHash: Hex;
  readonly view: View;
  readonly caller: Caller;
  /** The `If-None-Match` header. */
  readonly knows: string | undefined;
  readonly waitSeconds: number;
};

export type StatusAnswer = {
  readonly state: DecisionState;
  readonly etag: string;
  /** Whether the caller already has this answer. */
  readonly isKnown: boolean;
  readonly retryAfterSeconds: number | undefined;
};

const etagOf = ({ version }: DecisionState, view: View): string => `"${view}-${version}"`;

/** Compares like If-None-Match: any of a list, weak or not. */
const isAmong = (etag: string, knows: string): boolean =>
  knows.split(",").some((one) => ["*", etag].includes(one.trim().replace(/^W\//, "")));

/** The newest version that the caller has seen, perhaps in an answer of another process that was ahead of our cache. */
const versionIn = (knows = ""): number =>
  Math.max(0, ...[...knows.matchAll(/-(\d{1,9})"/g)].map(([, version]) => Number(version)));

/** Soon while machines are working on it; less and less often while an owner is asked. */
function retryAfter({ phase, orion, verdictAt, createdAt }: DecisionState, clock: Clock): number | undefined {
  if (statusOf({ phase }) !== "PENDING") return undefined;
  if (orion === null) return 2;
  const ageSeconds = (clock.now().getTime() - (verdictAt ?? createdAt).getTime()) / 1000;
  return Math.min(30, Math.max(5, Math.floor(ageSeconds / 10)));
}

/** Whether the state the caller waits for has not been reached yet. */
function isWorthWaiting(state: DecisionState, { view, knows }: StatusRequest): boolean {
  if (isTerminal(state)) return false;
  return knows === undefined
    ? statusOf(state) === "PENDING" && state.orion === null
    : isAmong(etagOf(state, view), knows);
}

export type ApprovalStatusReader = {
  readonly read: (request: StatusRequest) => Promise<StatusAnswer>;
  /** The transaction changed: drops the cached state. */
  readonly drop: (requestHash: Hex) => void;
};

export const makeApprovalStatus = ({
  store,
  waitForChange,
  clock,
  stopping,
}: Parts): ApprovalStatusReader => {
  const states = makeStates(store.readDecisionState);

  async function wait(seen: DecisionState, request: StatusRequest): Promise<DecisionState> {
    const { requestHash, waitSeconds } = request;
    const until = clock.now().getTime() + 1000 * Math.min(longestWaitSeconds, waitSeconds);
    let state = seen;
    const look = async (): Promise<number> => {
      state = (await states.readAnew(requestHash)) ?? state;
      return state.version;
    };
    while (isWorthWaiting(state, request) && !stopping.aborted) {
      const forMs = until - clock.now().getTime();
      if (forMs <= 0) break;
      const since = state.version;
      await waitForChange({ requestHash, since, read: look, forMs });
      if (state.version === since) await look();
    }
    return state;
  }

  return {
    drop: states.drop,
    read: async (request) => {
      const { requestHash, view, caller, knows, waitSeconds } = request;
      const found = await states.read(requestHash);
      if (found === undefined || !mayRead(caller, found.account)) throw transactionErrors.notFound();
      const latest =
        found.version < versionIn(knows) ? ((await states.readAnew(requestHash)) ?? found) : found;
      const state = waitSeconds > 0 ? await wait(latest, request) : latest;
      const etag = etagOf(state, view);
      const isKnown = knows !== undefined && isAmong(etag, knows);
      return { state, etag, isKnown, retryAfterSeconds: retryAfter(state, clock) };
    },
  };
};

/**
 * Wraps a transition so that it drops the cached state of every transaction it changes, and the next answer
 * shows the change.
 */
export function dropOnChange(transition: Transition, drop: (requestHash: Hex) => void): Transition {
  const dropOf = (changed: Changed | undefined): void => {
    if (changed !== undefined) drop(changed.after.requestHash);
  };
  return {
    changeWithin: transition.changeWithin,
    announce: async (changed) => {
      dropOf(changed);
      await transition.announce(changed);
    },
    change: async (key, rule) => {
      const changed = await transition.change(key, rule);
      dropOf(changed);
      return changed;
    },
  };
}
