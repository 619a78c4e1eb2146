/** Routers whose routes are lists of hops, each stable or volatile: Velodrome, Aerodrome and others. */
import { atLeast, exactly, native, token, unsaid, routeFault } from "../../effects.ts";
import type { Address } from "../../proposal.ts";
import { fn, type CallView, type Draft, type DraftChoice, type ProtocolFunction } from "../../protocol.ts";
import { feeds, feedsAll, feedsWhen, inert } from "../../uses.ts";
import { flow, lower, partyAt, swapDraft, ZERO_ADDRESS } from "./swap-draft.ts";
import { routeOf, type Route } from "./v3-path.ts";

type Hop = { readonly from: string; readonly to: string; readonly factory: string };

/** The roles of the router, and the exchange's pool factory by chain. */
type Exchange = {
  readonly on: readonly string[];
  readonly factory: Readonly<Record<number, Address>>;
};

const HOPS = "(address from, address to, bool stable, address factory)[] routes";

/** A hop must start where the previous one ended, or the tokens are lost. */
const routeThrough = (hops: readonly Hop[]): Route => {
  const route = routeOf([
    ...hops.slice(0, 1).map(({ from }) => lower(from)),
    ...hops.map(({ to }) => lower(to)),
  ]);
  const broken = hops.some(({ from }, i) => i > 0 && lower(from) !== lower(hops[i - 1]?.to ?? ""));
  return broken
    ? {
        ...route,
        faults: [
          ...route.faults,
          routeFault("a hop of the route does not start where the previous one ends"),
        ],
      }
    : route;
};

/** Zero means the default factory. The router trusts the output that a pool reports, so other factories must be known. */
const factoriesOf = (
  hops: readonly Hop[],
  { factory: known }: Exchange,
  call: CallView,
): readonly DraftChoice[] =>
  hops.flatMap(({ factory }, i) =>
    lower(factory) === ZERO_ADDRESS
      ? []
      : [
          {
            what: "exchange" as const,
            value: lower(factory),
            at: `routes[${i}].factory`,
            known: lower(factory) === known[call.chain],
          },
        ],
  );

type Trade = {
  readonly paid: bigint;
  readonly least: bigint;
  readonly hops: readonly Hop[];
  readonly to: string;
  readonly deadline: bigint;
};

type Coin = { readonly in?: boolean; readonly out?: boolean };

const trade = (t: Trade, coin: Coin, exchange: Exchange, call: CallView): Draft => {
  const { first, last, path, faults } = routeThrough(t.hops);
  return swapDraft({
    gives: flow(coin.in ? native : token(first), exactly(t.paid), coin.in ? "value" : "amountIn"),
    gets: flow(coin.out ? native : token(last), atLeast(t.least), "amountOutMin"),
    receiver: partyAt(t.to, call),
    receiverAt: "to",
    deadline: { until: t.deadline, at: "deadline" },
    terms: { path, faults },
    choices: factoriesOf(t.hops, exchange, call),
  });
};

const coinInUses = {
  amountOutMin: feeds.minimum,
  routes: {
    from: feedsAll("asset", "path"),
    to: feedsAll("asset", "path"),
    stable: inert.bounded,
    factory: feedsWhen("choice", "it is not zero (the default factory)"),
  },
  to: feeds.receiver,
  deadline: feeds.deadline,
};
const swapUses = { amountIn: feeds.amount, ...coinInUses };

const swaps = (exchange: Exchange): readonly ProtocolFunction[] => [
  ...(["swapExactTokensForTokens", "swapExactTokensForTokensSupportingFeeOnTransferTokens"] as const).map(
    (name) =>
      fn(
        `function ${name}(uint256 amountIn, uint256 amountOutMin, ${HOPS}, address to, uint256 deadline)`,
        exchange.on,
        swapUses,
        ([paid, least, hops, to, deadline], call) =>
          trade({ paid, least, hops, to, deadline }, {}, exchange, call),
      ),
  ),
  ...(["swapExactTokensForETH", "swapExactTokensForETHSupportingFeeOnTransferTokens"] as const).map((name) =>
    fn(
      `function ${name}(uint256 amountIn, uint256 amountOutMin, ${HOPS}, address to, uint256 deadline)`,
      exchange.on,
      swapUses,
      ([paid, least, hops, to, deadline], call) =>
        trade({ paid, least, hops, to, deadline }, { out: true }, exchange, call),
    ),
  ),
  ...(["swapExactETHForTokens", "swapExactETHForTokensSupportingFeeOnTransferTokens"] as const).map((name) =>
    fn(
      `function ${name}(uint256 amountOutMin, ${HOPS}, address to, uint256 deadline) payable`,
      exchange.on,
      coinInUses,
      ([least, hops, to, deadline], call) =>
        trade({ paid: call.value, least, hops, to, deadline }, { in: true }, exchange, call),
    ),
  ),
];

