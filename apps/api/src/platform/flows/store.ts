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
/** Work that was accepted. Without a traceparent it is in the trace of who starts it. */
export type FlowStart = FlowId & Pick<FlowAttempt, "traceparent">;
export type ParkedFlow = FlowId & { readonly reason: string; readonly finishedAt: Date };
export type Wake = FlowAttempt & { readonly wake: number };
/** A row of a group flow, and the run that has taken it. Null: versions that know no groups started it. */
type TakenWork = FlowId & { readonly run: string | null };
/** Works that one run has taken. */
export type GroupKeys = { readonly flow: string; readonly run: string; readonly keys: readonly string[] };

/** How long the sweeper leaves a row alone after trying to move it. */
const patience = sql`interval '5 seconds'`;
/** A row this young is probably being started by the request that wrote it. */
const youth = sql`interval '2 seconds'`;
/** A run of a group takes seconds. A row that one has for longer may be of a run that is lost. */
const runPatience = sql`interval '1 minute'`;
const unfinished = sql`status in ('accepted', 'started', 'waiting')`;

/** The rows of a flow with these keys, locked in one order, so that no two statements wait for each other. */
const rowsOf = (flow: string, keys: RawBuilder<unknown>, condition: RawBuilder<unknown> = unfinished) => sql`
  select flow, key from flows where flow = ${flow} and key in (${keys}) and ${condition} order by key for update`;

/** Sets the columns of a row that the next attempt takes over, or parks it after the last one. */
const nextAttempt = (attemptsAtMost: number, reason: string): RawBuilder<unknown> => sql`
  status = case when attempt < ${attemptsAtMost} then 'accepted' else 'parked' end,
  reason = case when attempt < ${attemptsAtMost} then null else ${reason} end,
  finished_at = case when attempt < ${attemptsAtMost} then null else now() end,
  attempt = case when attempt < ${attemptsAtMost} then attempt + 1 else attempt end,
  due_at = now() + allowance, sweep_at = now() + ${patience}, run = null`;

type NewFlow = FlowId & { readonly account: string; readonly allowanceSeconds: number };

/** The SQL that accepts work in the current trace, for a store that writes its own row in the same statement. */
export const acceptance = ({ flow, key, account, allowanceSeconds }: NewFlow): RawBuilder<unknown> => sql`
  insert into flows (flow, key, account, allowance, due_at, sweep_at, traceparent)
  values (${flow}, ${key}, ${account}, make_interval(secs => ${allowanceSeconds}),
          now() + make_interval(secs => ${allowanceSeconds}), now() + ${youth}, ${currentTraceparent() ?? null})
  on conflict (flow, key) do nothing`;

