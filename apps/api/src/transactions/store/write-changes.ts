// Writes changes of several transactions with two statements, however many there are.
import type { Shape } from "@countersign/wire";
import { sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import { asHex, type Hex } from "../../platform/db/hex.ts";
import { finishingOf, wakingOf, type FlowStart, type Wake } from "../../platform/flows/index.ts";
import type { NeedsOwner } from "../grant/needs-owner.ts";
import type { PolicyDecision } from "../grant/policy-decision.ts";
import { isPending, isTerminal, mayBeSent, statusOf, type Lifecycle } from "../lifecycle.ts";
import { transactionFlow, verificationFlow, type Execution, type Transaction } from "../transaction.ts";
import type { Use } from "../uses/index.ts";
import { allowanceSeconds } from "./allowance.ts";
import { columns, transactionOf, type Row, type WatchedChains } from "./columns.ts";

/** Facts learned along with the state. */
export type Facts = {
  readonly serviceId?: number;
  readonly envelope?: { readonly bytes: Uint8Array; readonly digest: Hex };
  /** Null when its block no longer exists. */
  readonly execution?: Execution | null;
  /** The kind of proof of its use, with the release. Null: no use can be proven. */
  readonly useKind?: string | null;
  /** Null when its block no longer exists. */
  readonly use?: Use | null;
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

/** A change of a locked transaction, ready to be written. */
export type Writing = {
  readonly before: Transaction;
  readonly state: Lifecycle;
  readonly facts: Facts;
  /** Undefined: as before. */
  readonly needsOwner?: NeedsOwner;
  readonly mandateId?: string | null;
  readonly policyDecision?: PolicyDecision;
  /** The name of its event. */
  readonly event: string;
};

export type Written = {
  readonly after: Transaction;
  /** Its execution, if it has begun. */
  readonly wake: Wake | undefined;
  /** Its execution, if it is to begin. */
  readonly start: FlowStart | undefined;
};

const allowance = sql`make_interval(secs => ${sql.lit(allowanceSeconds)})`;

/** Members by the names of their columns. A column that is absent keeps its value. */
type Columns = Readonly<Record<string, unknown>>;

const stateOf = (state: Lifecycle): Columns => ({
  execution_type: state.executionType,
  require_user: state.policy.requireUser,
  admin_may_approve: state.policy.adminMayApprove,
  external: state.policy.external,
  phase: state.phase,
  orion: state.orion,
  user: state.user,
  admin: state.admin,
  agent: state.agent,
  granted: state.granted,
  verdict_fresh: state.verdictFresh,
  nonce_held: state.nonceHeld,
  onchain: state.onchain,
  final: state.final,
  reason: state.reason,
  late: state.late,
  alert: state.alert,
  execs: state.execs,
});

const given = (columns: Columns): Columns =>
  Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined));