const SHARE = unsaid("the pool's own share token, which the arguments do not name");

/** A stable pool loses money unless both assets have the same price, so the request must name it. */
const curve = (stable: boolean): readonly DraftChoice[] => [
  { what: "pool", value: stable ? "stable pool" : "volatile pool", at: "stable", known: !stable },
];

const pairUses = {
  tokenA: feeds.asset,
  tokenB: feeds.asset,
  stable: feeds.choice,
  amountAMin: feeds.minimum,
  amountBMin: feeds.minimum,
  to: feeds.receiver,
  deadline: feeds.deadline,
};
const coinPairUses = {
  token: feeds.asset,
  stable: feeds.choice,
  amountTokenMin: feeds.minimum,
  amountETHMin: feeds.minimum,
  to: feeds.receiver,
  deadline: feeds.deadline,
};

const additions = (on: readonly string[]): readonly ProtocolFunction[] => [
  fn(
    "function addLiquidity(address tokenA, address tokenB, bool stable, uint256 amountADesired, uint256 amountBDesired, uint256 amountAMin, uint256 amountBMin, address to, uint256 deadline)",
    on,
    { ...pairUses, amountADesired: feeds.amount, amountBDesired: feeds.amount },
    ([a, b, stable, amountA, amountB, minA, minB, to, deadline], call) => ({
      act: "add_liquidity",
      gives: [
        flow(token(lower(a)), { least: minA, most: amountA }, "amountADesired"),
        flow(token(lower(b)), { least: minB, most: amountB }, "amountBDesired"),
      ],
      receiver: partyAt(to, call),
      choices: curve(stable),
      deadline,
      places: { receiver: "to", deadline: "deadline", minimum: "amountAMin" },
    }),
  ),
  fn(
    "function addLiquidityETH(address token, bool stable, uint256 amountTokenDesired, uint256 amountTokenMin, uint256 amountETHMin, address to, uint256 deadline) payable",
    on,
    { ...coinPairUses, amountTokenDesired: feeds.amount },
    ([at, stable, amount, min, coinMin, to, deadline], call) => ({
      act: "add_liquidity",
      gives: [
        flow(token(lower(at)), { least: min, most: amount }, "amountTokenDesired"),
        flow(native, { least: coinMin, most: call.value }, "value"),
      ],
      receiver: partyAt(to, call),
      choices: curve(stable),
      deadline,
      places: { receiver: "to", deadline: "deadline", minimum: "amountTokenMin" },
    }),
  ),
];

const removals = (on: readonly string[]): readonly ProtocolFunction[] => [
  fn(
    "function removeLiquidity(address tokenA, address tokenB, bool stable, uint256 liquidity, uint256 amountAMin, uint256 amountBMin, address to, uint256 deadline)",
    on,
    { ...pairUses, liquidity: feeds.amount },
    ([a, b, stable, shares, minA, minB, to, deadline], call) => ({
      act: "remove_liquidity",
      gives: [flow(SHARE, exactly(shares), "liquidity")],
      gets: [
        flow(token(lower(a)), atLeast(minA), "amountAMin"),
        flow(token(lower(b)), atLeast(minB), "amountBMin"),
      ],
      receiver: partyAt(to, call),
      choices: curve(stable),
      deadline,
      places: { receiver: "to", deadline: "deadline", minimum: "amountAMin" },
    }),
  ),
  fn(
    "function removeLiquidityETH(address token, bool stable, uint256 liquidity, uint256 amountTokenMin, uint256 amountETHMin, address to, uint256 deadline)",
    on,
    { ...coinPairUses, liquidity: feeds.amount },
    ([at, stable, shares, min, coinMin, to, deadline], call) => ({
      act: "remove_liquidity",
      gives: [flow(SHARE, exactly(shares), "liquidity")],
      gets: [
        flow(token(lower(at)), atLeast(min), "amountTokenMin"),
        flow(native, atLeast(coinMin), "amountETHMin"),
      ],
      receiver: partyAt(to, call),
      choices: curve(stable),
      deadline,
      places: { receiver: "to", deadline: "deadline", minimum: "amountTokenMin" },
    }),
  ),
];

export const solidlyFunctions = (exchange: Exchange): readonly ProtocolFunction[] => [
  ...swaps(exchange),
  ...additions(exchange.on),
  ...removals(exchange.on),
];
