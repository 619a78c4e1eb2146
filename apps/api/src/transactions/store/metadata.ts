import { sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import type { Transaction } from "../transaction.ts";

type Members = Readonly<Record<string, unknown>>;

/** Metadata that the verification service added after its verdict. */
export type Metadata = { readonly teeProof: Members | null; readonly settlement: Members | null };

export async function readMetadata(db: Db, transactionId: string): Promise<Metadata> {
  const { rows } = await sql<Metadata>`
    select tee_proof as "teeProof", settlement from orion_metadata
    where transaction_id = ${transactionId}`.execute(db);
  return rows[0] ?? { teeProof: null, settlement: null };
}

/** Call inside a transaction that holds the row of `transactions`, so that there is no concurrent writer. */
export async function writeMetadata(
  tx: Db,
  { id, account }: Pick<Transaction, "id" | "account">,
  { teeProof, settlement }: Metadata,
): Promise<void> {
  const [proof, settled] = [teeProof, settlement].map((members) =>
    members === null ? null : JSON.stringify(members),
  );
  await sql`
    insert into orion_metadata (transaction_id, account, tee_proof, settlement)
    values (${id}, ${account}, ${proof}, ${settled})
    on conflict (transaction_id) do update
    set tee_proof = excluded.tee_proof, settlement = excluded.settlement, updated_at = now()`.execute(tx);
}
