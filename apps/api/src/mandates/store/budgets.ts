// Reserves, settles and releases budgets. Every function runs under the lock of the account's ledger, and reads in a
// statement of its own after it: sums that are read in the statement that writes them overspend.
import { sql } from "kysely";
import { formatUnits } from "viem/utils";
import type { Account } from "../../accounts/index.ts";
import type { Db } from "../../platform/db/connect.ts";
import { totalsOf, type Move } from "../moves.ts";
import { assetKey, type Terms } from "../terms.ts";

type Limit = {
  readonly id: string;
  readonly position: number;
  readonly measure: string;
  readonly span: "transaction" | "period" | "total";
  readonly most: string;
  /** Reserved and spent in the current window. */
  readonly used: string;
  readonly windowStart: Date;
};

/** The start of the current window of a limit, by the database's clock. */
export const windowStart = sql`case l.span
    when 'period' then m.valid_from + floor(extract(epoch from clock_timestamp() - m.valid_from) / l.period_seconds)
      * make_interval(secs => l.period_seconds)
    else m.valid_from end`;

async function readLimits(tx: Db, mandateId: string): Promise<readonly Limit[]> {
  const { rows } = await sql<Limit>`
    with l as (
      select l.*, ${windowStart} as window_start from mandates m join mandate_limits l on l.mandate_id = m.id
      where m.id = ${mandateId})
    select l.id, l.position, l.measure, l.span, l.most, l.window_start as "windowStart",
      coalesce(c.reserved + c.spent, 0) as used
    from l left join budget_counters c on c.limit_id = l.id and c.window_start = l.window_start
    order by l.position`.execute(tx);
  return rows;
}

/** The amount of a transaction in a limit's measure. Undefined: the limit is about another asset. Null: not known. */
function amountIn({ measure }: Limit, totals: ReadonlyMap<string, bigint>): bigint | null | undefined {
  if (measure === "count") return 1n;
  // No source of prices is connected.
  return measure === "usd" ? null : totals.get(assetKey(measure));
}

const spans = { transaction: "per transaction", period: "per period", total: "in total" } as const;

function exceeded({ position, span, most, used }: Limit, { limits }: Pick<Terms, "limits">): string {
  const decimals = limits[position]?.decimals ?? 0;
  const left = BigInt(most) - BigInt(used);
  const text = formatUnits(left > 0n ? left : 0n, decimals);
  return `This exceeds the mandate's limit ${spans[span]}: ${text} of ${limits[position]?.most ?? "0"} left`;
}

type Reservation = {
  readonly account: Account;
  readonly transactionId: string;
  readonly mandate: { readonly id: string; readonly terms: Terms };
  readonly moves: readonly Move[];
};

/** Returns why there is no room. Undefined if the amounts are reserved. */
export async function reserve(
  tx: Db,
  { account, transactionId, mandate, moves }: Reservation,
): Promise<string | undefined> {
  const totals = totalsOf(moves);
  const shares: { readonly limit: Limit; readonly amount: bigint }[] = [];
  for (const limit of await readLimits(tx, mandate.id)) {
    const amount = amountIn(limit, totals);
    if (amount === undefined) continue;
    if (amount === null) return "The mandate has a limit in dollars, and no price is known";
    const used = limit.span === "transaction" ? 0n : BigInt(limit.used);
    if (used + amount > BigInt(limit.most)) return exceeded(limit, mandate.terms);
    if (limit.span !== "transaction") shares.push({ limit, amount });
  }
  for (const { limit, amount } of shares) {
    await sql`
      insert into budget_counters as c (limit_id, window_start, account, most, reserved)
      values (${limit.id}, ${limit.windowStart}, ${account}, ${limit.most}, ${amount.toString()})
      on conflict (limit_id, window_start) do update set reserved = c.reserved + excluded.reserved`.execute(
      tx,
    );
    await sql`
      insert into budget_uses (transaction_id, limit_id, account, window_start, amount, state)
      values (${transactionId}, ${limit.id}, ${account}, ${limit.windowStart}, ${amount.toString()}, 'held')`.execute(
      tx,
    );
  }
  return undefined;
}

/** held: reserved. made: spent. released: neither. */
type State = "held" | "made" | "released";

/**
 * Moves the amounts of a transaction to another state. One that was released and is executed after all counts, also
 * beyond the limit.
 */
export async function settle(tx: Db, transactionId: string, to: State): Promise<void> {
  await sql`
    update budget_counters c set
      reserved = c.reserved + case when ${to} = 'held' then u.amount else 0 end
        - case when u.state = 'held' then u.amount else 0 end,
      spent = c.spent + case when ${to} = 'made' then u.amount else 0 end
        - case when u.state = 'made' then u.amount else 0 end,
      beyond = c.beyond + case when u.state = 'released' and ${to} <> 'released'
        then greatest(0, c.reserved + c.spent + u.amount - c.most - c.beyond) else 0 end
    from budget_uses u
    where u.transaction_id = ${transactionId} and c.limit_id = u.limit_id and c.window_start = u.window_start`.execute(
    tx,
  );
  await sql`update budget_uses set state = ${to} where transaction_id = ${transactionId}`.execute(tx);
}
