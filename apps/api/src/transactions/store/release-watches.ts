// Released signatures whose use is looked for. Inserted in the commit of the release, deleted in the commit that ends it.
import { sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import type { Transaction } from "../transaction.ts";
import { proofOf } from "../uses/index.ts";

export async function openWatch(tx: Db, released: Transaction): Promise<void> {
  const proof = proofOf(released);
  if (proof === undefined) return;
  const { id, account, chainId } = released;
  await sql`
    insert into release_watches (transaction_id, account, chain_id, contracts, marks, has_state, check_at)
    values (${id}, ${account}, ${chainId}, ${[...proof.contracts]}, ${[...proof.marks]}, ${proof.state !== null}, now())
    on conflict do nothing`.execute(tx);
}

export async function closeWatch(tx: Db, { id }: Pick<Transaction, "id">): Promise<void> {
  await sql`delete from release_watches where transaction_id = ${id}`.execute(tx);
}
