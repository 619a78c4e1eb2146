import { currentTraceparent } from "@countersign/platform/trace";
import { sql, type RawBuilder } from "kysely";
import { gather } from "../ask-together.ts";
import type { Db } from "../db/connect.ts";

/** One piece of durable work: the flow, and the key of the row it is for. */
export type FlowId = { readonly flow: string; readonly key: string };
export type FlowAttempt = FlowId & {
  readonly attempt: number;
  /** Of the request that accepted it. */
  readonly traceparent?: string | null;
};
export type ParkedFlow = FlowId & { readonly reason: string; readonly finishedAt: Date };
export type Wake = FlowAttempt & { readonly wake: number };

/** How long the sweeper leaves a row alone after trying to move it. */
const patience = sql`interval '5 seconds'`;
/** A row this young is probably being started by the request that wrote it. */
const youth = sql`interval '2 seconds'`;
const unfinished = sql`status in ('accepted', 'started')`;

type NewFlow = FlowId & { readonly account: string; readonly allowanceSeconds: number };

/** The SQL that accepts work in the current trace, for a store that writes its own row in the same statement. */
export const acceptance = ({ flow, key, account, allowanceSeconds }: NewFlow): RawBuilder<unknown> => sql`
  insert into flows (flow, key, account, allowance, due_at, sweep_at, traceparent)
  values (${flow}, ${key}, ${account}, make_interval(secs => ${allowanceSeconds}),
          now() + make_interval(secs => ${allowanceSeconds}), now() + ${youth}, ${currentTraceparent() ?? null})
  on conflict (flow, key) do nothing`;

/** The SQL condition that work of this key is not finished, for a store that starts the next one after it. */
export const hasUnfinished = (flow: string, key: RawBuilder<unknown>): RawBuilder<boolean> => sql<boolean>`
  exists (select 1 from flows where flow = ${flow} and key = ${key} and ${unfinished})`;

export type FlowStore = ReturnType<typeof makeFlowStore>;

