// Reserves, settles and releases budgets. Every function runs under the lock of the account's ledger, and reads in a
// statement of its own after it: sums that are read in the statement that writes them overspend.
import { sql } from "kysely";
import { formatUnits } from "viem/utils";
import type { Account } from "../../accounts/index.ts";
import type { Db } from "../../platform/db/connect.ts";
import { readPrices, worthOf, type Price } from "../../prices/index.ts";
import { totalsOf, type Move } from "../moves.ts";
import { spanText } from "../span.ts";
import { assetKey, type Terms } from "../terms.ts";

type Limit = {
  readonly id: string;
  readonly position: number;
  readonly measure: string;
  readonly span: string;
  readonly most: string;
  /** Reserved and spent in the current window. */
  readonly used: string;
  readonly counterStart: Date;
};

/** The start of the current window of a limit, by the database's clock. */
export const windowStart = sql`case
    when l.span = 'period' then m.valid_from
      + floor(extract(epoch from clock_timestamp() - m.valid_from) / l.period_seconds)
      * make_interval(secs => l.period_seconds)
    when l.span = 'rolling' then clock_timestamp() - make_interval(secs => l.period_seconds)
    when l.time_zone is not null then date_trunc(l.span, clock_timestamp(), l.time_zone)
    else m.valid_from end`;

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
  const { rows } = await sql<Limit>`
    with l as (
      select l.*, ${windowStart} as window_start from mandates m join mandate_limits l on l.mandate_id = m.id
      where m.id = ${mandateId})
    select l.id, l.position, l.measure, l.span, l.most,
      case l.span when 'rolling' then clock_timestamp() else l.window_start end as "counterStart",
      coalesce(c.reserved, 0) + coalesce(c.spent, 0) as used
    from l ${joinUsed} order by l.position`.execute(tx);
  return rows;
}

/** The limit as the owner signed it. */
function signedLimit({ position }: Limit, { limits }: Pick<Terms, "limits">): Terms["limits"][number] {
  const signed = limits[position];
  if (signed === undefined) throw new Error(`The mandate has no limit ${position}`);
  return signed;
}

type Counted = { readonly moves: readonly Move[]; readonly prices: ReadonlyMap<string, Price> };

/** The amount of a transaction in a limit's measure. Undefined: the limit is about another asset. Or why it is not known. */
function amountIn(
  { measure, decimals }: Terms["limits"][number],
  { moves, prices }: Counted,
): bigint | string | undefined {
  if (measure === "count") return 1n;
  if (measure !== "usd") return totalsOf(moves).get(assetKey(measure));
  const counted = worthOf(
    moves.flatMap(({ amounts }) => amounts),
    prices,
    decimals,
  );
  return "worth" in counted
    ? counted.worth
    : `The mandate has a limit in dollars, and no current price of ${counted.unpriced} is known`;
}

function exceeded({ most, used }: Limit, signed: Terms["limits"][number]): string {
  const left = BigInt(most) - BigInt(used);
  const text = formatUnits(left > 0n ? left : 0n, signed.decimals);
  return `This exceeds the mandate's limit ${spanText(signed)}: ${text} of ${signed.most} left`;
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

/** Returns why there is no room. Undefined if the amounts are reserved. */
export async function reserve(
  tx: Db,
  { account, transactionId, mandate, moves }: Reservation,
): Promise<string | undefined> {
  const shares: { readonly limit: Limit; readonly amount: bigint }[] = [];
  const prices = await pricesFor(tx, mandate.terms, moves);
  for (const limit of await readLimits(tx, mandate.id)) {
    const signed = signedLimit(limit, mandate.terms);
    const amount = amountIn(signed, { moves, prices });
    if (amount === undefined) continue;
    if (typeof amount === "string") return amount;
    const used = limit.span === "transaction" ? 0n : BigInt(limit.used);
    if (used + amount > BigInt(limit.most)) return exceeded(limit, signed);
    if (limit.span !== "transaction") shares.push({ limit, amount });
  }
  for (const { limit, amount } of shares) {
    await sql`
      insert into budget_counters as c (limit_id, window_start, account, most, reserved)
      values (${limit.id}, ${limit.counterStart}, ${account}, ${limit.most}, ${amount.toString()})
      on conflict (limit_id, window_start) do update set reserved = c.reserved + excluded.reserved`.execute(
      tx,
    );
    await sql`
      insert into budget_uses (transaction_id, limit_id, account, window_start, amount, state)
      values (${transactionId}, ${limit.id}, ${account}, ${limit.counterStart}, ${amount.toString()}, 'held')`.execute(
      tx,
    );
  }
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
