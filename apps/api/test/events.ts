import { waitUntil } from "@countersign/tools/testing";
import { inDatabase } from "./transactions.ts";

/**
 * Until whoever begins to listen now hears nothing of before. A listener begins at the oldest transaction that is still open in
 * the whole cluster, and beside this test there are others: until theirs have ended, what was recorded just now is told again.
 */
export const untilSettled = (where: { readonly databaseUrl: string }): Promise<unknown> =>
  inDatabase(where, (client) =>
    waitUntil("every event is settled", async () => {
      const open = "select from account_events where xid >= pg_snapshot_xmin(pg_current_snapshot()) limit 1";
      return (await client.query(open)).rowCount === 0;
    }),
  );
