import { hashData } from "@countersign/wire";
import { sql, type RawBuilder } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import { bytesOf } from "../../platform/db/hex.ts";
import { acceptance } from "../../platform/flows/index.ts";
import { transactionErrors } from "../errors.ts";
import { statusOf } from "../lifecycle.ts";
import { verificationFlow, type NewTransaction, type Transaction } from "../transaction.ts";
import { allowanceSeconds } from "./allowance.ts";
import {
  columns,
  stateColumns,
  stateValues,
  transactionOf,
  type Row,
  type WatchedChains,
} from "./columns.ts";
import { insertContextLogs } from "./context-logs.ts";
import { insertEnvelope } from "./envelopes.ts";

/** A nonce that was used before violates the primary key, which fails the whole statement. */
const useNonce = ({ account, intentNonce }: NewTransaction): RawBuilder<unknown> =>
  intentNonce === undefined
    ? sql``
    : sql`, nonce as (
        insert into intent_nonces (account, nonce, expires_at)
        values (${account}, ${bytesOf(intentNonce.nonce)}, ${intentNonce.expiresAt}))`;

const isNonceUsed = (error: unknown): boolean =>
  error instanceof Error && "constraint" in error && error.constraint === "intent_nonces_pkey";

type Parts = { readonly watchedChains: WatchedChains; readonly compactStorage: boolean };

/** The row, its first event and its flow, in one statement. */
export async function insertTransaction(
  db: Db,
  made: NewTransaction,
  { watchedChains, compactStorage }: Parts,
): Promise<Transaction> {
  try {
    return transactionOf(await insert(db, made, compactStorage), watchedChains);
  } catch (error) {
    throw isNonceUsed(error) ? transactionErrors.intentUsed() : error;
  }
}

/** The values of what would be signed: a call, or other data and its hash. */
const subjectValues = ({ tx, payload, signingHash }: NewTransaction) => sql`
  ${tx?.to ?? null}, ${tx?.value.toString() ?? null}, ${tx === null ? null : bytesOf(tx.data)},
  ${tx === null ? null : bytesOf(hashData(tx.data))}, ${payload?.shape ?? null},
  ${payload === null ? null : JSON.stringify(payload)}, ${signingHash === null ? null : bytesOf(signingHash)}`;

async function insert(db: Db, made: NewTransaction, compactStorage: boolean): Promise<Row> {
  const { id, account, requestHash, lifecycle, envelope } = made;
  const [inRow, inTable] = compactStorage ? [null, envelope] : [envelope, null];
  const { rows } = await sql<Row>`
    with t as (
      insert into transactions (id, account, escrow, request_hash, chain_id, form, proposer, description,
        to_address, value, data, data_hash, shape, payload, signing_hash,
        intent_provenance, deadline, salt, service_id, supersedes, unsealed_extras, envelope, content_digest, expires_at, ${stateColumns})
      values (${id}, ${account}, ${made.escrow}, ${bytesOf(requestHash)}, ${made.chainId}, ${made.form},
        ${made.proposer}, ${made.description}, ${subjectValues(made)},
        ${made.intentProvenance}, ${made.deadline}, ${bytesOf(made.salt)}, ${made.serviceId}, ${made.supersedes},
        ${made.extras === null ? null : JSON.stringify(made.extras)}, ${inRow?.bytes ?? null},
        ${envelope === null ? null : bytesOf(envelope.digest)}, ${made.deadline}, ${stateValues(lifecycle)})
      returning *
    ), index as (
      insert into request_index (request_hash, account, transaction_id) select request_hash, account, id from t
    ), event as (
      insert into account_events (account, transaction_id, request_hash, version, event, status, phase)
      select account, id, request_hash, version, 'propose', ${statusOf(lifecycle)}, phase from t
    ), work as (${acceptance({ flow: verificationFlow, key: requestHash, account, allowanceSeconds })})
    ${useNonce(made)} ${insertContextLogs(made)} ${insertEnvelope(inTable)}
    select ${columns} from t`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error("an insert returned nothing");
  return row;
}
