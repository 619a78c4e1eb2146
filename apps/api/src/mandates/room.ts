// Whether a mandate's limits have room for a transaction.
import { formatUnits } from "viem/utils";
import { totalsOf, type Move } from "./moves.ts";
import { worthOf, type Price } from "../prices/index.ts";
import { spanText, type StoredSpan } from "./span.ts";
import { assetKey, type Terms } from "./terms.ts";

/** A limit in base units. */
export type Bound = {
  /** Its index in the signed terms. */
  readonly position: number;
  readonly measure: string;
  readonly span: StoredSpan["span"];
  readonly most: bigint;
  /** Reserved and spent in the current window. */
  readonly used: bigint;
};

export type Counted = {
  readonly moves: readonly Move[];
  /** Prices that may be used, by asset. */
  readonly prices: ReadonlyMap<string, Pick<Price, "usd">>;
};

/** Returns the amount in a limit's measure. Undefined: the limit is about another asset. Or why it is not known. */
function amountIn(
  { measure, decimals }: Terms["limits"][number],
  { moves, prices }: Counted,
): bigint | { readonly why: string } | undefined {
  if (measure === "count") return 1n;
  if (measure !== "usd") return totalsOf(moves).get(assetKey(measure));
  const counted = worthOf(
    moves.flatMap(({ amounts }) => amounts),
    prices,
    decimals,
  );
  if ("worth" in counted) return counted.worth;
  return { why: `The mandate has a limit in dollars, and no current price of ${counted.unpriced} is known` };
}

/** Returns what is left of a limit, in base units. */
export const leftOf = ({ most, used }: Pick<Bound, "most" | "used">): bigint =>
  used < most ? most - used : 0n;

function signedLimit({ position }: Bound, { limits }: Pick<Terms, "limits">): Terms["limits"][number] {
  const signed = limits[position];
  if (signed === undefined) throw new Error(`The mandate has no limit ${position}`);
  return signed;
}

function exceeded(bound: Bound, signed: Terms["limits"][number]): string {
  const text = formatUnits(leftOf(bound), signed.decimals);
  return `This exceeds the mandate's limit ${spanText(signed)}: ${text} of ${signed.most} left`;
}

export type Share<B extends Bound> = { readonly bound: B; readonly amount: bigint };
type Asking = Counted & { readonly terms: Pick<Terms, "limits"> };

/** Returns the amount that a transaction takes from each limit it concerns, or why there is no room for it. */
export function sharesOf<B extends Bound>(
  bounds: readonly B[],
  { terms, ...counted }: Asking,
): { readonly why: string } | { readonly shares: readonly Share<B>[] } {
  const shares: Share<B>[] = [];
  for (const bound of bounds) {
    const signed = signedLimit(bound, terms);
    const amount = amountIn(signed, counted);
    if (amount === undefined) continue;
    if (typeof amount === "object") return amount;
    // Nothing is kept for a limit per transaction.
    const used = bound.span === "transaction" ? 0n : bound.used;
    if (used + amount > bound.most) return { why: exceeded(bound, signed) };
    shares.push({ bound, amount });
  }
  return { shares };
}
