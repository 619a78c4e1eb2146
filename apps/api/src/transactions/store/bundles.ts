import { sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import { asHex, bytesOf, type Hex } from "../../platform/db/hex.ts";
import type { Transaction } from "../transaction.ts";

/** The inputs of a verdict: gzipped JSON, and the hash of its content. */
export type StoredBundle = { readonly hash: Hex; readonly content: Buffer };

/** Stores nothing for payloads that the sender encrypted: the inputs show them. */
export async function keepBundle(
  tx: Db,
  { id, account, form }: Transaction,
  { hash, content }: StoredBundle,
): Promise<void> {
  if (form === "sealed") return;
  await sql`
    insert into bundles (transaction_id, account, hash, content)
    values (${id}, ${account}, ${bytesOf(hash)}, ${content})
    on conflict (transaction_id) do nothing`.execute(tx);
}

export async function readBundle(db: Db, id: string): Promise<StoredBundle | undefined> {
  const { rows } = await sql<StoredBundle>`
    select ${asHex("hash")} as hash, content from bundles where transaction_id = ${id}`.execute(db);
  return rows[0];
}