// Uses the database's time throughout, because the clocks of processes differ and one may be wrong.
export function makeFlowStore(db: Db) {
  return {
    /** Call inside the transaction that writes the row. Accepting the same work again changes nothing. */
    async accept(tx: Db, work: NewFlow): Promise<void> {
      await acceptance(work).execute(tx);
    },

    /** Records that the engine has it. */
    markStarted: gather(async (works: readonly FlowAttempt[]): Promise<void> => {
      await sql`
        update flows f set status = 'started'
        from unnest(${works.map(({ flow }) => flow)}::text[], ${works.map(({ key }) => key)}::text[],
                    ${works.map(({ attempt }) => attempt)}::int[]) as w(flow, key, attempt)
        where f.flow = w.flow and f.key = w.key and f.attempt = w.attempt and f.status = 'accepted'`.execute(
        db,
      );
    }),

    /**
     * Whether this attempt may run. Not if the work is done or another attempt has taken over, whatever the
     * engine believes.
     */
    async begin({ flow, key, attempt }: FlowAttempt): Promise<boolean> {
      const { rows } = await sql`
        update flows set status = 'started'
        where flow = ${flow} and key = ${key} and attempt = ${attempt} and ${unfinished}
        returning 1`.execute(db);
      return rows.length === 1;
    },

    async finish({ flow, key, attempt }: FlowAttempt): Promise<void> {
      await sql`
        update flows set status = 'finished', finished_at = now()
        where flow = ${flow} and key = ${key} and attempt = ${attempt} and ${unfinished}`.execute(db);
    },

    /**
     * Parks the work: nothing more happens automatically, and the operator has to look. The number of parked
     * rows is a metric.
     */
    async park({ flow, key, attempt, reason }: FlowAttempt & { readonly reason: string }): Promise<void> {
      await sql`
        update flows set status = 'parked', finished_at = now(), reason = ${reason}
        where flow = ${flow} and key = ${key} and attempt = ${attempt} and ${unfinished}`.execute(db);
    },

    /** Call inside the transaction that changes the row. Returns undefined if no flow is waiting. */
    async askWake(tx: Db, { flow, key }: FlowId): Promise<Wake | undefined> {
      const { rows } = await sql<{ attempt: number; wake: number }>`
        update flows set wakes_asked = wakes_asked + 1, sweep_at = now() + ${youth}
        where flow = ${flow} and key = ${key} and ${unfinished}
        returning attempt, wakes_asked as wake`.execute(tx);
      const [row] = rows;
      return row === undefined ? undefined : { flow, key, ...row };
    },

    async markWoken({ flow, key, wake }: Wake): Promise<void> {
      await sql`
        update flows set wakes_sent = greatest(wakes_sent, ${wake})
        where flow = ${flow} and key = ${key}`.execute(db);
    },

    /** The number of requested wake-ups so far. Undefined if this attempt has been superseded. */
    async readWakes({ flow, key, attempt }: FlowAttempt): Promise<number | undefined> {
      const { rows } = await sql<{ wakes: number }>`
        select wakes_asked as wakes from flows
        where flow = ${flow} and key = ${key} and attempt = ${attempt} and ${unfinished}`.execute(db);
      return rows[0]?.wakes;
    },

    /** Claims accepted work whose engine was never notified, or possibly not. */
    async claimUnstarted(limit: number): Promise<readonly FlowAttempt[]> {
      const { rows } = await sql<FlowAttempt>`
        update flows set sweep_at = now() + ${patience}
        where (flow, key) in (
          select flow, key from flows where status = 'accepted' and sweep_at <= now()
          order by sweep_at limit ${limit} for update skip locked)
        returning flow, key, attempt, traceparent`.execute(db);
      return rows;
    },

    /**
     * Claims work that started and is overdue: the engine lost it, or it was killed there. The next attempt
     * takes over.
     */
    async claimOverdue(limit: number, attemptsAtMost: number): Promise<readonly FlowAttempt[]> {
      const { rows } = await sql<FlowAttempt & { status: string }>`
        update flows set
          status = case when attempt < ${attemptsAtMost} then 'accepted' else 'parked' end,
          reason = case when attempt < ${attemptsAtMost} then null else 'not finished in time, too often' end,
          finished_at = case when attempt < ${attemptsAtMost} then null else now() end,
          attempt = case when attempt < ${attemptsAtMost} then attempt + 1 else attempt end,
          due_at = now() + allowance, sweep_at = now() + ${patience}
        where (flow, key) in (
          select flow, key from flows where status = 'started' and due_at <= now()
          order by due_at limit ${limit} for update skip locked)
        returning flow, key, attempt, traceparent, status`.execute(db);
      return rows.filter(({ status }) => status === "accepted");
    },

    /** The trace that the work was accepted in, if it was in one. */
    async readTraceparent({ flow, key }: FlowId): Promise<string | undefined> {
      const { rows } = await sql<{ traceparent: string | null }>`
        select traceparent from flows where flow = ${flow} and key = ${key}`.execute(db);
      return rows[0]?.traceparent ?? undefined;
    },

    /** Claims work with a requested wake-up that the engine may not have received. */
    async claimUnwoken(limit: number): Promise<readonly Wake[]> {
      const { rows } = await sql<Wake>`
        update flows set sweep_at = now() + ${patience}
        where (flow, key) in (
          select flow, key from flows where status = 'started' and wakes_sent < wakes_asked and sweep_at <= now()
          order by sweep_at limit ${limit} for update skip locked)
        returning flow, key, attempt, wakes_asked as wake`.execute(db);
      return rows;
    },

    /** After the engine lost its state: the next sweep retries everything that the engine should be working on. */
    async makeAllDue(): Promise<number> {
      const { rows } = await sql`
        update flows set due_at = now() where status = 'started' returning 1`.execute(db);
      return rows.length;
    },

    async listParked(limit: number): Promise<readonly ParkedFlow[]> {
      const { rows } = await sql<ParkedFlow>`
        select flow, key, coalesce(reason, '') as reason, finished_at as "finishedAt" from flows
        where status = 'parked' order by finished_at desc limit ${limit}`.execute(db);
      return rows;
    },

    /** Deletes some rows of a flow that finished more than a day ago, for keys that are used once. Returns how many. */
    async clearFinished(flow: string, limit: number): Promise<number> {
      const { rows } = await sql`
        delete from flows where (flow, key) in (
          select flow, key from flows
          where flow = ${flow} and status = 'finished' and finished_at < now() - interval '1 day'
          limit ${limit} for update skip locked)
        returning 1`.execute(db);
      return rows.length;
    },

    async countByStatus(status: "accepted" | "started" | "parked"): Promise<number> {
      const { rows } = await sql<{ count: number }>`
        select count(*)::integer as count from flows where status = ${status}`.execute(db);
      return rows[0]?.count ?? 0;
    },
  };
}
