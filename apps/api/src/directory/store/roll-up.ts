// Counts events into agent_counts. Each event is counted once, because counts and position are written in one commit.
import { sql } from "kysely";
import type { Db } from "../../platform/db/connect.ts";

type Cursor = { readonly xid: string; readonly id: string };

export type RollUpStore = ReturnType<typeof makeRollUpStore>;

export function makeRollUpStore(db: Db) {
  return {
    /** Counts the next few events. Returns how many; 0 also while another process counts. */
    countNext(limit: number): Promise<number> {
      return db.transaction().execute(async (tx) => {
        const { rows } = await sql<Cursor>`
          select xid::text, id from agent_counts_cursor for update skip locked`.execute(tx);
        return rows[0] === undefined ? 0 : countAfter(tx, rows[0], limit);
      });
    },
  };
}

const verdicts = sql`('verdictApproved', 'verdictRejected', 'verdictUndecided')`;

/**
 * Reads only events older than every open transaction, ordered as in the events slice, so that late commits
 * are not skipped. Proposals and verdicts are recognised by the event, the rest by a changed status, because
 * several lifecycle events may be one change. An execution that is seen after expiry reverts the failure in
 * the hour in which it was counted.
 */
async function countAfter(tx: Db, { xid, id }: Cursor, limit: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with batch as (
      select e.xid, e.id, e.account, e.transaction_id, e.version, e.event, e.status, e.created_at
      from account_events e
      where (e.xid, e.id) > (${xid}::xid8, ${id}::bigint) and e.xid < pg_snapshot_xmin(pg_current_snapshot())
      order by e.xid, e.id limit ${limit}),
    seen as (
      select b.*, before.status as before, t.protocol, t.failure_node,
        b.status = 'EXECUTED' and before.status is distinct from 'EXECUTED' as executed
      from batch b
      left join account_events before on before.transaction_id = b.transaction_id and before.version = b.version - 1
      left join transactions t on t.id = b.transaction_id),
    counts (account, at, metric, name, n) as (
      select account, created_at, 'total', '', 1 from seen where event = 'propose'
      union all
      select account, created_at, lower(substr(event, 8)), '', 1 from seen where event in ${verdicts}
      union all
      select account, created_at, 'protocol', protocol, 1 from seen where event in ${verdicts} and protocol is not null
      union all
      select account, created_at, 'failure', failure_node, 1 from seen
        where event in ${verdicts} and failure_node is not null
      union all
      select account, created_at, 'executed', '', 1 from seen where executed
      union all
      select account, created_at, 'failed', '', 1 from seen
        where status = 'FAILED' and before is distinct from 'FAILED'
      union all
      select account, (select min(f.created_at) from account_events f
          where f.transaction_id = seen.transaction_id and f.version < seen.version and f.status = 'FAILED'),
        'failed', '', -1 from seen
        where executed and before = 'FAILED'),
    counted as (
      insert into agent_counts as c (account, hour, metric, name, count)
      select account, date_trunc('hour', at, 'UTC'), metric, name, sum(n) from counts group by 1, 2, 3, 4
      on conflict (account, hour, metric, name) do update set count = c.count + excluded.count),
    moved as (
      update agent_counts_cursor set (xid, id) = (select xid, id from batch order by xid desc, id desc limit 1)
      where exists (select from batch))
    select count(*)::int as count from batch`.execute(tx);
  return rows[0]?.count ?? 0;
}
