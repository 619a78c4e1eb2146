// A transaction as stored in the database, and its conversion for the rest of the service.
import { sql } from "kysely";
import { asHex, bytesOf, type Hex } from "../../platform/db/hex.ts";
import type { Lifecycle } from "../lifecycle.ts";
import type { Call, Transaction } from "../transaction.ts";
import type { Outcome } from "../uses/index.ts";

export type Row = Omit<
  Transaction,
  "isWatched" | "tx" | "expected" | "execution" | "use" | "policy" | "chainId" | "serviceId"
> & {
  readonly chainId: string;
  readonly serviceId: string | null;
  readonly requireUser: boolean;
  readonly adminMayApprove: boolean;
  readonly external: boolean;
  readonly to: Hex | null;
  readonly value: string | null;
  readonly data: Hex | null;
  readonly dataHash: Hex | null;
  readonly executionHash: Hex | null;
  readonly executionBlock: string | null;
  readonly executionBlockHash: Hex | null;
  readonly useOutcome: Outcome | null;
  readonly useHash: Hex | null;
  readonly useBlock: string | null;
  readonly useBlockHash: Hex | null;
};

export const columns = sql`t.id, t.account, t.escrow, ${asHex("t.request_hash")} as "requestHash", t.chain_id as "chainId",
  t.form, t.proposer, t.description, t.to_address as "to", t.value, ${asHex("t.data")} as data,
  ${asHex("t.data_hash")} as "dataHash", t.shape, t.payload, ${asHex("t.signing_hash")} as "signingHash", t.intent_provenance as "intentProvenance", t.deadline,
  ${asHex("t.salt")} as salt, t.service_id as "serviceId", ${asHex("t.content_digest")} as "contentDigest",
  t.execution_type as "executionType", t.require_user as "requireUser", t.admin_may_approve as "adminMayApprove",
  t.external, t.phase, t.orion, t."user", t.admin, t.agent, t.granted,
  t.needs_owner as "needsOwner", t.mandate_id as "mandateId", t.policy_decision as "policyDecision", t.verdict_fresh as "verdictFresh",
  t.nonce_held as "nonceHeld", t.onchain, t.final, t.reason, t.reason_detail as "reasonDetail", t.late, t.alert, t.execs, t.version,
  t.expires_at as "expiresAt", coalesce(t.expires_at <= now(), false) as "isOverdue", t.supersedes,
  ${asHex("t.execution_hash")} as "executionHash", t.execution_block as "executionBlock",
  ${asHex("t.execution_block_hash")} as "executionBlockHash", t.use_kind as "useKind", t.use_outcome as "useOutcome",
  ${asHex("t.use_hash")} as "useHash", t.use_block as "useBlock", ${asHex("t.use_block_hash")} as "useBlockHash", t.protocol, t.failure_node as "failureNode",
  t.verdict_at as "verdictAt", t.reminded_at as "remindedAt", t.created_at as "createdAt", t.updated_at as "updatedAt"`;

function callOf({ to, value, data }: Row): Call | null {
  return to === null || value === null || data === null ? null : { to, value: BigInt(value), data };
}

function expectedOf({ to, value, dataHash }: Row): Transaction["expected"] {
  return to === null || value === null || dataHash === null ? null : { to, value: BigInt(value), dataHash };
}

function executionOf({ executionHash, executionBlock, executionBlockHash }: Row): Transaction["execution"] {
  if (executionHash === null || executionBlock === null || executionBlockHash === null) return null;
  return { hash: executionHash, block: BigInt(executionBlock), blockHash: executionBlockHash };
}

function useOf({ useOutcome: outcome, useHash: hash, useBlock, useBlockHash }: Row): Transaction["use"] {
  if (outcome === null || useBlock === null || useBlockHash === null) return null;
  return { outcome, hash, block: BigInt(useBlock), blockHash: useBlockHash };
}

/** The chains that have a node. */
export type WatchedChains = ReadonlySet<number>;

export function transactionOf(row: Row, watchedChains: WatchedChains): Transaction {
  const {
    requireUser,
    adminMayApprove,
    external,
    to: _to,
    value: _value,
    data: _data,
    dataHash: _dataHash,
    executionHash: _hash,
    executionBlock: _block,
    executionBlockHash: _blockHash,
    useOutcome: _outcome,
    useHash: _useHash,
    useBlock: _useBlock,
    useBlockHash: _useBlockHash,
    ...rest
  } = row;
  return {
    ...rest,
    chainId: Number(row.chainId),
    isWatched: watchedChains.has(Number(row.chainId)),
    serviceId: row.serviceId === null ? null : Number(row.serviceId),
    policy: { requireUser, adminMayApprove, external },
    tx: callOf(row),
    expected: expectedOf(row),
    execution: executionOf(row),
    use: useOf(row),
  };
}

/** The members of a state in the order of `stateColumns`. */
export const stateColumns = sql`execution_type, require_user, admin_may_approve, external, phase, orion, "user", admin,
  agent, granted, verdict_fresh, nonce_held, onchain, final, reason, late, alert, execs`;

export const stateValues = (state: Lifecycle) =>
  sql`${state.executionType}::smallint, ${state.policy.requireUser}::boolean, ${state.policy.adminMayApprove}::boolean,
    ${state.policy.external}::boolean, ${state.phase}, ${state.orion}, ${state.user}, ${state.admin}, ${state.agent},
    ${state.granted}::boolean, ${state.verdictFresh}::boolean, ${state.nonceHeld}::boolean, ${state.onchain}, ${state.final}::boolean,
    ${state.reason}, ${state.late}::boolean, ${state.alert}, ${state.execs}::integer`;

/** Condition for the transaction with that hash. */
export const isNamed = (requestHash: Hex) =>
  sql`t.id = (select transaction_id from request_index where request_hash = ${bytesOf(requestHash)})`;
