// What we send ourselves: the intent, what was seen when it was verified, and what a co-signer was told.
import { sql } from "kysely";
import type { Account } from "../../accounts/index.ts";
import type { Db } from "../../platform/db/connect.ts";
import { bytesOf } from "../../platform/db/hex.ts";
import type { Hex, Transaction } from "../transaction.ts";

/** Whom a transaction is sent through: an integration with the custodian, or a wallet at the wallet provider. */
export type SenderName = { readonly keptBy: "custodian" | "provider"; readonly senderId: string };

/** The durable intent to send. */
export type Begun = SenderName & {
  /** What they call it, once that is known. */
  readonly theirId: string | null;
  /** How long ago, by the database's clock. */
  readonly seconds: number;
};

/** False if something else from the same wallet is on its way: then nothing is written. */
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

/** The first one stays: later looks must not make a change look as if it had always been there. */
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

/** What a co-signer is told to sign: their transaction, and the nonce that it would use up. */
export type Cosigned = { readonly theirId: string; readonly nonce: number };

/** taken: another of theirs is signed for it, or theirs for another. changed: it is no longer as it was read. */
export type Claim = "claimed" | "taken" | "changed";

/** From now on theirs is the one that is signed for it, if it is still as it was read and there was none before. */
export async function claimCosignature(
  db: Db,
  { id, account, version }: Pick<Transaction, "id" | "account" | "version">,
  { theirId, nonce }: Cosigned,
): Promise<Claim> {
  // Whoever is changing it is waited for, and then it is another version.
  await sql`
    with current as (
      select id, account from transactions
      where id = ${id} and account = ${account} and version = ${version} for share)
    insert into cosignatures (transaction_id, account, their_id, nonce)
    select id, account, ${theirId}, ${nonce}::bigint from current on conflict do nothing`.execute(db);
  // A statement of its own: it sees what another has written while this one waited for it.
  const { rows } = await sql<{ isSame: boolean; isTheirs: boolean }>`
    select t.version = ${version} as "isSame",
      coalesce(c.their_id = ${theirId} and c.nonce = ${nonce}, false) as "isTheirs"
    from transactions t left join cosignatures c on c.transaction_id = t.id
    where t.id = ${id} and t.account = ${account}`.execute(db);
  if (rows[0]?.isSame !== true) return "changed";
  return rows[0].isTheirs ? "claimed" : "taken";
}

/** For which of the account's theirs was signed, if for any. */
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

/** Those that may be sent now with these very bytes and are in no block yet, the oldest first. */
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
