// The life of a proposal, seen from outside: what its owner and their agent do and see.
import { setTimeout as sleep } from "node:timers/promises";
import { formatEther, type Hex } from "viem";
import type { Call } from "./chain.ts";
import { anOwner, type Owner, type Proposal, type View } from "./owner.ts";
import type { Stage } from "./stage.ts";

/**
 * `user`: type 1, verified, approved by its owner, executed. `direct`: type 0, not encrypted, executed. `agent`: type 2,
 * executed after the verdict alone. `rejected`: the transaction differs from the request. `expired`: no decision. `lapsed`:
 * decided, but not executed. `unjudged`: as `user`, without orion. `custody`: as `agent`, from a wallet at a custodian, sent
 * by the service.
 */
export type Kind = "user" | "direct" | "agent" | "custody" | "rejected" | "expired" | "lapsed" | "unjudged";

export type Told = {
  readonly kind: Kind;
  readonly owner: Owner;
  readonly requestHash: Hex;
  readonly call: Call;
  /** The transaction that the owner's wallet sent. */
  readonly sent: readonly Hex[];
  /** Each status that was seen, in order, without repetitions. */
  readonly seen: readonly View["status"][];
  readonly last: View;
};

type Open = { -readonly [Member in keyof Omit<Told, "last" | "sent" | "seen">]: Told[Member] } & {
  sent: Hex[];
  seen: View["status"][];
  last?: View;
};

const executionTypes: Readonly<Partial<Record<Kind, 0 | 2>>> = { direct: 0, agent: 2, custody: 2 };
const executed = ["EXECUTED"] as const;
const endings: Readonly<Record<Kind, readonly View["status"][]>> = {
  ...{ user: executed, direct: executed, agent: executed, custody: executed, unjudged: executed },
  rejected: ["REJECTED"],
  expired: ["REJECTED"],
  // The time may be up before it was approved.
  lapsed: ["FAILED", "REJECTED"],
};
const somebody: Hex = "0x742d35cc6634c0532925a3b844bc454e4438f44e";
const pollMs = 100;

export type Teller = {
  readonly tell: (kind: Kind, options?: TellOptions) => Promise<Told>;
  /** The states seen so far, also of unfinished proposals. */
  readonly told: () => readonly Told[];
  /** Every proposal that was answered with 201. */
  readonly accepted: () => readonly Hex[];
  /** How many proposals were made. */
  readonly count: () => number;
};

type TellOptions = {
  /** How long it may take. */
  readonly seconds?: number;
  /** For what a test does at a certain moment. Called at each look. */
  readonly onLook?: (view: View) => void | Promise<void>;
  /** Ends the telling earlier than the story. */
  readonly until?: (view: View) => boolean;
  /** Whether the owner's wallet sends the bytes once it may. */
  readonly isSent?: boolean;
};

/** Makes the owners that the kinds of stories need, each once. */
export function makeTeller(stage: Stage): Teller {
  const owners = new Map<string, Promise<Owner>>();
  const all: Open[] = [];
  let count = 0;
  const ownerOf = (kind: Kind): Promise<Owner> => {
    const type = executionTypes[kind] ?? 1;
    const isKept = kind === "custody";
    const name = isKept ? kind : `type ${type}`;
    const known = owners.get(name) ?? anOwner(stage, type, { isKept });
    owners.set(name, known);
    return known;
  };
  return {
    told: () => all.flatMap((open) => (open.last === undefined ? [] : [{ ...open, last: open.last }])),
    accepted: () => all.map(({ requestHash }) => requestHash),
    count: () => count,
    tell: async (kind, options = {}) => {
      const owner = await ownerOf(kind);
      const proposal = aProposal(kind, ++count);
      const requestHash = await owner.propose(proposal);
      const open: Open = { kind, owner, requestHash, call: proposal.call, sent: [], seen: [] };
      all.push(open);
      return follow(stage, open, options);
    },
  };
}

/** Each moves another amount, so that the chain shows which is which. */
export function aProposal(kind: Kind, number: number): Proposal {
  const value = 1_000_000_000_000_000n + BigInt(number) * 1_000_000_000n;
  const asked = kind === "rejected" ? value / 2n : value;
  const lasts = kind === "expired" ? 3 : kind === "lapsed" ? 6 : undefined;
  return {
    prompt: `Send ${formatEther(asked)} ETH to ${somebody}`,
    call: { to: somebody, value, data: "0x" },
    isUnsealed: kind === "direct",
    ...(lasts === undefined ? {} : { deadlineSeconds: lasts }),
  };
}

async function isOver(stage: Stage, { kind, requestHash }: Open, { status }: View): Promise<boolean> {
  if (!endings[kind].includes(status)) return false;
  const rows = await stage
    .query<{ over: boolean }>("select bool_and(status = 'finished') as over from flows where key = $1", [
      requestHash,
    ])
    .catch(() => []);
  return rows.some((row) => row.over);
}

/** Looks again and again, and does what this story's people do. Returns when it is over and its flow has ended. */
async function follow(stage: Stage, open: Open, options: TellOptions): Promise<Told> {
  const { seconds = 120, until = () => false } = options;
  const limit = Date.now() + seconds * 1000;
  for (;;) {
    const view = (await open.owner.list())?.find(({ requestHash }) => requestHash === open.requestHash);
    if (view !== undefined) {
      open.last = view;
      if (open.seen.at(-1) !== view.status) open.seen.push(view.status);
      await options.onLook?.(view);
      if (until(view) || (await isOver(stage, open, view))) return { ...open, last: view };
      await act(stage, open, view, options);
    }
    if (Date.now() > limit)
      throw new Error(
        `${open.kind} ${open.requestHash} is not over within ${seconds} s: ${JSON.stringify(view)}`,
      );
    await sleep(pollMs);
  }
}

async function act(stage: Stage, open: Open, view: View, { isSent = true }: TellOptions): Promise<void> {
  const { kind, owner, call, sent } = open;
  const approves = ["user", "lapsed", "unjudged"].includes(kind);
  if (approves && view.phase === "AWAITING" && view.approvals.user.length === 0)
    // Interrupted or too late: the next poll shows it.
    await owner.decide(open.requestHash, "APPROVED").catch(() => undefined);
  const isOwners = kind !== "lapsed" && kind !== "custody";
  if (isSent && isOwners && view.phase === "READY" && sent.length === 0)
    sent.push(await stage.chain.send(owner.wallet, call));
}
