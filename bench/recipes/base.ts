// Defaults of every recipe. A benign case is one that a careful user would sign: exact approvals, a real minimum, a
// deadline of twenty minutes, paid to the user's own account.
import { parseUnits } from "ethers";
import type { Action, Gen, Params, Token } from "../types.ts";
import { PRICES } from "../data/tokens.ts";

const TWENTY_MINUTES = 1200;

export function base(g: Gen, recipe: string, protocol: string, action: Action): Params {
  return {
    recipe,
    protocol,
    action,
    chain: g.chain,
    actor: g.actor,
    sender: g.actor,
    now: g.now,
    wrap: "none",
    target: g.actor,
    amount: 0n,
    minOut: 0n,
    quote: 0n,
    recipient: g.actor,
    spender: g.actor,
    allowance: 0n,
    deadline: BigInt(g.now + TWENTY_MINUTES),
    route: [],
    poolFee: 3000,
    nftMode: "one",
    payees: [],
    routerExtra: [],
    thief: g.rng.address(),
    operation: 0,
    innerOperation: 0,
    extra: [],
    extraAt: "last",
    dstChain: g.chain,
    order: { partial: false, kind: "sell" },
    withApproval: false,
    nonce: BigInt(g.rng.int(0, 40)),
    prices: PRICES,
    variant: g.rng.int(0, 1_000_000),
    say: { style: "plain" },
  };
}

/** Returns an amount that a user would type: one to three significant digits, sized by price. */
export function typicalAmount(g: Gen, token: Token): bigint {
  const price = PRICES[token.symbol] ?? 1;
  const { rng } = g;
  if (price >= 1000) {
    const text = rng.pick(["0.1", "0.25", "0.5", "0.05", "1", "1.5", "2", "2.5", "3", "4.2", "0.75"]);
    return parseUnits(text, token.decimals);
  }
  const text = rng.pick([
    String(rng.int(5, 99)),
    String(rng.int(1, 9) * 100),
    String(rng.int(1, 9) * 1000),
    String(rng.int(2, 19) * 500),
    `${rng.int(10, 900)}.5`,
    String(rng.int(101, 999)),
    "1500",
    "2500",
    "250",
  ]);
  return parseUnits(text, token.decimals);
}

/** Returns the output at the given prices, exact in integers (prices have at most two decimals). */
export function quoteOut(give: Token, amount: bigint, get: Token): bigint {
  const inCents = BigInt(Math.round((PRICES[give.symbol] ?? 1) * 100));
  const outCents = BigInt(Math.round((PRICES[get.symbol] ?? 1) * 100));
  return (amount * inCents * 10n ** BigInt(get.decimals)) / (outCents * 10n ** BigInt(give.decimals));
}

/** Applies `bps` of slippage and rounds up, so that the encoded bound is never weaker. */
export function withSlippage(quote: bigint, bps: number): bigint {
  return (quote * BigInt(10_000 - bps) + 9_999n) / 10_000n;
}
