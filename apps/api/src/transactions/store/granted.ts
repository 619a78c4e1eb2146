// Transactions that were approved without their owner and are not sent yet.
import { sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";

/** Returns the ids of those under a mandate. With `lock`, in one order and until the end of the database transaction. */
export async function listGranted(
  tx: Db,
  mandateId: string,
  { lock }: { readonly lock: boolean },
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select t.id from transactions t where t.mandate_id = ${mandateId} and t.phase = 'READY' and t.granted
    order by t.id ${lock ? sql`for update` : sql``}`.execute(tx);
  return rows.map(({ id }) => id);
}
