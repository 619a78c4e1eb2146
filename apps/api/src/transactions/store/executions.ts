// Transactions that we send: the intent, the snapshot from the verification, and the co-signer's answers.
import { sql } from "kysely";
import type { Account } from "../../accounts/index.ts";
import type { Db } from "../../platform/db/connect.ts";
import { bytesOf } from "../../platform/db/hex.ts";
import type { Hex, Transaction } from "../transaction.ts";

/** Who sends a transaction: an integration with the custodian, or a wallet at the wallet provider. */
export type SenderName = { readonly keptBy: "custodian" | "provider"; readonly senderId: string };

/** The durable intent to send. */
export type Begun = SenderName & {
  /** The keeper's id for it, once known. */
  readonly theirId: string | null;
  /** Its age by the database's clock. */
  readonly seconds: number;
};

/** Returns false, without writing, if another transaction of the same wallet is being sent. */
export async function insertExecution(
  tx: Db,
  { id, account, chainId, escrow }: Transaction,
  { keptBy, senderId }: SenderName,
): Promise<boolean> {
  const { rows } = await sql`
    insert into executions (transaction_id, account, chain_id, escrow, kept_by, sender_id)
    values (${id}, ${account}, ${chainId}, ${escrow}, ${keptBy}, ${senderId})
    on conflict do nothing returning 1`.execute(tx);
  return rows.length === 1;
}

export async function closeExecution(tx: Db, id: string): Promise<void> {
  await sql`update executions set is_open = false where transaction_id = ${id} and is_open`.execute(tx);
}

export async function findExecution(db: Db, id: string): Promise<Begun | undefined> {
  const { rows } = await sql<Begun>`
    select kept_by as "keptBy", sender_id as "senderId", their_id as "theirId",
      extract(epoch from now() - begun_at)::double precision as seconds
    from executions where transaction_id = ${id}`.execute(db);
  return rows[0];
}

export async function noteTheirId(db: Db, id: string, theirId: string): Promise<void> {
  await sql`
    update executions set their_id = ${theirId} where transaction_id = ${id} and their_id is null`.execute(
    db,
  );
}

/** The first one stays: a later snapshot must not hide a change. */
export async function keepSnapshot(
  db: Db,
  { id, account }: Pick<Transaction, "id" | "account">,
  taken: unknown,
): Promise<void> {
  await sql`
    insert into snapshots (transaction_id, account, taken) values (${id}, ${account}, ${JSON.stringify(taken)})
    on conflict (transaction_id) do nothing`.execute(db);
}

export async function readSnapshot(db: Db, id: string): Promise<unknown> {
  const { rows } = await sql<{ taken: unknown }>`
    select taken from snapshots where transaction_id = ${id}`.execute(db);
  return rows[0]?.taken;
}

/** The signature that a co-signer was allowed: their transaction, and its nonce. */
export type Cosigned = { readonly theirId: string; readonly nonce: number };

/** taken: another of theirs was signed for it, or theirs for another. changed: it changed since it was read. */
export type Claim = "claimed" | "taken" | "changed";

/** Assigns their transaction to ours, if ours is unchanged since it was read and neither was assigned before. */
export async function claimCosignature(
  db: Db,
  { id, account, version }: Pick<Transaction, "id" | "account" | "version">,
  { theirId, nonce }: Cosigned,
): Promise<Claim> {
  // Waits for a concurrent change, after which it is another version.
  await sql`
    with current as (
      select id, account from transactions
      where id = ${id} and account = ${account} and version = ${version} for share)
    insert into cosignatures (transaction_id, account, their_id, nonce)
    select id, account, ${theirId}, ${nonce}::bigint from current on conflict do nothing`.execute(db);
  // A separate statement: it sees what another one wrote while this one waited for it.
  const { rows } = await sql<{ isSame: boolean; isTheirs: boolean }>`
    select t.version = ${version} as "isSame",
      coalesce(c.their_id = ${theirId} and c.nonce = ${nonce}, false) as "isTheirs"
    from transactions t left join cosignatures c on c.transaction_id = t.id
    where t.id = ${id} and t.account = ${account}`.execute(db);
  if (rows[0]?.isSame !== true) return "changed";
  return rows[0].isTheirs ? "claimed" : "taken";
}

/** Returns the account's transaction that theirs was signed for, if any. */
export async function findCosigned(db: Db, account: Account, theirId: string): Promise<Hex | undefined> {
  const { rows } = await sql<{ requestHash: Hex }>`
    select '0x' || encode(t.request_hash, 'hex') as "requestHash"
    from cosignatures c join transactions t on t.id = c.transaction_id
    where c.account = ${account} and c.their_id = ${theirId}`.execute(db);
  return rows[0]?.requestHash;
}

type Bytes = {
  readonly chainId: number;
  readonly escrow: Hex;
  readonly to: Hex;
  readonly value: bigint;
  readonly dataHash: Hex;
};

/** Transactions with exactly this call that may be sent now and are in no block yet, oldest first. */
export async function listSendable(
  db: Db,
  { chainId, escrow, to, value, dataHash }: Bytes,
): Promise<readonly Hex[]> {
  const { rows } = await sql<{ requestHash: Hex }>`
    select '0x' || encode(request_hash, 'hex') as "requestHash" from transactions
    where chain_id = ${chainId} and escrow = ${escrow} and to_address = ${to} and value = ${value.toString()}
      and data_hash = ${bytesOf(dataHash)} and phase in ('READY', 'EXECUTING', 'BROADCAST')
      and not final and execution_hash is null
    order by id limit 100`.execute(db);
  return rows.map(({ requestHash }) => requestHash);
}
