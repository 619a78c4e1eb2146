// Queues events for the channels that want them, and starts a flow for each channel with messages to send.
import { sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import { asHex } from "../../platform/db/hex.ts";
import { hasUnfinished, type FlowStore } from "../../platform/flows/index.ts";
import { typeOf } from "../catalogue.ts";
import { wants, type Channel, type NotifiedEvent } from "../channel.ts";
import { flowName, runKey } from "../run-key.ts";

type Cursor = { readonly xid: string; readonly id: string };
type QueuedEvent = NotifiedEvent & Cursor;
type Listener = Pick<Channel, "id" | "account" | "types" | "agents"> & { readonly createdXid: string };

/** How long a run may take, by far: it ends after some minutes, and the next one continues. */
const allowanceSeconds = 60 * 60;

/** Reads only events older than every open transaction, in the order of the events slice, so that none is skipped. */
async function readEvents(tx: Db, { xid, id }: Cursor, limit: number): Promise<readonly QueuedEvent[]> {
  const { rows } = await sql<QueuedEvent>`
    select e.xid::text, e.id, e.account, ${asHex("e.request_hash")} as "requestHash", e.version, e.event, e.status,
      e.phase, e.reason, e.needs_owner as "needsOwner", e.created_at as "createdAt", t.proposer as agent
    from account_events e join transactions t on t.id = e.transaction_id
    where (e.xid, e.id) > (${xid}::xid8, ${id}::bigint) and e.xid < pg_snapshot_xmin(pg_current_snapshot())
    order by e.xid, e.id limit ${limit}`.execute(tx);
  return rows;
}

async function readListeners(tx: Db, accounts: readonly string[]): Promise<readonly Listener[]> {
  const { rows } = await sql<Listener>`
    select id, account, types, agents, created_xid::text as "createdXid" from notification_channels
    where account = any(${[...accounts]}) and active and confirmed_at is not null`.execute(tx);
  return rows;
}

type NewMessage = { readonly channelId: string; readonly event: QueuedEvent };

/** In the order of the events: the position of a message is its place in the queue. */
function choose(events: readonly QueuedEvent[], listeners: readonly Listener[]): readonly NewMessage[] {
  const byAccount = Map.groupBy(listeners, ({ account }) => account);
  return events.flatMap((event) => {
    const about = { type: typeOf(event), agent: event.agent };
    return (byAccount.get(event.account) ?? [])
      .filter((listener) => BigInt(event.xid) >= BigInt(listener.createdXid) && wants(listener, about))
      .map(({ id: channelId }) => ({ channelId, event }));
  });
}

async function insertMessages(tx: Db, messages: readonly NewMessage[]): Promise<void> {
  if (messages.length === 0) return;
  const channels = messages.map(({ channelId }) => channelId);
  await sql`
    insert into notifications (channel_id, account, event_id, type)
    select n.channel_id, n.account, n.event_id, n.type
    from unnest(${channels}::uuid[], ${messages.map(({ event }) => event.account)}::text[],
                ${messages.map(({ event }) => event.id)}::bigint[],
                ${messages.map(({ event }) => typeOf(event))}::text[]) with ordinality
         as n(channel_id, account, event_id, type, place)
    order by n.place
    on conflict on constraint notifications_once do nothing`.execute(tx);
  await sql`
    -- A channel that waits for the end of quiet hours or a digest is looked at again: the message may be urgent.
    update notification_channels set due_at = case when failures = 0 then now() else coalesce(due_at, now()) end
    where id = any(${[...new Set(channels)]}::uuid[])`.execute(tx);
}

type Due = { readonly id: string; readonly account: string; readonly run: number };

export type QueueStore = ReturnType<typeof makeQueueStore>;

export function makeQueueStore(db: Db, flows: Pick<FlowStore, "accept" | "clearFinished">) {
  return {
    /** Queues the next few events. Returns how many there were; 0 also while another process queues them. */
    queueNext: (limit: number): Promise<number> =>
      db.transaction().execute(async (tx) => {
        const { rows } = await sql<Cursor>`
          select xid::text, id from notifications_cursor for update skip locked`.execute(tx);
        const [cursor] = rows;
        if (cursor === undefined) return 0;
        const events = await readEvents(tx, cursor, limit);
        const last = events.at(-1);
        if (last === undefined) return 0;
        const listeners = await readListeners(tx, [...new Set(events.map(({ account }) => account))]);
        await insertMessages(tx, choose(events, listeners));
        await sql`update notifications_cursor set xid = ${last.xid}::xid8, id = ${last.id}`.execute(tx);
        return events.length;
      }),

    /** Accepts a flow for each channel that has messages to send now and no flow yet. Returns the keys of the flows. */
    acceptRuns: (limit: number): Promise<readonly string[]> =>
      db.transaction().execute(async (tx) => {
        const isFree = sql`not ${hasUnfinished(flowName, sql`c.id || '.' || c.run`)}`;
        const { rows: locked } = await sql<{ id: string }>`
          select c.id from notification_channels c
          where c.due_at <= now() and c.active and (c.lease_until is null or c.lease_until <= now()) and ${isFree}
          order by c.due_at limit ${limit} for update skip locked`.execute(tx);
        // Checked again: another process may have accepted a run between the snapshot and the lock.
        const { rows } = await sql<Due>`
          update notification_channels c set run = c.run + 1
          where c.id = any(${locked.map(({ id }) => id)}::uuid[]) and ${isFree}
          returning c.id, c.account, c.run`.execute(tx);
        const works = rows.map(({ id, account, run }) => ({ key: runKey(id, run), account }));
        for (const work of works) await flows.accept(tx, { flow: flowName, ...work, allowanceSeconds });
        return works.map(({ key }) => key);
      }),

    /** Deletes some old messages and finished flows. Returns how many. */
    async clear(limit: number): Promise<number> {
      const { rows } = await sql`
        delete from notifications where id in (
          select id from notifications where status <> 'pending' and created_at < now() - interval '30 days'
          order by created_at limit ${limit} for update skip locked)
        returning 1`.execute(db);
      return rows.length + (await flows.clearFinished(flowName, limit));
    },
  };
}
