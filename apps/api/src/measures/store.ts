// The numbers of the operator's metrics that only the database knows. Each statement reads an index, or a table that grows
// with the owners and not with their transactions.
import { sql } from "kysely";
import type { Db } from "../platform/db/connect.ts";

type RecentVerdicts = {
  /** Verdicts by decision. */
  readonly counts: ReadonlyMap<string, number>;
  /** 95th percentile of the time from proposal to verdict. Undefined without a verdict. */
  readonly p95Seconds: number | undefined;
};

type ChannelCount = {
  readonly kind: string;
  readonly state: "working" | "failing";
  readonly count: number;
};

/** The smallest UUIDv7 of that time. Rows are ordered by their ids. */
const firstIdAt = (time: Date): string => {
  const hex = time.getTime().toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
};

export type MeasureStore = ReturnType<typeof makeMeasureStore>;

export function makeMeasureStore(db: Db) {
  return {
    /** Age in seconds of the oldest work that no engine has taken. 0 if none waits. */
    async readQueueAge(): Promise<number> {
      const { rows } = await sql<{ seconds: number }>`
        select coalesce(extract(epoch from now() - min(accepted_at)), 0)::float as seconds
        from flows where status = 'accepted' and wait_until is null`.execute(db);
      return rows[0]?.seconds ?? 0;
    },

    async readVerdictsSince(since: Date): Promise<RecentVerdicts> {
      const { rows } = await sql<{ decision: string | null; count: number; p95: number | null }>`
        select a.decision, count(*)::integer as count,
               percentile_cont(0.95) within group
                 (order by extract(epoch from a.created_at - t.created_at))::float as p95
        from approvals a join transactions t on t.id = a.transaction_id
        where a.kind = 'orion' and a.id >= ${firstIdAt(since)}::uuid
        group by grouping sets ((a.decision), ())`.execute(db);
      return {
        counts: new Map(
          rows.flatMap(({ decision, count }) => (decision === null ? [] : [[decision, count] as const])),
        ),
        p95Seconds: rows.find(({ decision }) => decision === null)?.p95 ?? undefined,
      };
    },

    /** Proposals by the reason why their owner was asked; `none` if there was none. */
    async readProposalsSince(since: Date): Promise<ReadonlyMap<string, number>> {
      const { rows } = await sql<{ asks: string; count: number }>`
        select coalesce(needs_owner->>'code', 'none') as asks, count(*)::integer as count
        from transactions where id >= ${firstIdAt(since)}::uuid group by 1`.execute(db);
      return new Map(rows.map(({ asks, count }) => [asks, count]));
    },

    /** Seconds for which the longest waiting channel has had messages to send and no run. 0 if none waits. */
    async readNotificationAge(): Promise<number> {
      const { rows } = await sql<{ seconds: number }>`
        select coalesce(extract(epoch from now() - min(due_at)), 0)::float as seconds
        from notification_channels
        where due_at <= now() and active and (lease_until is null or lease_until <= now())`.execute(db);
      return rows[0]?.seconds ?? 0;
    },

    /** Active channels by their kind and whether their last attempts failed. */
    async readChannels(): Promise<readonly ChannelCount[]> {
      const { rows } = await sql<ChannelCount>`
        select kind, case when failing_since is null then 'working' else 'failing' end as state,
               count(*)::integer as count
        from notification_channels where active and confirmed_at is not null group by 1, 2`.execute(db);
      return rows;
    },

    /** For each chain, the seconds since all its blocks up to then were read. */
    async readWatcherLag(): Promise<ReadonlyMap<string, number>> {
      const { rows } = await sql<{ chain: string; seconds: number }>`
        select chain_id::text as chain, extract(epoch from now() - caught_up_at)::float as seconds
        from chain_cursors where caught_up_at is not null`.execute(db);
      return new Map(rows.map(({ chain, seconds }) => [chain, seconds]));
    },
  };
}
