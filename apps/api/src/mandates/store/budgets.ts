// Reserves, settles and releases budgets. Every function runs under the lock of the account's ledger, and reads in a
// statement of its own after it: sums that are read in the statement that writes them overspend.
import { sql, type RawBuilder } from "kysely";
import type { Account } from "../../accounts/index.ts";
import type { Db } from "../../platform/db/connect.ts";
import { readPrices, type Price } from "../../prices/index.ts";
import { totalsOf, type Move } from "../moves.ts";
import { sharesOf, type Bound, type Share } from "../room.ts";
import type { Terms } from "../terms.ts";

type Row = Omit<Bound, "most" | "used"> & {
  readonly id: string;
  readonly most: string;
  readonly used: string;
  readonly counterStart: Date;
};
type Limit = Bound & Pick<Row, "id" | "counterStart">;

/** The start of the window of a limit `l` at a time, for a mandate that is valid from `validFrom`. */
export const windowStartAt = (at: RawBuilder<unknown>, validFrom: RawBuilder<unknown>) => sql`case
    when l.span = 'period' then ${validFrom}
      + floor(extract(epoch from ${at} - ${validFrom}) / l.period_seconds)
      * make_interval(secs => l.period_seconds)
    when l.span = 'rolling' then ${at} - make_interval(secs => l.period_seconds)
    when l.time_zone is not null then date_trunc(l.span, ${at}, l.time_zone)
    else ${validFrom} end`;

/** The start of the current window of a limit, by the database's clock. */
export const windowStart = windowStartAt(sql`clock_timestamp()`, sql`m.valid_from`);

/**
 * Joins what is reserved and spent in the current window of the limits `l`. In a rolling interval a reservation counts
 * however old it is, because it may be executed at any time.
 */
export const joinUsed = sql`left join lateral (
    select reserved, spent from budget_counters
    where limit_id = l.id and window_start = l.window_start and l.span <> 'rolling'
    union all
    select sum(amount) filter (where state = 'held'), sum(amount) filter (where state = 'made') from budget_uses
    where limit_id = l.id and (state = 'held' or state = 'made' and changed_at > l.window_start)
    having l.span = 'rolling') c on true`;

async function readLimits(tx: Db, mandateId: string): Promise<readonly Limit[]> {
  const { rows } = await sql<Row>`
    with l as (
      select l.*, ${windowStart} as window_start from mandates m join mandate_limits l on l.mandate_id = m.id
      where m.id = ${mandateId})
    select l.id, l.position, l.measure, l.span, l.most,
      case l.span when 'rolling' then clock_timestamp() else l.window_start end as "counterStart",
      coalesce(c.reserved, 0) + coalesce(c.spent, 0) as used
    from l ${joinUsed} order by l.position`.execute(tx);
  return rows.map((row) => ({ ...row, most: BigInt(row.most), used: BigInt(row.used) }));
}

type Reservation = {
  readonly account: Account;
  readonly transactionId: string;
  readonly mandate: { readonly id: string; readonly terms: Terms };
  readonly moves: readonly Move[];
};

const pricesFor = async (
  tx: Db,
  { limits }: Pick<Terms, "limits">,
  moves: readonly Move[],
): Promise<ReadonlyMap<string, Price>> =>
  limits.some(({ measure }) => measure === "usd") ? readPrices(tx, [...totalsOf(moves).keys()]) : new Map();

/** Reserves all shares in one statement, which is one way to the database for any number of limits. */
async function hold(
  tx: Db,
  { account, transactionId }: Pick<Reservation, "account" | "transactionId">,
  shares: readonly Share<Bound & Pick<Row, "id" | "counterStart">>[],
): Promise<void> {
  const column = (of: (share: (typeof shares)[number]) => string | Date) => shares.map(of);
  await sql`
    with share as (
      select * from unnest(
        ${column(({ bound }) => bound.id)}::bigint[], ${column(({ bound }) => bound.counterStart)}::timestamptz[],
        ${column(({ bound }) => bound.most.toString())}::numeric[], ${column(({ amount }) => amount.toString())}::numeric[]
      ) as s (limit_id, window_start, most, amount)),
    counted as (
      insert into budget_counters as c (limit_id, window_start, account, most, reserved)
      select limit_id, window_start, ${account}, most, amount from share
      on conflict (limit_id, window_start) do update set reserved = c.reserved + excluded.reserved)
    insert into budget_uses (transaction_id, limit_id, account, window_start, amount, state)
    select ${transactionId}::uuid, limit_id, ${account}, window_start, amount, 'held' from share`.execute(tx);
}

/** Returns why there is no room. Undefined if the amounts are reserved. */
export async function reserve(
  tx: Db,
  { account, transactionId, mandate, moves }: Reservation,
): Promise<string | undefined> {
  const prices = await pricesFor(tx, mandate.terms, moves);
  const found = sharesOf(await readLimits(tx, mandate.id), { moves, terms: mandate.terms, prices });
  if ("why" in found) return found.why;
  const kept = found.shares.filter(({ bound }) => bound.span !== "transaction");
  if (kept.length > 0) await hold(tx, { account, transactionId }, kept);
  return undefined;
}

/** held: reserved. made: spent. released: neither. */
type State = "held" | "made" | "released";

type Granted = { readonly id: string; readonly mandateId: string | null };

/**
 * Moves the amounts of a transaction under its mandate to another state. One that was released and is executed after all
 * counts, also beyond the limit.
 */
export async function settle(tx: Db, { id, mandateId }: Granted, to: State): Promise<void> {
  if (mandateId === null) return;
  const isOfMandate = sql`u.transaction_id = ${id}
    and u.limit_id in (select id from mandate_limits where mandate_id = ${mandateId})`;
  await sql`
    update budget_counters c set
      reserved = c.reserved + case when ${to} = 'held' then u.amount else 0 end
        - case when u.state = 'held' then u.amount else 0 end,
      spent = c.spent + case when ${to} = 'made' then u.amount else 0 end
        - case when u.state = 'made' then u.amount else 0 end,
      beyond = c.beyond + case when u.state = 'released' and ${to} <> 'released'
        then greatest(0, c.reserved + c.spent + u.amount - c.most - c.beyond) else 0 end
    from budget_uses u
    where ${isOfMandate} and c.limit_id = u.limit_id and c.window_start = u.window_start`.execute(tx);
  await sql`update budget_uses u set state = ${to}, changed_at = clock_timestamp() where ${isOfMandate}`.execute(
    tx,
  );
}
