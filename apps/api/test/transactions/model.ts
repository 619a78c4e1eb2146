// The expected answers and rows, by the rules of lifecycle.ts alone.
import { transactionErrors } from "../../src/transactions/errors.ts";
import {
  apply,
  awaitsGrant,
  begin,
  isPending,
  statusOf,
  useOf,
  type Lifecycle,
  type LifecycleEvent,
} from "../../src/transactions/lifecycle.ts";
import type { Approval, ExecutionType, Form, Hex } from "../../src/transactions/transaction.ts";

export const callers = {
  owner: { kind: "user", type: "user_ui", label: null, events: "user" },
  signer: { kind: "user", type: "user", label: null, events: "user" },
  agent: { kind: "key", type: "user", label: "agent", events: "agent" },
  arbiter: { kind: "key", type: "user", label: "arbiter", events: "agent" },
  admin: { kind: "key", type: "admin", label: "user", events: "admin" },
  administrator: { kind: "key", type: "admin", label: "user", events: "admin" },
  orion: { kind: "orion", type: "orion", label: "orion", events: "verdict" },
  arion: { kind: "orion", type: "orion", label: "orion", events: "verdict" },
  stranger: { kind: "user", type: "user_ui", label: null, events: "user" },
} as const;
export type Who = keyof typeof callers;
export type Decision = "APPROVED" | "REJECTED" | "UNDECIDED";

const events: Readonly<Record<string, Readonly<Partial<Record<Decision, LifecycleEvent>>>>> = {
  user: { APPROVED: "userApproves", REJECTED: "userRejects" },
  agent: { APPROVED: "agentApproves", REJECTED: "agentRejects" },
  admin: { APPROVED: "adminApproves", REJECTED: "adminRejects" },
  verdict: { APPROVED: "verdictApproved", REJECTED: "verdictRejected", UNDECIDED: "verdictUndecided" },
};

type Said = Pick<Approval, "kind" | "type" | "label" | "decision"> & { readonly principal: string };
export type Happened = {
  readonly version: number;
  readonly event: string;
  readonly status: string;
  readonly phase: string;
  readonly reason: string | null;
  readonly needsOwner: string | null;
};

export type Modelled = {
  readonly requestHash: Hex;
  readonly form: Form;
  readonly proposer: Who;
  /** All transactions of the account, which ask for the same. */
  readonly all: readonly Modelled[];
  state: Lifecycle;
  /** Why the owner is asked about a transaction that could have been approved without them. */
  needsOwner: string | null;
  version: number;
  /** It has expired, but no change has noticed that yet. */
  isOverdue: boolean;
  said: readonly Said[];
  log: readonly Happened[];
};

const happened = ({ state, version, needsOwner }: Omit<Modelled, "log">, event: string): Happened => {
  const { phase, reason } = state;
  return { version, event, status: statusOf(state), phase, reason, needsOwner };
};

export function propose(
  named: Pick<Modelled, "requestHash" | "form" | "proposer" | "all">,
  executionType: ExecutionType,
): Modelled {
  const state = begin(executionType, { requireUser: false, adminMayApprove: false, external: true });
  const made = { ...named, state, needsOwner: null, version: 1, isOverdue: false, said: [] };
  return { ...made, log: [happened(made, "propose")] };
}

/** Whether its proposer has used the same request, in the same form, for a payment that still counts. */
const isRepeated = ({ all, requestHash, proposer, form }: Modelled): boolean =>
  all.some(
    (other) =>
      other.requestHash !== requestHash &&
      other.proposer === proposer &&
      other.form === form &&
      other.state.executionType === 2 &&
      ["held", "made"].includes(useOf(other.state) ?? ""),
  );

/** Approves it without the owner if that is possible, when the verdict takes effect. */
function grant(one: Modelled, state: Lifecycle): Lifecycle {
  if (!awaitsGrant(state) || awaitsGrant(one.state)) return state;
  if (!isRepeated(one)) return apply(state, "grant");
  one.needsOwner = "REPEATED_REQUEST";
  return state;
}

/** The outcome of an approved one is a claim about the chain, which only the sweeper makes. */
const expiryOf = ({ state, isOverdue }: Modelled): LifecycleEvent | undefined =>
  isOverdue && isPending(state) ? "expirePending" : undefined;

