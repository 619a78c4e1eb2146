import { crashPoint } from "@countersign/platform/crash";
import { sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import { bytesOf, type Hex } from "../../platform/db/hex.ts";
import type { FlowStart, Wake } from "../../platform/flows/index.ts";
import type { Outcome } from "../../platform/work-together.ts";
import { apply, isPending, statusOf, type Lifecycle, type LifecycleEvent } from "../lifecycle.ts";
import type { Approval, Transaction } from "../transaction.ts";
import { listApprovalsOf } from "./approvals.ts";
import { columns, transactionOf, type Row, type WatchedChains } from "./columns.ts";
import { countUse } from "./count-use.ts";
import { insertEvidence, type Evidence } from "./evidence.ts";
import { closeExecution } from "./executions.ts";
import { recordParties } from "./parties.ts";
import { closeWatch, openWatch } from "./release-watches.ts";
import { writeChanges, type Facts, type Writing } from "./write-changes.ts";

export type { Facts } from "./write-changes.ts";

/** A rule's decision about a locked transaction. */
export type Change = Evidence & {
  readonly events?: readonly LifecycleEvent[];
  readonly facts?: Facts;
};

export type Changed = {
  readonly before: Transaction;
  readonly after: Transaction;
  readonly approval: Approval | undefined;
  /** Its execution, which is to be woken or started after the commit. */
  readonly wake: Wake | undefined;
  readonly start?: FlowStart | undefined;
};

export type Key = { readonly requestHash: Hex } | { readonly id: string };

/** Gets the current, locked transaction. Returns undefined to leave it unchanged. */
export type Rule = (current: Transaction, approvals: readonly Approval[]) => Change | undefined;

export type WantedChange = { readonly key: Key; readonly rule: Rule };

type Parts = {
  /** How long an approved transaction may wait to be executed. */
  readonly approvedSeconds: number;
  readonly watchedChains: WatchedChains;
  readonly compactStorage: boolean;
};

/**
 * A pending transaction past its time has expired, also if the sweeper has not run yet. The outcome of an
 * approved one is a claim about the chain, which only the sweeper makes.
 */
const expire = (current: Transaction): LifecycleEvent | undefined =>
  current.isOverdue && isPending(current) ? "expirePending" : undefined;

/** Until it is in a block or given up, nothing else is sent from its wallet. */
const isBeingSent = ({ phase }: Lifecycle): boolean => phase === "EXECUTING" || phase === "BROADCAST";

type Applied = { readonly state: Lifecycle; readonly last: LifecycleEvent | undefined };

/** Returns the state after all events, and the last event that changed something, which names the change. */
const applyAll = (before: Lifecycle, events: readonly LifecycleEvent[]): Applied =>
  events.reduce<Applied>(
    ({ state, last }, event) => {
      const next = apply(state, event);
      return { state: next, last: next === state ? last : event };
    },
    { state: before, last: undefined },
  );

/** Locks them, always in the same order, so that no two database transactions wait for each other. */
async function lock(
  tx: Db,
  wanted: readonly WantedChange[],
  { watchedChains }: Parts,
): Promise<readonly Transaction[]> {
  const ids = wanted.flatMap(({ key }) => ("id" in key ? [key.id] : []));
  const hashes = wanted.flatMap(({ key }) => ("id" in key ? [] : [bytesOf(key.requestHash)]));
  const { rows } = await sql<Row>`
    select ${columns} from transactions t where t.id = any(
      ${ids}::uuid[] || array(select transaction_id from request_index where request_hash = any(${hashes}::bytea[])))
    order by t.id for update`.execute(tx);
  return rows.map((row) => transactionOf(row, watchedChains));
}

/** Every decision leaves its mark in the state, so there is nothing to read about a transaction without any. */
const isUndecided = ({ orion, user, admin, agent }: Lifecycle): boolean =>
  [orion, user, admin, agent].every((decision) => decision === null);

const readApprovals = (
  tx: Db,
  all: readonly Transaction[],
): Promise<ReadonlyMap<string, readonly Approval[]>> => {
  const decided = all.filter((transaction) => !isUndecided(transaction)).map(({ id }) => id);
  return decided.length === 0 ? Promise.resolve(new Map()) : listApprovalsOf(tx, decided);
};

/** A change that its rule wants. */
type Planned = Applied & {
  readonly before: Transaction;
  readonly approvals: readonly Approval[];
  readonly change: Change;
};

function plan(before: Transaction, approvals: readonly Approval[], rule: Rule): Planned | "nothing" {
  const expiry = expire(before);
  const current = expiry === undefined ? before : { ...before, ...apply(before, expiry) };
  const change = rule(current, approvals) ?? {};
  const applied = applyAll(before, [...(expiry === undefined ? [] : [expiry]), ...(change.events ?? [])]);
  const isNothing = applied.state === before && change.approval === undefined && change.facts === undefined;
  return isNothing ? "nothing" : { ...applied, before, approvals, change };
}

const factNameOf = ({ remindedAt }: Facts): string => (remindedAt === undefined ? "learn" : "remind");

/** Counts the request as used, which may approve it without its owner. */
async function count(
  tx: Db,
  { before, state, last, approvals, change }: Planned,
  approval: Approval | undefined,
): Promise<Writing> {
  const counted = await countUse(tx, { before, state, approvals, approval, report: change.report });
  const { denied, ...granted } = counted;
  const facts = { ...change.facts, ...(denied === undefined ? {} : { reasonDetail: denied }) };
  const event = last ?? (approval === undefined ? factNameOf(facts) : "approval");
  return { before, facts, event, ...granted };
}

/** Its use is looked for from the release on, until a final block shows it. */
async function noteRelease(tx: Db, before: Transaction, after: Transaction): Promise<void> {
  if (after.onchain === before.onchain) return;
  if (before.onchain === null && after.onchain === "released") await openWatch(tx, after);
  if (after.onchain === "used" || after.onchain === "unused") await closeWatch(tx, after);
}

async function noteExecution(tx: Db, before: Transaction, after: Transaction): Promise<void> {
  await noteRelease(tx, before, after);
  if (statusOf(after) === "EXECUTED" && statusOf(before) !== "EXECUTED") await recordParties(tx, after);
  if (isBeingSent(before) && !isBeingSent(after)) await closeExecution(tx, before.id);
}

/** Ledgers are locked in one order, too. */
const byAccount = (one: Planned, other: Planned): number =>
  one.before.account < other.before.account ? -1 : one.before.account > other.before.account ? 1 : 0;

async function write(
  tx: Db,
  planned: readonly Planned[],
  parts: Parts,
): Promise<ReadonlyMap<string, Changed>> {
  if (planned.length === 0) return new Map();
  const approvals = await insertEvidence(
    tx,
    planned.map(({ before, change }) => ({ before, evidence: change })),
    parts,
  );
  const changes: Writing[] = [];
  for (const one of planned.toSorted(byAccount))
    changes.push(await count(tx, one, approvals.get(one.before.id)));
  const written = await writeChanges(tx, changes, parts);
  const changed = new Map<string, Changed>();
  for (const [index, { before, event }] of changes.entries()) {
    const one = written[index];
    if (one === undefined) throw new Error("a locked row is missing");
    const { after, ...flows } = one;
    await noteExecution(tx, before, after);
    crashPoint(`change: before commit of ${event}`);
    changed.set(before.id, { before, after, approval: approvals.get(before.id), ...flows });
  }
  return changed;
}

const failed = (error: unknown): Outcome<Changed | undefined> => ({ kind: "failed", error });
const unchanged = (before: Transaction): Outcome<Changed | undefined> => ({
  kind: "done",
  result: { before, after: before, approval: undefined, wake: undefined },
});

const planSafely = (...given: Parameters<typeof plan>): Planned | Outcome<Changed | undefined> => {
  try {
    const planned = plan(...given);
    return planned === "nothing" ? unchanged(given[0]) : planned;
  } catch (error) {
    return failed(error);
  }
};

/**
 * The only way transactions change: locks them, runs the rule of each, applies its events, counts the request as used, writes
 * state, approval, facts, the parties of an execution and one event row, and wakes the flow, all in one commit. A rule that
 * throws fails its own change alone. The result is undefined if there is no such transaction.
 */
export async function changeTransactions(
  tx: Db,
  wanted: readonly WantedChange[],
  parts: Parts,
): Promise<readonly Outcome<Changed | undefined>[]> {
  const locked = await lock(tx, wanted, parts);
  const approvals = await readApprovals(tx, locked);
  const taken = new Set<string>();
  const outcomes = wanted.map(({ key, rule }): Planned | Outcome<Changed | undefined> => {
    const before = locked.find((one) =>
      "id" in key ? one.id === key.id : one.requestHash === key.requestHash,
    );
    if (before === undefined) return { kind: "done", result: undefined };
    // Two changes of one transaction follow each other: the second sees the first.
    if (taken.has(before.id)) return { kind: "again" };
    taken.add(before.id);
    return planSafely(before, approvals.get(before.id) ?? [], rule);
  });
  const planned = outcomes.filter((outcome) => "state" in outcome);
  const changed = await write(tx, planned, parts);
  return outcomes.map((outcome) =>
    "state" in outcome ? { kind: "done", result: changed.get(outcome.before.id) } : outcome,
  );
}

/** One change in the caller's database transaction. Throws what its rule throws. */
export async function changeTransaction(
  tx: Db,
  wanted: WantedChange,
  parts: Parts,
): Promise<Changed | undefined> {
  const [outcome] = await changeTransactions(tx, [wanted], parts);
  if (outcome?.kind === "done") return outcome.result;
  throw outcome?.kind === "failed" ? outcome.error : new Error("a single change has nothing to wait for");
}
