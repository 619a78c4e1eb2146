// Clients that look at proposals while parts are replaced: each request is sent once, over connections that are kept, and is
// never repeated.
import { setTimeout as sleep } from "node:timers/promises";
import type { Followed } from "../stage/index.ts";
import type { Site } from "../stage/owner.ts";

type Options = {
  readonly site: Pick<Site, "urls">;
  /** Requests a second. */
  readonly rate: number;
  readonly random: () => number;
  /** The proposals that can be looked at. */
  readonly told: () => readonly Pick<Followed, "owner" | "requestHash">[];
  readonly onFailure: (reason: string) => void;
};

type Readers = {
  /** Requests that were answered as they should be. */
  readonly count: () => number;
  /** Begins no further request. Returns once all have been answered. */
  readonly stop: () => Promise<void>;
};

const answerMs = 40_000;
const longestWaitSeconds = 25;
const wanted = new Set([200, 304]);

/** Every third request is a long poll. */
function requestOf({ requestHash }: Pick<Followed, "requestHash">, address: string, turn: number) {
  const status = `/transactions/${requestHash}/approval-status`;
  const paths = [`/transactions/users/${address}?limit=5`, status, status];
  const headers: Readonly<Record<string, string>> =
    turn % paths.length === 2 ? { prefer: `wait=${longestWaitSeconds}` } : {};
  return { path: paths[turn % paths.length] ?? status, headers };
}

/** A failed fetch says why in its cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "no answer";
  return error.cause instanceof Error ? error.cause.message : error.message;
}

export function startReaders({ site, rate, random, told, onFailure }: Options): Readers {
  const stopping = new AbortController();
  const open = new Set<Promise<void>>();
  let [turn, answered] = [0, 0];

  const ask = async ({ owner, requestHash }: Pick<Followed, "owner" | "requestHash">): Promise<void> => {
    const { path, headers } = requestOf({ requestHash }, owner.address, turn++);
    try {
      const answer = await fetch(`${site.urls.api}${path}`, {
        headers: { ...owner.credentials().agent, ...headers },
        signal: AbortSignal.timeout(answerMs),
      });
      await answer.arrayBuffer();
      if (wanted.has(answer.status)) answered++;
      else onFailure(`GET status ${answer.status}`);
    } catch (error) {
      onFailure(`GET ${reasonOf(error)}`);
    }
  };
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await sleep(1000 / rate);
      const all = told();
      const one = all[Math.floor(random() * all.length)];
      if (one === undefined) continue;
      const asking: Promise<void> = ask(one).finally(() => open.delete(asking));
      open.add(asking);
    }
  };
  const running = run();
  return {
    count: () => answered,
    stop: async () => {
      stopping.abort();
      await running;
      await Promise.all(open);
    },
  };
}
