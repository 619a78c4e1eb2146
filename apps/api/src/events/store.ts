import { sql } from "kysely";
import type { Account } from "../accounts/index.ts";
import type { Db } from "../platform/db/connect.ts";
import { asHex } from "../platform/db/hex.ts";
import type { AccountEvent, Cursor } from "./event.ts";

const columns = sql`e.xid::text || '-' || e.id as cursor, e.account, ${asHex("e.request_hash")} as "requestHash",
  e.version, e.event, e.status, e.phase, e.reason, e.needs_owner as "needsOwner", e.created_at as "createdAt"`;

// Ids are assigned before commits, so a higher id may become visible before a lower one. Events older than every open
// transaction can no longer change. Reading only those, in that order, misses nothing.
const isSettled = sql`e.xid < pg_snapshot_xmin(pg_current_snapshot())`;

function isAfter(cursor: Cursor) {
  const [xid, id] = cursor.split("-");
  return sql`(e.xid, e.id) > (${xid}::xid8, ${id}::bigint)`;
}

export type EventStore = ReturnType<typeof makeEventStore>;

export function makeEventStore(db: Db) {
  return {
    /** Returns a cursor before every event that becomes readable from now on. */
    async readHead(): Promise<Cursor> {
      const { rows } = await sql<{ head: Cursor }>`
        select pg_snapshot_xmin(pg_current_snapshot())::text || '-0' as head`.execute(db);
      const [row] = rows;
      if (row === undefined) throw new Error("the database returned no position");
      return row.head;
    },

    /** Returns the events of all accounts, in order. */
    async readAfter(cursor: Cursor, limit: number): Promise<readonly AccountEvent[]> {
      const { rows } = await sql<AccountEvent>`
        select ${columns} from account_events e where ${isAfter(cursor)} and ${isSettled}
        order by e.xid, e.id limit ${limit}`.execute(db);
      return rows;
    },

    async readOfAccountAfter(
      account: Account,
      cursor: Cursor,
      limit: number,
    ): Promise<readonly AccountEvent[]> {
      const { rows } = await sql<AccountEvent>`
        select ${columns} from account_events e
        where e.account = ${account} and ${isAfter(cursor)} and ${isSettled}
        order by e.xid, e.id limit ${limit}`.execute(db);
      return rows;
    },
  };
}