/** The state that the next access sees: an overdue transaction has expired. */
const seen = (one: Modelled): Lifecycle => {
  const expiry = expiryOf(one);
  return expiry === undefined ? one.state : apply(one.state, expiry);
};

/** Records one change, or none if nothing changes. */
export function enact(one: Modelled, event?: LifecycleEvent, said?: Said): void {
  const all = [expiryOf(one), event].filter((given) => given !== undefined);
  let [state, last]: [Lifecycle, string] = [one.state, "approval"];
  for (const given of all) {
    const next = apply(state, given);
    if (next !== state) last = given;
    state = next;
  }
  if (state === one.state && said === undefined) return;
  one.isOverdue &&= one.state.phase === "READY" && state.phase === "READY";
  one.state = grant(one, state);
  one.version += 1;
  if (said !== undefined) one.said = [...one.said, said];
  one.log = [...one.log, happened(one, last)];
}

export const copyOf = (one: Modelled): Modelled => ({ ...one });

export type Expected = { readonly status: number; readonly code?: string };
export const refused = (error: keyof typeof transactionErrors): Expected => {
  const { status, code } = transactionErrors[error];
  return { status, code };
};

const isVerdict = (who: Who): boolean => callers[who].kind === "orion";
/** The owner is one principal, with any credential; the verdict is one, whichever key posts it. */
const principalOf = (who: Who): string => {
  const { kind } = callers[who];
  return kind === "key" ? who : kind;
};

const lastOf = ({ said, state }: Modelled, who: Who): Decision | undefined =>
  // UNDECIDED clears an earlier approval of the owner.
  callers[who].kind === "user" && state.user === null
    ? undefined
    : said.findLast(({ principal }) => principal === principalOf(who))?.decision;

/** A second approval of the same kind changes nothing and is recorded while it could have. */
const mayHappen = (state: Lifecycle, event: LifecycleEvent): boolean =>
  ["agentApproves", "adminApproves"].includes(event) ? isPending(state) : apply(state, event) !== state;

function refusal(one: Modelled, who: Who, decision: Decision): Expected | undefined {
  const event = events[callers[who].events]?.[decision];
  if (event === undefined) return refused("onlyForOrion");
  if (who === "stranger") return refused("notYours");
  const before = lastOf(one, who);
  if (before === decision) return undefined;
  if (before !== undefined && isVerdict(who)) return refused("otherVerdict");
  const isTakenBack = callers[who].kind === "user" && decision === "REJECTED";
  if (before !== undefined && !isTakenBack) return refused("contradiction");
  return mayHappen(seen(one), event) ? undefined : refused("notPending");
}

/** Makes a decision in the model. Returns the expected answer. */
export function decide(one: Modelled, who: Who, decision: Decision): Expected {
  const no = refusal(one, who, decision);
  if (no !== undefined) return no;
  const principal = principalOf(who);
  const { kind, type, label } = callers[who];
  if (lastOf(one, who) === decision) enact(one);
  else
    enact(one, events[callers[who].events]?.[decision], {
      ...{ principal, kind, type, decision },
      label: kind === "user" ? null : label,
    });
  return { status: 201 };
}

export function withdraw(one: Modelled, who: Who): Expected {
  const isInPerson = who === "owner" || who === "signer";
  if (!isInPerson && who !== one.proposer) return refused("notYours");
  if (!isPending(seen(one))) return refused("notPending");
  enact(one, "withdraw");
  return { status: 200 };
}

export function supersede(one: Modelled): Expected {
  if (!isPending(seen(one))) return refused("supersedesNotPending");
  enact(one, "supersede");
  return { status: 201 };
}

/** Makes it overdue, if it can expire. */
export function runOut(one: Modelled): void {
  one.isOverdue = isPending(one.state) || one.state.phase === "READY";
}

/** Runs the sweeper, after the chain was read to its end. */
export const sweep = (one: Modelled): void => {
  enact(one, one.isOverdue && one.state.phase === "READY" ? "expireReady" : undefined);
};

/** The booleans of `view=flags`: who has ever approved. */
export function flagsOf({ said }: Modelled) {
  const yes = said.filter(({ decision }) => decision === "APPROVED");
  const byKey = (label: string) => yes.some((one) => one.kind === "key" && one.label === label);
  return {
    user: yes.some(({ kind }) => kind === "user"),
    agent: byKey("agent"),
    arbiter: byKey("arbiter"),
    orion: yes.some(({ kind }) => kind === "orion"),
  };
}