/** The SQL that asks for a wake-up of the flows with these keys, for a store that changes their rows in the same statement. */
export const wakingOf = (flow: string, keys: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  update flows set wakes_asked = wakes_asked + 1, sweep_at = now() + ${youth}
  where (flow, key) in (${rowsOf(flow, keys)})
  returning key, attempt, wakes_asked as wake`;

/** The SQL that finishes the unfinished rows of a flow with these keys for which the condition holds. */
export const finishingOf = (
  flow: string,
  keys: RawBuilder<unknown>,
  condition: RawBuilder<unknown> = sql`true`,
): RawBuilder<unknown> => sql`
  update flows set status = 'finished', finished_at = now()
  where (flow, key) in (${rowsOf(flow, keys, sql`${unfinished} and ${condition}`)})`;

const keysIn = (keys: readonly string[]) => sql`select unnest(${[...keys]}::text[])`;

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

    /**
     * Takes those works that may run now, for one run of a group, and returns their keys. Not those that are done, or that another
     * run or attempt has taken. Called again by the same run, it returns the same.
     */
    async beginGroup(
      flow: string,
      run: string,
      works: readonly Pick<FlowAttempt, "key" | "attempt">[],
    ): Promise<readonly string[]> {
      const { rows } = await sql<{ key: string }>`
        update flows f set status = 'started', run = ${run}, sweep_at = now() + ${runPatience}
        from unnest(${works.map(({ key }) => key)}::text[], ${works.map(({ attempt }) => attempt)}::int[]) as w(key, attempt)
        where (f.flow, f.key) in (${rowsOf(flow, keysIn(works.map(({ key }) => key)))})
          and f.key = w.key and f.attempt = w.attempt
          and (f.status in ('accepted', 'waiting') or f.run = ${run})
        returning f.key`.execute(db);
      return rows.map(({ key }) => key);
    },

    /**
     * Lets some of a run's works wait: they are taken up again after `seconds`. `limitSeconds` counts from the first time.
     * Finished ones stay so.
     */
    async waitGroup(
      { flow, run, keys }: GroupKeys,
      { seconds, limitSeconds }: { readonly seconds: number; readonly limitSeconds?: number },
    ): Promise<void> {
      const limit =
        limitSeconds === undefined
          ? sql`wait_until`
          : sql`coalesce(wait_until, now() + make_interval(secs => ${limitSeconds}))`;
      await sql`
        update flows set status = 'waiting', run = null, wait_until = ${limit},
          sweep_at = least(now() + make_interval(secs => ${seconds}), ${limit})
        where (flow, key) in (${rowsOf(flow, keysIn(keys), sql`status = 'started' and run = ${run}`)})`.execute(
        db,
      );
    },

    async finishGroup({ flow, run, keys }: GroupKeys): Promise<void> {
      await finishingOf(flow, keysIn(keys), sql`run = ${run}`).execute(db);
    },

    async parkGroup({ flow, run, keys }: GroupKeys, reason: string): Promise<void> {
      await sql`
        update flows set status = 'parked', finished_at = now(), reason = ${reason}
        where (flow, key) in (${rowsOf(flow, keysIn(keys), sql`${unfinished} and run = ${run}`)})`.execute(
        db,
      );
    },

    /** Which of these have waited longer than their limit. */
    async listPastLimit(flow: string, keys: readonly string[]): Promise<readonly string[]> {
      const { rows } = await sql<{ key: string }>`
        select key from flows where flow = ${flow} and key = any(${[...keys]}::text[]) and wait_until <= now()`.execute(
        db,
      );
      return rows.map(({ key }) => key);
    },

    /** Call inside the transaction that changes the row. Returns undefined if no flow is waiting. */
    async askWake(tx: Db, { flow, key }: FlowId): Promise<Wake | undefined> {
      const waking = wakingOf(flow, sql`${key}`) as RawBuilder<Omit<Wake, "flow">>;
      const [row] = (await waking.execute(tx)).rows;
      return row === undefined ? undefined : { flow, ...row };
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

    /** Claims accepted work whose engine was never notified, or possibly not, and work that has waited long enough. */
    async claimUnstarted(limit: number): Promise<readonly FlowAttempt[]> {
      const { rows } = await sql<FlowAttempt>`
        update flows set status = 'accepted', sweep_at = now() + ${patience}
        where (flow, key) in (
          select flow, key from flows where status in ('accepted', 'waiting') and sweep_at <= now()
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
        update flows set ${nextAttempt(attemptsAtMost, "not finished in time, too often")}
        where (flow, key) in (
          select flow, key from flows where status = 'started' and due_at <= now()
          order by due_at limit ${limit} for update skip locked)
        returning flow, key, attempt, traceparent, status`.execute(db);
      return rows.filter(({ status }) => status === "accepted");
    },

    /** Claims rows of these group flows that a run has taken and not put down again for a while. */
    async claimUnseen(groups: readonly string[], limit: number): Promise<readonly TakenWork[]> {
      const { rows } = await sql<TakenWork>`
        update flows set sweep_at = now() + ${runPatience}
        where (flow, key) in (
          select flow, key from flows
          where flow = any(${[...groups]}::text[]) and status = 'started' and sweep_at <= now()
          order by sweep_at limit ${limit} for update skip locked)
        returning flow, key, run`.execute(db);
      return rows;
    },

    /** The next attempt takes over those rows that their run still has. */
    async takeBack(works: readonly TakenWork[], attemptsAtMost: number): Promise<readonly FlowAttempt[]> {
      const { rows } = await sql<FlowAttempt & { status: string }>`
        update flows f set ${nextAttempt(attemptsAtMost, "its run was lost, too often")}
        from unnest(${works.map(({ flow }) => flow)}::text[], ${works.map(({ key }) => key)}::text[],
                    ${works.map(({ run }) => run)}::text[]) as w(flow, key, taken)
        where f.flow = w.flow and f.key = w.key and f.status = 'started' and f.run is not distinct from w.taken
        returning f.flow, f.key, f.attempt, f.traceparent, f.status`.execute(db);
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

    async countByStatus(status: "accepted" | "started" | "waiting" | "parked"): Promise<number> {
      const { rows } = await sql<{ count: number }>`
        select count(*)::integer as count from flows where status = ${status}`.execute(db);
      return rows[0]?.count ?? 0;
    },
  };
}
