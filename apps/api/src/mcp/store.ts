import { sql } from "kysely";
import type { Hex } from "@countersign/wire";
import { gather } from "../platform/ask-together.ts";
import type { Db } from "../platform/db/connect.ts";
import { asHex, bytesOf } from "../platform/db/hex.ts";
import type { Principal } from "./principal.ts";

type Whose = Pick<Principal, "account" | "client">;

/** A stream that is open in this process, and the session, grant or key it depends on. */
export type Watched = {
  readonly streamId: string;
  readonly sessionId: string | null;
  readonly grantId: string | null;
  readonly keyId: string | null;
};

type SubscriptionsAsked = { readonly sessionId: string; readonly hashes: readonly Hex[] };

/** Many clients never initialize again, so an idle session lives long. */
const isAlive = sql`s.last_used_at > now() - interval '7 days'`;

const isOf = (id: string, { account, client }: Whose) =>
  sql`s.id = ${id} and s.account = ${account} and s.client = ${client} and ${isAlive}`;

export type McpStore = ReturnType<typeof makeMcpStore>;

// Uses the database's time, because the clocks of processes differ.
export function makeMcpStore(db: Db) {
  // One event concerns every stream of its account at the same moment.
  const findTogether = gather(async (asked: readonly SubscriptionsAsked[]) => {
    const pairs = asked.flatMap(({ sessionId, hashes }) =>
      hashes.map((hash) => ({ sessionId, hash: bytesOf(hash) })),
    );
    const { rows } = await sql<{ sessionId: string; hash: Hex }>`
      select session_id as "sessionId", ${asHex("request_hash")} as hash
      from mcp_subscriptions s
      join unnest(${pairs.map(({ sessionId }) => sessionId)}::uuid[], ${pairs.map(({ hash }) => hash)}::bytea[])
        as o (session_id, request_hash) using (session_id, request_hash)`.execute(db);
    const found = Map.groupBy(rows, ({ sessionId }) => sessionId);
    return new Map([...found].map(([id, some]) => [id, new Set(some.map(({ hash }) => hash))]));
  });
  return {
    async addSession(
      {
        id,
        protocolVersion,
        account,
        client,
      }: Whose & { readonly id: string; readonly protocolVersion: string },
      atMost: number,
    ): Promise<void> {
      await sql`
        insert into mcp_sessions (id, account, client, protocol_version)
        values (${id}, ${account}, ${client}, ${protocolVersion})`.execute(db);
      // In a separate statement afterwards: of concurrent calls the last one sees them all. Rows that another call is
      // deleting are skipped, because two calls that wait for each other would deadlock.
      await sql`
        delete from mcp_sessions where id in (
          select s.id from mcp_sessions s where s.id in (
            select id from mcp_sessions where account = ${account} and client = ${client}
            order by last_used_at desc, id offset ${atMost})
          for update skip locked)`.execute(db);
    },

    /** Returns whether the session exists and belongs to the caller. Records the use, but not every time. */
    async useSession(id: string, whose: Whose): Promise<boolean> {
      const { rows } = await sql`
        with found as (select s.id, s.last_used_at from mcp_sessions s where ${isOf(id, whose)}),
        noted as (
          update mcp_sessions s set last_used_at = now() from found
          where s.id = found.id and found.last_used_at < now() - interval '1 minute')
        select 1 from found`.execute(db);
      return rows.length > 0;
    },

    /** Makes this the session's only stream. Returns false if the caller has no such session. */
    async claimStream(id: string, streamId: string, whose: Whose): Promise<boolean> {
      const { rows } = await sql`
        update mcp_sessions s set stream_id = ${streamId}, last_used_at = now()
        where ${isOf(id, whose)} returning 1`.execute(db);
      return rows.length > 0;
    },

    async endSession(id: string, whose: Whose): Promise<boolean> {
      const { rows } = await sql`delete from mcp_sessions s where ${isOf(id, whose)} returning 1`.execute(db);
      return rows.length > 0;
    },

    /** Deletes expired sessions. */
    async clearSessions(atMost: number): Promise<number> {
      const { numAffectedRows = 0n } = await sql`
        delete from mcp_sessions where id in (
          select s.id from mcp_sessions s where not (${isAlive}) order by s.last_used_at limit ${atMost}
          for update skip locked)`.execute(db);
      return Number(numAffectedRows);
    },

    /** Does nothing if the session has ended in the meantime. */
    async subscribe(sessionId: string, requestHash: Hex): Promise<void> {
      await sql`
        insert into mcp_subscriptions (session_id, request_hash)
        select s.id, ${bytesOf(requestHash)} from mcp_sessions s where s.id = ${sessionId}
        on conflict do nothing`.execute(db);
    },

    async unsubscribe(sessionId: string, requestHash: Hex): Promise<void> {
      await sql`
        delete from mcp_subscriptions
        where session_id = ${sessionId} and request_hash = ${bytesOf(requestHash)}`.execute(db);
    },

    /** Returns which of these the session is subscribed to. */
    findSubscribed: async (sessionId: string, hashes: readonly Hex[]): Promise<ReadonlySet<Hex>> =>
      (await findTogether({ sessionId, hashes })).get(sessionId) ?? new Set(),

    /**
     * Returns which of these streams may stay open: the newest of an active session, with a valid grant or
     * key. One query for all of them. A session with an open stream is in use.
     */
    async findLiveStreams(watched: readonly Watched[]): Promise<ReadonlySet<string>> {
      const column = (name: keyof Watched) => watched.map((stream) => stream[name]);
      const { rows } = await sql<{ id: string }>`
        with o as (
          select * from unnest(${column("streamId")}::uuid[], ${column("sessionId")}::uuid[],
            ${column("grantId")}::uuid[], ${column("keyId")}::uuid[]) as o (id, session_id, grant_id, key_id)),
        noted as (
          update mcp_sessions s set last_used_at = now() from o
          where s.id = o.session_id and s.stream_id = o.id and s.last_used_at < now() - interval '1 hour')
        select o.id from o
        where (o.session_id is null or exists (
            select 1 from mcp_sessions s where s.id = o.session_id and s.stream_id = o.id))
          and (o.grant_id is null or exists (
            select 1 from oauth_grants g where g.id = o.grant_id and g.revoked_at is null and g.ends_at > now()))
          and (o.key_id is null or exists (
            select 1 from api_keys k
            where k.id = o.key_id and k.active and (k.expires_at is null or k.expires_at > now())))`.execute(
        db,
      );
      return new Set(rows.map(({ id }) => id));
    },
  };
}
