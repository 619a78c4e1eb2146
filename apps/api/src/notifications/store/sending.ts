// The statements of the step that sends a channel's messages.
import { sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import { asHex } from "../../platform/db/hex.ts";
import type { Channel, NotifiedEvent, Queued } from "../channel.ts";
import { attemptsAtMost } from "../retry.ts";

/** A channel as a step needs it. */
export type Claimed = Pick<
  Channel,
  "id" | "kind" | "target" | "failures" | "failingSince" | "quietFrom" | "quietUntil" | "timeZone" | "digest"
>;

export type Attempt = {
  /** The messages that were sent as one. */
  readonly ids: readonly string[];
  readonly status: number | null;
  readonly error: string | null;
  readonly durationMs: number;
};

type Lease = { readonly channelId: string; readonly holder: string };

/** A test has no event. */
type Row = Omit<Queued, "event" | "createdAt"> & {
  readonly queuedAt: Date;
  readonly requestHash: NotifiedEvent["requestHash"] | null;
} & Omit<NotifiedEvent, "requestHash">;

function queuedOf({ requestHash, queuedAt, ...row }: Row): Queued {
  const { id, type, attempts, position, mergedInto, deadline, ...event } = row;
  return {
    ...{ id, type, attempts, position, mergedInto, deadline, createdAt: queuedAt },
    event: requestHash === null ? null : { ...event, requestHash },
  };
}

export type SendingStore = ReturnType<typeof makeSendingStore>;

export function makeSendingStore(db: Db, { leaseSeconds }: { readonly leaseSeconds: number }) {
  const leaseEnd = sql`now() + make_interval(secs => ${leaseSeconds})`;

  /** Writes the result of an attempt. A message that failed too often is given up. */
  const recordAttempt = async (
    tx: Db,
    { ids, status, error, durationMs }: Attempt,
    next: "delivered" | "retry",
  ): Promise<void> => {
    const state =
      next === "delivered"
        ? sql`'delivered'`
        : sql`case when attempts + 1 >= ${attemptsAtMost} then 'failed' else 'pending' end`;
    await sql`
      update notifications set status = ${state}, attempts = attempts + 1, attempted_at = now(),
        answer_status = ${status}, error = ${error}, duration_ms = ${durationMs}
      where id = any(${[...ids]}::uuid[]) and status = 'pending'`.execute(tx);
  };

  return {
    /** Claims a channel with messages to send now. Undefined if it has none, or if another step sends them. */
    async claim({ channelId, holder }: Lease): Promise<Claimed | undefined> {
      const { rows } = await sql<Claimed>`
        update notification_channels set lease_by = ${holder}, lease_until = ${leaseEnd}
        where id = ${channelId} and active and due_at <= now() and (lease_until is null or lease_until <= now())
        returning id, kind, target, failures, failing_since as "failingSince", quiet_from as "quietFrom",
          quiet_until as "quietUntil", time_zone as "timeZone", digest`.execute(db);
      return rows[0];
    },

    /** Returns the first messages of the queue. */
    async listWaiting(channelId: string, limit: number): Promise<readonly Queued[]> {
      const { rows } = await sql<Row>`
        select n.id, n.type, n.attempts, n.position::text, n.merged_into as "mergedInto", t.deadline,
          n.created_at as "queuedAt", e.account,
          ${asHex("e.request_hash")} as "requestHash", e.version, e.event, e.status, e.phase, e.reason,
          e.needs_owner as "needsOwner", e.created_at as "createdAt", t.proposer as agent
        from notifications n
          left join account_events e on e.id = n.event_id
          left join transactions t on t.id = e.transaction_id
        where n.channel_id = ${channelId} and n.status = 'pending'
        order by n.position limit ${limit}`.execute(db);
      return rows.map(queuedOf);
    },

    /** Remembers which messages are sent as one, so that a retry sends the same ones under the same id. */
    async merge(ids: readonly string[], into: string): Promise<void> {
      await sql`
        update notifications set merged_into = ${into}
        where id = any(${[...ids]}::uuid[]) and status = 'pending'`.execute(db);
    },

    /** Releases the channel until its messages are due. Returns whether others were queued after the last one seen. */
    hold: (
      { channelId, holder }: Lease,
      { until, after }: { readonly until: Date; readonly after: string },
    ): Promise<boolean> =>
      db.transaction().execute(async (tx) => {
        // Locked first: a message that is queued meanwhile is then seen by the next statement.
        await sql`select 1 from notification_channels where id = ${channelId} for update`.execute(tx);
        const { rows } = await sql<{ isMore: boolean }>`
          update notification_channels c set
            due_at = case when w.is_more then now() else ${until} end,
            lease_by = case when c.lease_by = ${holder} then null else c.lease_by end,
            lease_until = case when c.lease_by = ${holder} then null else c.lease_until end
          from (select exists (select 1 from notifications where channel_id = ${channelId}
                               and status = 'pending' and position > ${after}::bigint) as is_more) w
          where c.id = ${channelId}
          returning w.is_more as "isMore"`.execute(tx);
        return rows[0]?.isMore ?? false;
      }),

    /** Records a success and extends the lease. Returns whether this step may send the next message. */
    recordDelivered: ({ channelId, holder }: Lease, attempt: Attempt): Promise<boolean> =>
      db.transaction().execute(async (tx) => {
        await recordAttempt(tx, attempt, "delivered");
        const { rows } = await sql<{ mayGoOn: boolean }>`
          update notification_channels set failures = 0, failing_since = null, last_delivered_at = now(),
            last_error = null, lease_until = case when lease_by = ${holder} then ${leaseEnd} else lease_until end
          where id = ${channelId}
          returning coalesce(lease_by = ${holder} and active, false) as "mayGoOn"`.execute(tx);
        return rows[0]?.mayGoOn ?? false;
      }),

    /** Records a failure, plans the next attempt and releases the channel. With a reason, switches it off. */
    recordFailed: (
      { channelId, holder }: Lease,
      attempt: Attempt,
      plan: { readonly pauseMs: number; readonly disabledReason: string | undefined },
    ): Promise<void> =>
      db.transaction().execute(async (tx) => {
        await recordAttempt(tx, attempt, "retry");
        const off = plan.disabledReason !== undefined;
        await sql`
          update notification_channels set failures = failures + 1, failing_since = coalesce(failing_since, now()),
            last_failed_at = now(), last_error = ${attempt.error}, active = active and not ${off},
            disabled_reason = coalesce(${plan.disabledReason ?? null}, disabled_reason),
            due_at = now() + make_interval(secs => ${plan.pauseMs / 1000}),
            lease_by = case when lease_by = ${holder} then null else lease_by end,
            lease_until = case when lease_by = ${holder} then null else lease_until end
          where id = ${channelId}`.execute(tx);
        if (off)
          await sql`
            update notifications set status = 'failed', error = coalesce(error, ${plan.disabledReason})
            where channel_id = ${channelId} and status = 'pending'`.execute(tx);
      }),

    /** Releases the channel. Returns whether messages are left. */
    release: ({ channelId, holder }: Lease): Promise<boolean> =>
      db.transaction().execute(async (tx) => {
        // Locked first: a message that is queued meanwhile is then seen by the next statement.
        await sql`select 1 from notification_channels where id = ${channelId} for update`.execute(tx);
        const { rows } = await sql<{ isLeft: boolean }>`
          update notification_channels c set
            due_at = case when w.is_waiting then c.due_at end,
            lease_by = case when c.lease_by = ${holder} then null else c.lease_by end,
            lease_until = case when c.lease_by = ${holder} then null else c.lease_until end
          from (select exists (select 1 from notifications
                               where channel_id = ${channelId} and status = 'pending') as is_waiting) w
          where c.id = ${channelId}
          returning w.is_waiting as "isLeft"`.execute(tx);
        return rows[0]?.isLeft ?? false;
      }),
  };
}
