// The public columns of an agent. Columns that are not named here are not read for public answers.
import { sql } from "kysely";
import type { Account } from "../../accounts/index.ts";
import type { Db } from "../../platform/db/connect.ts";
import { asHex, bytesOf, type Hex } from "../../platform/db/hex.ts";
import type { Phase } from "../../transactions/index.ts";
import type { Unit } from "../period.ts";

/** A transaction as the public sees it. */
export type PublicTransaction = {
  readonly requestHash: Hex;
  readonly phase: Phase;
  readonly chainId: number;
  readonly protocol: string | null;
  readonly decision: "APPROVED" | "REJECTED" | "UNDECIDED" | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly executionHash: Hex | null;
};
type Row = Omit<PublicTransaction, "chainId"> & { readonly chainId: string };

const columns = sql`${asHex("t.request_hash")} as "requestHash", t.phase, t.chain_id as "chainId", t.protocol,
  t.orion as decision, t.created_at as "createdAt", t.updated_at as "updatedAt",
  ${asHex("t.execution_hash")} as "executionHash"`;

const transactionOf = (row: Row): PublicTransaction => ({ ...row, chainId: Number(row.chainId) });

const countNames = ["total", "approved", "rejected", "undecided", "executed", "failed"] as const;
export type CountName = (typeof countNames)[number];
export type Named = { readonly name: string; readonly count: number };

/** A median over a whole old account would read too many rows. */
const verdictsLookedAt = 1_000;

/** Condition for the account's transaction with that hash. */
const isNamed = (account: Account, requestHash: Hex) =>
  sql`(select transaction_id from request_index where request_hash = ${bytesOf(requestHash)} and account = ${account})`;

export type AgentStore = ReturnType<typeof makeAgentStore>;

export function makeAgentStore(db: Db) {
  return {
    /** Newest first. With `before`, only older ones. */
    async list(
      account: Account,
      { limit, after }: { readonly limit: number; readonly after: Hex | undefined },
    ): Promise<readonly PublicTransaction[]> {
      const { rows } = await sql<Row>`
        select ${columns} from transactions t where t.account = ${account}
          ${after === undefined ? sql`` : sql`and t.id < ${isNamed(account, after)}`}
        order by t.id desc limit ${limit}`.execute(db);
      return rows.map(transactionOf);
    },

    /** Undefined also for another account's transaction. */
    async find(account: Account, requestHash: Hex): Promise<PublicTransaction | undefined> {
      const { rows } = await sql<Row>`
        select ${columns} from transactions t
        where t.id = ${isNamed(account, requestHash)} and t.account = ${account}`.execute(db);
      return rows[0] === undefined ? undefined : transactionOf(rows[0]);
    },

    async readTotals(account: Account): Promise<ReadonlyMap<string, number>> {
      const { rows } = await sql<{ metric: string; count: string }>`
        select metric, sum(count) as count from agent_counts
        where account = ${account} and metric = any(${countNames}) group by metric`.execute(db);
      return new Map(rows.map(({ metric, count }) => [metric, Number(count)]));
    },

    /** From proposal to verdict, over the newest verdicts. Null without verdicts. */
    async readMedianVerdictMs(account: Account): Promise<number | null> {
      const { rows } = await sql<{ median: number | null }>`
        select percentile_cont(0.5) within group (order by ms) as median from (
          select extract(epoch from t.verdict_at - t.created_at)::double precision * 1000 as ms from transactions t
          where t.account = ${account} and t.verdict_at is not null
          order by t.id desc limit ${verdictsLookedAt}) newest`.execute(db);
      const median = rows[0]?.median ?? null;
      return median === null ? null : Math.round(median);
    },

    async readBuckets(
      account: Account,
      { from, unit }: { readonly from: Date; readonly unit: Unit },
    ): Promise<readonly { readonly start: Date; readonly metric: string; readonly count: number }[]> {
      const { rows } = await sql<{ start: Date; metric: string; count: string }>`
        select greatest(date_trunc(${unit}, hour, 'UTC'), ${from}::timestamptz) as start, metric, sum(count) as count from agent_counts
        where account = ${account} and hour >= ${from} and metric = any(${countNames})
        group by 1, 2`.execute(db);
      return rows.map((row) => ({ ...row, count: Number(row.count) }));
    },

    /** Most frequent first. */
    async readTop(
      account: Account,
      metric: "protocol" | "failure",
      { from, limit }: { readonly from: Date; readonly limit: number },
    ): Promise<readonly Named[]> {
      const { rows } = await sql<{ name: string; count: string }>`
        select name, sum(count) as count from agent_counts
        where account = ${account} and hour >= ${from} and metric = ${metric}
        group by name order by 2 desc, name limit ${limit}`.execute(db);
      return rows.map(({ name, count }) => ({ name, count: Number(count) }));
    },
  };
}
