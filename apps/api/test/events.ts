import { waitUntil } from "@countersign/tools/testing";
import { inDatabase } from "./transactions.ts";

/**
 * Waits until a new listener hears no earlier events. A listener begins at the oldest open transaction of the
 * whole cluster, which other tests use concurrently: until theirs have ended, recent events are delivered
 * again.
 */
export const untilSettled = (where: { readonly databaseUrl: string }): Promise<unknown> =>
  inDatabase(where, (client) =>
    waitUntil("every event is settled", async () => {
      const open = "select from account_events where xid >= pg_snapshot_xmin(pg_current_snapshot()) limit 1";
      return (await client.query(open)).rowCount === 0;
    }),
  );
