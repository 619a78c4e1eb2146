import { crashPoint } from "@countersign/platform/crash";
import type { Shape } from "@countersign/wire";
import { sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import { bytesOf, type Hex } from "../../platform/db/hex.ts";
import type { FlowStore, Wake } from "../../platform/flows/index.ts";
import type { NeedsOwner } from "../grant/needs-owner.ts";
import type { PolicyDecision } from "../grant/policy-decision.ts";
import { apply, isPending, statusOf, type Lifecycle, type LifecycleEvent } from "../lifecycle.ts";
import {
  transactionFlow,
  type Approval,
  type Execution,
  type NewApproval,
  type Transaction,
} from "../transaction.ts";
import { insertApproval, listApprovals } from "./approvals.ts";
import { keepBundle, type StoredBundle } from "./bundles.ts";
import { countUse } from "./count-use.ts";
import { closeExecution } from "./executions.ts";
import { recordParties } from "./parties.ts";
import {
  columns,
  isNamed,
  stateColumns,
  stateValues,
  transactionOf,
  type Row,
  type WatchedChains,
} from "./columns.ts";

/** A rule's decision about a locked transaction. */
export type Change = {
  readonly events?: readonly LifecycleEvent[];
  readonly approval?: NewApproval;
  /** The validator's whole answer, stored for the owner. */
  readonly report?: unknown;
  /** The inputs of that answer, gzipped. */
  readonly bundle?: StoredBundle;
  readonly facts?: Facts;
};

/** Facts learned along with the state. */
export type Facts = {
  readonly serviceId?: number;
  readonly envelope?: { readonly bytes: Uint8Array; readonly digest: Hex };
  /** Null when its block no longer exists. */
  readonly execution?: Execution | null;
  readonly reasonDetail?: string;
  readonly protocol?: string | null;
  readonly failureNode?: string | null;
  readonly verdictAt?: "now";
  readonly remindedAt?: "now";
  /** The call of an encrypted proposal, from its signed verdict. */
  readonly expected?: { readonly to: Hex; readonly value: bigint; readonly dataHash: Hex };
  /** The shape of an encrypted proposal that is no transaction, from its signed verdict. */
  readonly shaped?: { readonly shape: Shape; readonly signingHash: Hex };
};

export type Changed = {
  readonly before: Transaction;
  readonly after: Transaction;
  readonly approval: Approval | undefined;
  readonly wake: Wake | undefined;
};

export type Key = { readonly requestHash: Hex } | { readonly id: string };

/** Gets the current, locked transaction. Returns undefined to leave it unchanged. */
export type Rule = (current: Transaction, approvals: readonly Approval[]) => Change | undefined;

type Parts = {
  readonly flows: Pick<FlowStore, "askWake">;
  /** How long an approved transaction may wait to be executed. */
  readonly approvedSeconds: number;
  readonly watchedChains: WatchedChains;
};

const find = (key: Key) => ("id" in key ? sql`t.id = ${key.id}` : isNamed(key.requestHash));

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

async function lock(tx: Db, key: Key, { watchedChains }: Parts): Promise<Transaction | undefined> {
  const { rows } = await sql<Row>`
    select ${columns} from transactions t where ${find(key)} for update`.execute(tx);
  return rows[0] === undefined ? undefined : transactionOf(rows[0], watchedChains);
}

/**
 * The only way a transaction changes: locks it, runs the rule, applies its events, counts the request as used,
 * writes state, approval, facts, the parties of an execution and one event row, and wakes the flow, all in one commit.
 * Undefined if there is no such transaction.
 */
export async function changeTransaction(
  tx: Db,
  key: Key,
  rule: Rule,
  parts: Parts,
): Promise<Changed | undefined> {
  const before = await lock(tx, key, parts);
  if (before === undefined) return undefined;
  const expiry = expire(before);
  const current = expiry === undefined ? before : { ...before, ...apply(before, expiry) };
  const approvals = await listApprovals(tx, before.id);
  const change = rule(current, approvals) ?? {};
  const { state: decided, last } = applyAll(before, [
    ...(expiry === undefined ? [] : [expiry]),
    ...(change.events ?? []),
  ]);
  if (decided === before && change.approval === undefined && change.facts === undefined)
    return { before, after: before, approval: undefined, wake: undefined };
  const approval = await keep(tx, before, change);
  const counted = await countUse(tx, {
    ...{ before, state: decided, approvals, approval },
    report: change.report,
  });
  const facts = {
    ...change.facts,
    ...(counted.denied === undefined ? {} : { reasonDetail: counted.denied }),
  };
  const after = await write(tx, { before, ...counted, facts, parts });
  await noteExecution(tx, before, after);
  const named = last ?? (approval === undefined ? factNameOf(facts) : "approval");
  await appendEvent(tx, after, named);
  const wake = await parts.flows.askWake(tx, { flow: transactionFlow, key: before.requestHash });
  crashPoint(`change: before commit of ${named}`);
  return { before, after, approval, wake };
}

const factNameOf = ({ remindedAt }: Facts) => (remindedAt === undefined ? "learn" : "remind");

async function keep(
  tx: Db,
  transaction: Transaction,
  { approval, report, bundle }: Change,
): Promise<Approval | undefined> {
  if (report !== undefined) await keepReport(tx, transaction, report);
  if (bundle !== undefined) await keepBundle(tx, transaction, bundle);
  return approval === undefined ? undefined : insertApproval(tx, transaction, approval);
}

type Writing = {
  readonly before: Transaction;
  readonly state: Lifecycle;
  readonly facts: Facts;
  /** Undefined: as before. */
  readonly needsOwner?: NeedsOwner;
  readonly mandateId?: string | null;
  readonly policyDecision?: PolicyDecision;
  readonly parts: Parts;
};

async function write(tx: Db, { before, state, facts, parts, ...granted }: Writing): Promise<Transaction> {
  const expiresAt = isPending(state)
    ? sql`deadline`
    : state.phase !== "READY"
      ? sql`null`
      : before.phase === "READY"
        ? sql`expires_at`
        : sql`least(now() + make_interval(secs => ${parts.approvedSeconds}), deadline)`;
  const assignments = [
    sql`(${stateColumns}) = row(${stateValues(state)})`,
    sql`version = version + 1`,
    // Not the start of this database transaction: one that waited for another would have an earlier timestamp, and a
    // reader that goes by time would keep the older state.
    sql`updated_at = greatest(clock_timestamp(), updated_at + interval '1 millisecond')`,
    sql`expires_at = ${expiresAt}`,
    ...grantAssignments(granted),
    ...factAssignments(facts),
  ];
  const { rows } = await sql<Row>`
    update transactions t set ${sql.join(assignments)} where t.id = ${before.id} returning ${columns}`.execute(
    tx,
  );
  const [row] = rows;
  if (row === undefined) throw new Error("a locked row is missing");
  if (isBeingSent(before) && !isBeingSent(state)) await closeExecution(tx, before.id);
  return transactionOf(row, parts.watchedChains);
}

type Granting = Pick<Writing, "needsOwner" | "mandateId" | "policyDecision">;

function grantAssignments({ needsOwner, mandateId, policyDecision }: Granting) {
  return [
    ...(policyDecision === undefined ? [] : [sql`policy_decision = ${JSON.stringify(policyDecision)}`]),
    ...(needsOwner === undefined ? [] : [sql`needs_owner = ${JSON.stringify(needsOwner)}`]),
    ...(mandateId === undefined ? [] : [sql`mandate_id = ${mandateId}`]),
  ];
}

/** Facts that are stored in their own columns. */
function plainAssignments(facts: Facts) {
  const { serviceId, reasonDetail, protocol, failureNode, verdictAt, remindedAt } = facts;
  const all = [
    serviceId === undefined ? undefined : sql`service_id = ${serviceId}`,
    reasonDetail === undefined ? undefined : sql`reason_detail = left(${reasonDetail}, 1000)`,
    protocol === undefined ? undefined : sql`protocol = ${protocol}`,
    failureNode === undefined ? undefined : sql`failure_node = ${failureNode}`,
    verdictAt === undefined ? undefined : sql`verdict_at = now()`,
    remindedAt === undefined ? undefined : sql`reminded_at = now()`,
  ];
  return all.filter((assignment) => assignment !== undefined);
}

function factAssignments(facts: Facts) {
  const { envelope, execution, expected, shaped } = facts;
  return [
    ...plainAssignments(facts),
    ...(envelope === undefined
      ? []
      : [
          sql`envelope = ${envelope.bytes}`,
          sql`content_digest = ${bytesOf(envelope.digest)}`,
          // From here on it is only inside the envelope.
          sql`unsealed_extras = null`,
        ]),
    ...(execution === undefined
      ? []
      : [
          sql`execution_hash = ${execution === null ? null : bytesOf(execution.hash)}`,
          sql`execution_block = ${execution?.block.toString() ?? null}`,
          sql`execution_block_hash = ${execution === null ? null : bytesOf(execution.blockHash)}`,
        ]),
    ...(expected === undefined
      ? []
      : [
          sql`to_address = ${expected.to}`,
          sql`value = ${expected.value.toString()}`,
          sql`data_hash = ${bytesOf(expected.dataHash)}`,
        ]),
    ...(shaped === undefined
      ? []
      : [sql`shape = ${shaped.shape}`, sql`signing_hash = ${bytesOf(shaped.signingHash)}`]),
  ];
}

async function noteExecution(tx: Db, before: Transaction, after: Transaction): Promise<void> {
  if (statusOf(after) === "EXECUTED" && statusOf(before) !== "EXECUTED") await recordParties(tx, after);
}

async function keepReport(tx: Db, { id, account, form }: Transaction, report: unknown): Promise<void> {
  if (form === "sealed") return;
  await sql`
    insert into reports (transaction_id, account, report) values (${id}, ${account}, ${JSON.stringify(report)})
    on conflict (transaction_id) do nothing`.execute(tx);
}

async function appendEvent(tx: Db, after: Transaction, event: string): Promise<void> {
  await sql`
    insert into account_events (account, transaction_id, request_hash, version, event, status, phase, reason,
      needs_owner)
    values (${after.account}, ${after.id}, ${bytesOf(after.requestHash)}, ${after.version}, ${event},
      ${statusOf(after)}, ${after.phase}, ${after.reason}, ${after.needsOwner?.code ?? null})`.execute(tx);
}
