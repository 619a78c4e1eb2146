import { sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import { asHex } from "../../platform/db/hex.ts";
import type { MessageType } from "../catalogue.ts";
import type { Delivery } from "../channel.ts";
import type { Attempt } from "./sending.ts";

const columns = sql`n.id, n.position::text, n.channel_id as "channelId", n.type,
  ${asHex("e.request_hash")} as "requestHash", n.status, n.attempts, n.attempted_at as "attemptedAt",
  n.answer_status as "answerStatus", n.error, n.duration_ms as "durationMs", n.created_at as "createdAt"`;

type Page = {
  readonly status: Delivery["status"] | undefined;
  /** A position. Only older messages are returned. */
  readonly before: string | undefined;
  readonly limit: number;
};

type NewTest = Omit<Attempt, "ids"> & {
  readonly id: string;
  readonly channelId: string;
  readonly account: string;
  readonly type: MessageType;
};

type Key = { readonly id: string; readonly channelId: string };

/** How much waits, and for how long. */
export type Backlog = { readonly pending: number; readonly oldestSeconds: number; readonly failing: number };

export type DeliveryStore = ReturnType<typeof makeDeliveryStore>;

export function makeDeliveryStore(db: Db) {
  const find = async ({ id, channelId }: Key): Promise<Delivery | undefined> => {
    const { rows } = await sql<Delivery>`
      select ${columns} from notifications n left join account_events e on e.id = n.event_id
      where n.id = ${id} and n.channel_id = ${channelId}`.execute(db);
    return rows[0];
  };
  return {
    find,

    /** Newest first. */
    async list(channelId: string, { status, before, limit }: Page): Promise<readonly Delivery[]> {
      const { rows } = await sql<Delivery>`
        select ${columns} from notifications n left join account_events e on e.id = n.event_id
        where n.channel_id = ${channelId} and (${status ?? null}::text is null or n.status = ${status ?? null})
          and (${before ?? null}::bigint is null or n.position < ${before ?? null}::bigint)
        order by n.position desc limit ${limit}`.execute(db);
      return rows;
    },

    async countPending(channelIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
      const { rows } = await sql<{ id: string; count: number }>`
        select channel_id as id, count(*)::integer as count from notifications
        where channel_id = any(${[...channelIds]}::uuid[]) and status = 'pending' group by 1`.execute(db);
      return new Map(rows.map(({ id, count }) => [id, count]));
    },

    /** Stores a test that was sent already. */
    async addTest(test: NewTest): Promise<void> {
      await sql`
        insert into notifications (id, channel_id, account, type, status, attempts, attempted_at, answer_status, error,
          duration_ms)
        values (${test.id}, ${test.channelId}, ${test.account}, ${test.type},
          ${test.error === null ? "delivered" : "failed"}, 1, now(), ${test.status}, ${test.error},
          ${test.durationMs})`.execute(db);
    },

    /** Queues a message again, after those that wait, and ends the pause after a failure. */
    requeue: ({ id, channelId }: Key): Promise<Delivery | undefined> =>
      db.transaction().execute(async (tx) => {
        await sql`
          update notification_channels set failures = 0, failing_since = null, due_at = now()
          where id = ${channelId}`.execute(tx);
        await sql`
          update notifications set status = 'pending', attempts = 0, merged_into = null, position = default
          where id = ${id} and channel_id = ${channelId} and status <> 'pending'`.execute(tx);
        const { rows } = await sql<Delivery>`
          select ${columns} from notifications n left join account_events e on e.id = n.event_id
          where n.id = ${id}`.execute(tx);
        return rows[0];
      }),

    /** For metrics: of webhooks, or of all other channels. */
    async readBacklog(of: "webhooks" | "channels"): Promise<Backlog> {
      const isCounted = sql`(c.kind = 'webhook') = ${of === "webhooks"}`;
      const { rows } = await sql<Backlog>`
        select count(n.id)::integer as pending,
          coalesce(extract(epoch from now() - min(n.created_at)), 0)::float8 as "oldestSeconds",
          (select count(*)::integer from notification_channels c where ${isCounted} and c.failures > 0) as failing
        from notification_channels c join notifications n on n.channel_id = c.id and n.status = 'pending'
        where ${isCounted}`.execute(db);
      return rows[0] ?? { pending: 0, oldestSeconds: 0, failing: 0 };
    },
  };
}
