import { sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import { asHex, type Hex } from "../../platform/db/hex.ts";

/** The inputs of a verdict: gzipped JSON, and the hash of its content. */
export type StoredBundle = { readonly hash: Hex; readonly content: Buffer };

export async function readBundle(db: Db, id: string): Promise<StoredBundle | undefined> {
  const { rows } = await sql<StoredBundle>`
    select ${asHex("hash")} as hash, content from bundles where transaction_id = ${id}`.execute(db);
  return rows[0];
}