const hexOf = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString("hex")}`;

const executionColumns = (execution: Execution | null): Columns => ({
  execution_hash: execution?.hash ?? null,
  execution_block: execution?.block.toString() ?? null,
  execution_block_hash: execution?.blockHash ?? null,
});

const useColumns = (use: Use | null): Columns => ({
  use_outcome: use?.outcome ?? null,
  use_hash: use?.hash ?? null,
  use_block: use?.block.toString() ?? null,
  use_block_hash: use?.blockHash ?? null,
});

const factsOf = ({ envelope, execution, use, expected, shaped, ...facts }: Facts): Columns => ({
  ...given({
    service_id: facts.serviceId,
    // JSON in the database holds no half of a surrogate pair.
    reason_detail: facts.reasonDetail?.toWellFormed(),
    protocol: facts.protocol,
    failure_node: facts.failureNode,
    verdict_at: facts.verdictAt,
    reminded_at: facts.remindedAt,
    use_kind: facts.useKind,
  }),
  ...(envelope === undefined
    ? {}
    : { envelope: hexOf(envelope.bytes), content_digest: envelope.digest, unsealed_extras: null }),
  ...(execution === undefined ? {} : executionColumns(execution)),
  ...(use === undefined ? {} : useColumns(use)),
  ...(expected === undefined
    ? {}
    : { to_address: expected.to, value: expected.value.toString(), data_hash: expected.dataHash }),
  ...(shaped === undefined ? {} : { shape: shaped.shape, signing_hash: shaped.signingHash }),
});

/** How its time limit changes: see the statement. */
function limitOf(before: Lifecycle, state: Lifecycle): "deadline" | "none" | "kept" | "approved" {
  if (isPending(state)) return "deadline";
  if (state.phase !== "READY") return "none";
  return before.phase === "READY" ? "kept" : "approved";
}

const rowOf = ({ before, state, facts, needsOwner, mandateId, policyDecision, event }: Writing): Columns => ({
  id: before.id,
  event,
  status: statusOf(state),
  is_over: isTerminal(state) || (state.orion !== null && before.form === "unsealed"),
  // A verdict that comes before the registration takes effect with it, so its verification goes on.
  is_judged: state.orion !== null && state.phase !== "RECEIVED" && state.phase !== "PINNED",
  is_ours: !state.policy.external && mayBeSent(state),
  time_limit: limitOf(before, state),
  ...stateOf(state),
  given: {
    ...factsOf(facts),
    ...given({ needs_owner: needsOwner, mandate_id: mandateId, policy_decision: policyDecision }),
  },
});

/** The new value of a column that is not always given, in the type of the column. */
const optional = (column: string, type: string) =>
  sql`case when c.given ? ${sql.lit(column)} then (c.given->>${sql.lit(column)})::${sql.raw(type)} else t.${sql.ref(column)} end`;
const optionalBytes = (column: string) =>
  sql`case when c.given ? ${sql.lit(column)} then decode(substr(c.given->>${sql.lit(column)}, 3), 'hex') else t.${sql.ref(column)} end`;
const optionalTime = (column: string) =>
  sql`case when c.given ? ${sql.lit(column)} then now() else t.${sql.ref(column)} end`;

const optionals = [
  sql`reason_detail = left(${optional("reason_detail", "text")}, 1000)`,
  ...(
    [
      ["service_id", "bigint"],
      ["protocol", "text"],
      ["failure_node", "text"],
      ["execution_block", "bigint"],
      ["to_address", "text"],
      ["value", "numeric"],
      ["shape", "text"],
      ["use_kind", "text"],
      ["use_outcome", "text"],
      ["use_block", "bigint"],
      ["needs_owner", "jsonb"],
      ["mandate_id", "uuid"],
      ["policy_decision", "jsonb"],
      ["unsealed_extras", "jsonb"],
    ] as const
  ).map(([column, type]) => sql`${sql.ref(column)} = ${optional(column, type)}`),
  ...[
    "envelope",
    "content_digest",
    "execution_hash",
    "execution_block_hash",
    "data_hash",
    "signing_hash",
    "use_hash",
    "use_block_hash",
  ].map((column) => sql`${sql.ref(column)} = ${optionalBytes(column)}`),
  ...["verdict_at", "reminded_at"].map((column) => sql`${sql.ref(column)} = ${optionalTime(column)}`),
];

const stateTypes = sql.raw(
  `execution_type smallint, require_user boolean, admin_may_approve boolean, external boolean, phase text, orion text,
   "user" text, admin text, agent text, granted boolean, verdict_fresh boolean, nonce_held boolean, onchain text, final boolean,
   reason text, late boolean, alert text, execs integer`,
);
const stateAssignments = sql.raw(
  [
    ...[
      "execution_type",
      "require_user",
      "admin_may_approve",
      "external",
      "phase",
      "orion",
      '"user"',
      "admin",
    ],
    ...[
      "agent",
      "granted",
      "verdict_fresh",
      "nonce_held",
      "onchain",
      "final",
      "reason",
      "late",
      "alert",
      "execs",
    ],
  ]
    .map((column) => `${column} = c.${column}`)
    .join(", "),
);

type FlowNews = {
  readonly attempt: number | null;
  readonly wake: number | null;
  readonly isStarting: boolean;
  readonly traceparent: string | null;
};

type Parts = {
  /** How long an approved transaction may wait to be executed. */
  readonly approvedSeconds: number;
  readonly watchedChains: WatchedChains;
};

/**
 * Writes the state and facts of each, its event, and what it means for its flows: the verification ends with the verdict, the
 * execution begins once the service may send it, or is woken. In the order of the changes.
 */
export async function writeChanges(
  tx: Db,
  changes: readonly Writing[],
  { approvedSeconds, watchedChains }: Parts,
): Promise<readonly Written[]> {
  const { rows } = await sql<Row & FlowNews>`
    with c as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(changes.map(rowOf))}::jsonb)
        as c(id uuid, event text, status text, is_over boolean, is_judged boolean, is_ours boolean, time_limit text, given jsonb, ${stateTypes})
    ), changed as (
      update transactions t set ${stateAssignments}, ${sql.join(optionals)},
        version = version + 1,
        -- Not the start of this database transaction: one that waited for another would have an earlier timestamp, and a
        -- reader that goes by time would keep the older state.
        updated_at = greatest(clock_timestamp(), updated_at + interval '1 millisecond'),
        expires_at = case c.time_limit when 'deadline' then deadline when 'none' then null when 'kept' then expires_at
          else least(now() + make_interval(secs => ${approvedSeconds}), deadline) end
      from c where t.id = c.id
      returning t.*, c.event, c.status as public_status, c.is_over, c.is_judged, c.is_ours, ${asHex("t.request_hash")} as key
    ), event as (
      insert into account_events (account, transaction_id, request_hash, version, event, status, phase, reason, needs_owner)
      select account, id, request_hash, version, event, public_status, phase, reason, needs_owner->>'code' from changed
    ), woken as (${wakingOf(transactionFlow, sql`select key from changed`)}
    ), verified as (${finishingOf(
      verificationFlow,
      sql`select key from changed where is_over or is_judged`,
      sql`(status = 'waiting' or key in (select key from changed where is_over))`,
    )}
    ), ours as (
      insert into flows (flow, key, account, allowance, due_at, sweep_at, traceparent)
      select ${transactionFlow}, o.key, o.account, ${allowance}, now() + ${allowance}, now() + interval '2 seconds', v.traceparent
      from changed o left join flows v on v.flow = ${verificationFlow} and v.key = o.key
      -- A settlement that was reported before the execution was seen takes effect now.
      where o.is_ours or (o.phase = 'EXECUTED' and exists (
        select from orion_metadata m where m.transaction_id = o.id and m.settlement is not null))
      on conflict (flow, key) do nothing returning key, traceparent
    )
    select ${columns}, w.attempt, w.wake, o.key is not null as "isStarting", o.traceparent
    from changed t left join woken w on w.key = t.key left join ours o on o.key = t.key`.execute(tx);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return changes.map(({ before: { id, requestHash } }) => {
    const row = byId.get(id);
    if (row === undefined) throw new Error("a locked row is missing");
    const { attempt, wake, isStarting, traceparent, ...rest } = row;
    const flow = { flow: transactionFlow, key: requestHash };
    return {
      after: transactionOf(rest, watchedChains),
      wake: attempt === null || wake === null ? undefined : { ...flow, attempt, wake },
      start: isStarting ? { ...flow, traceparent } : undefined,
    };
  });
}
