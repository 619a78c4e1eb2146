import { sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import { readParties, type Parties } from "../parties/read-parties.ts";
import type { Transaction } from "../transaction.ts";
import { readReport } from "./reports.ts";

/** Returns who a transaction pays, from its stored report or its call. */
export const readPartiesOf = async (db: Db, transaction: Transaction): Promise<Parties> =>
  readParties(transaction, await readReport(db, transaction.id));

/** Records who an executed transaction paid, in the commit that marks it EXECUTED. A repetition changes nothing. */
export async function recordParties(tx: Db, transaction: Transaction): Promise<void> {
  const { id, account, onchain, user } = transaction;
  const { parties, isComplete } = await readPartiesOf(tx, transaction);
  const rows = [...parties, ...(isComplete ? [] : [{ role: "unknown", address: null }])];
  if (rows.length === 0) return;
  await sql`
    insert into executed_parties (account, transaction_id, role, address, released, by_owner)
    select ${account}, ${id}, p.role, p.address, ${onchain === "released"}, ${user === "APPROVED"}
    from unnest(${rows.map(({ role }) => role)}::text[], ${rows.map(({ address }) => address)}::text[])
      as p (role, address)
    on conflict do nothing`.execute(tx);
}
