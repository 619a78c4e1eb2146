/** Routers whose routes are lists of hops, each stable or volatile: the family of Velodrome and Aerodrome. */
import { atLeast, exactly, native, token, unsaid } from "../../effects.ts";
import { fn, type CallView, type Draft, type ProtocolFunction } from "../../protocol.ts";
import { flow, lower, partyAt, swapDraft } from "./swap-draft.ts";
import { routeOf, type Route } from "./v3-path.ts";

type Hop = { readonly from: string; readonly to: string };

const HOPS = "(address from, address to, bool stable, address factory)[] routes";

/** A hop must start where the one before it ended, or the tokens go astray. */
const routeThrough = (hops: readonly Hop[]): Route => {
  const route = routeOf([
    ...hops.slice(0, 1).map(({ from }) => lower(from)),
    ...hops.map(({ to }) => lower(to)),
  ]);
  const broken = hops.some(({ from }, i) => i > 0 && lower(from) !== lower(hops[i - 1]?.to ?? ""));
  return broken
    ? {
        ...route,
        faults: [...route.faults, "a hop of the route does not start where the one before it ends"],
      }
    : route;
};

type Trade = {
  readonly paid: bigint;
  readonly least: bigint;
  readonly hops: readonly Hop[];
  readonly to: string;
  readonly deadline: bigint;
};

const trade = (t: Trade, coin: { readonly in?: boolean; readonly out?: boolean }, call: CallView): Draft => {
  const { first, last, ...terms } = routeThrough(t.hops);
  return swapDraft({
    gives: flow(coin.in ? native : token(first), exactly(t.paid), coin.in ? "value" : "amountIn"),
    gets: flow(coin.out ? native : token(last), atLeast(t.least), "amountOutMin"),
    receiver: partyAt(t.to, call),
    receiverAt: "to",
    deadline: { until: t.deadline, at: "deadline" },
    terms,
  });
};

const swaps = (on: readonly string[]): readonly ProtocolFunction[] => [
  ...(["swapExactTokensForTokens", "swapExactTokensForTokensSupportingFeeOnTransferTokens"] as const).map(
    (name) =>
      fn(
        `function ${name}(uint256 amountIn, uint256 amountOutMin, ${HOPS}, address to, uint256 deadline)`,
        on,
        ([paid, least, hops, to, deadline], call) => trade({ paid, least, hops, to, deadline }, {}, call),
      ),
  ),
  ...(["swapExactTokensForETH", "swapExactTokensForETHSupportingFeeOnTransferTokens"] as const).map((name) =>
    fn(
      `function ${name}(uint256 amountIn, uint256 amountOutMin, ${HOPS}, address to, uint256 deadline)`,
      on,
      ([paid, least, hops, to, deadline], call) =>
        trade({ paid, least, hops, to, deadline }, { out: true }, call),
    ),
  ),
  ...(["swapExactETHForTokens", "swapExactETHForTokensSupportingFeeOnTransferTokens"] as const).map((name) =>
    fn(
      `function ${name}(uint256 amountOutMin, ${HOPS}, address to, uint256 deadline) payable`,
      on,
      ([least, hops, to, deadline], call) =>
        trade({ paid: call.value, least, hops, to, deadline }, { in: true }, call),
    ),
  ),
];

const SHARE = unsaid("the pool's own share token, which the arguments do not name");

const additions = (on: readonly string[]): readonly ProtocolFunction[] => [
  fn(
    "function addLiquidity(address tokenA, address tokenB, bool stable, uint256 amountADesired, uint256 amountBDesired, uint256 amountAMin, uint256 amountBMin, address to, uint256 deadline)",
    on,
    ([a, b, , amountA, amountB, minA, minB, to, deadline], call) => ({
      act: "add_liquidity",
      gives: [
        flow(token(lower(a)), { least: minA, most: amountA }, "amountADesired"),
        flow(token(lower(b)), { least: minB, most: amountB }, "amountBDesired"),
      ],
      receiver: partyAt(to, call),
      deadline,
      places: { receiver: "to", deadline: "deadline", minimum: "amountAMin" },
    }),
  ),
  fn(
    "function addLiquidityETH(address token, bool stable, uint256 amountTokenDesired, uint256 amountTokenMin, uint256 amountETHMin, address to, uint256 deadline) payable",
    on,
    ([at, , amount, min, coinMin, to, deadline], call) => ({
      act: "add_liquidity",
      gives: [
        flow(token(lower(at)), { least: min, most: amount }, "amountTokenDesired"),
        flow(native, { least: coinMin, most: call.value }, "value"),
      ],
      receiver: partyAt(to, call),
      deadline,
      places: { receiver: "to", deadline: "deadline", minimum: "amountTokenMin" },
    }),
  ),
];

const removals = (on: readonly string[]): readonly ProtocolFunction[] => [
  fn(
    "function removeLiquidity(address tokenA, address tokenB, bool stable, uint256 liquidity, uint256 amountAMin, uint256 amountBMin, address to, uint256 deadline)",
    on,
    ([a, b, , shares, minA, minB, to, deadline], call) => ({
      act: "remove_liquidity",
      gives: [flow(SHARE, exactly(shares), "liquidity")],
      gets: [
        flow(token(lower(a)), atLeast(minA), "amountAMin"),
        flow(token(lower(b)), atLeast(minB), "amountBMin"),
      ],
      receiver: partyAt(to, call),
      deadline,
      places: { receiver: "to", deadline: "deadline", minimum: "amountAMin" },
    }),
  ),
  fn(
    "function removeLiquidityETH(address token, bool stable, uint256 liquidity, uint256 amountTokenMin, uint256 amountETHMin, address to, uint256 deadline)",
    on,
    ([at, , shares, min, coinMin, to, deadline], call) => ({
      act: "remove_liquidity",
      gives: [flow(SHARE, exactly(shares), "liquidity")],
      gets: [
        flow(token(lower(at)), atLeast(min), "amountTokenMin"),
        flow(native, atLeast(coinMin), "amountETHMin"),
      ],
      receiver: partyAt(to, call),
      deadline,
      places: { receiver: "to", deadline: "deadline", minimum: "amountTokenMin" },
    }),
  ),
];

export const solidlyFunctions = (on: readonly string[]): readonly ProtocolFunction[] => [
  ...swaps(on),
  ...additions(on),
  ...removals(on),
];
