/** The routers of Balancer V3: pools are contracts of their own, and the receiver is always the caller. */
import { atLeast, atMost, exactly, native, token, unsaid, type Amount, type Asset } from "../../effects.ts";
import {
  describeFunction,
  fn,
  unreadFn,
  type CallView,
  type Draft,
  type ProtocolFunction,
} from "../../protocol.ts";
import type { Hex } from "../../proposal.ts";
import { feeds, feedsAll, feedsWhen, inert } from "../../uses.ts";
import { code } from "./admin-drafts.ts";
import { poolChoice } from "./balancer-pools.ts";
import { multicallFunction } from "./router-payments.ts";
import { flow, lower, swapDraft } from "./swap-draft.ts";

const here = ["router"];
const POOL_TOKEN = unsaid("a token of the pool, which the arguments do not name");

/** With `wethIsEth` the wrapped native token goes in and comes out unwrapped. */
const assetOf = (address: string, coin: boolean, call: CallView): Asset =>
  coin && lower(address) === call.registry.chain(call.chain)?.wrapped ? native : token(lower(address));

const isCoin = feedsWhen("asset", "one of the tokens is the wrapped native token");

/** The vault pays out the output of a pool and checks it against the limit, so a malicious pool cannot cost more. */
const tradeUses = {
  pool: inert.bounded,
  tokenIn: feeds.asset,
  tokenOut: feeds.asset,
  deadline: feeds.deadline,
  wethIsEth: isCoin,
  userData: inert.bounded,
};

const swaps: readonly ProtocolFunction[] = [
  fn(
    "function swapSingleTokenExactIn(address pool, address tokenIn, address tokenOut, uint256 exactAmountIn, uint256 minAmountOut, uint256 deadline, bool wethIsEth, bytes userData) payable",
    here,
    { ...tradeUses, exactAmountIn: feeds.amount, minAmountOut: feeds.minimum },
    ([, from, into, amount, least, deadline, coin], call) =>
      swapDraft({
        gives: flow(assetOf(from, coin, call), exactly(amount), "exactAmountIn"),
        gets: flow(assetOf(into, coin, call), atLeast(least), "minAmountOut"),
        receiver: call.sender,
        deadline: { until: deadline, at: "deadline" },
      }),
  ),
  fn(
    "function swapSingleTokenExactOut(address pool, address tokenIn, address tokenOut, uint256 exactAmountOut, uint256 maxAmountIn, uint256 deadline, bool wethIsEth, bytes userData) payable",
    here,
    { ...tradeUses, exactAmountOut: feeds.minimum, maxAmountIn: feeds.amount },
    ([, from, into, out, most, deadline, coin], call) =>
      swapDraft({
        gives: flow(assetOf(from, coin, call), atMost(most), "maxAmountIn"),
        gets: flow(assetOf(into, coin, call), exactly(out), "exactAmountOut"),
        receiver: call.sender,
        deadline: { until: deadline, at: "deadline" },
        terms: { exactOut: true },
      }),
  ),
];

type Shares = {
  readonly pool: string;
  readonly amount: Amount;
  readonly at: string;
  readonly userData?: Hex;
};

const picked = ({ pool, userData = "0x" }: Shares): Draft["choices"] => [
  poolChoice(lower(pool), "pool"),
  ...code(userData, "userData"),
];

const added = (gives: Draft["gives"], shares: Shares, call: CallView) => ({
  act: "add_liquidity" as const,
  gives: gives ?? [],
  gets: [flow(token(lower(shares.pool)), shares.amount, shares.at)],
  receiver: call.sender,
  choices: picked(shares) ?? [],
  terms: shares.amount.least === shares.amount.most ? { exactOut: true } : {},
  places: { minimum: shares.at },
});

const removed = (gets: Draft["gets"], shares: Shares, call: CallView) => ({
  act: "remove_liquidity" as const,
  gives: [flow(token(lower(shares.pool)), shares.amount, shares.at)],
  gets: gets ?? [],
  receiver: call.sender,
  choices: picked(shares) ?? [],
  places: { amount: shares.at },
});

/** The share token is the pool, which anyone can create. */
const poolUses = { pool: feedsAll("asset", "choice"), wethIsEth: isCoin, userData: feeds.choice };

/** Amounts of tokens that the arguments do not name. */
const unnamed: readonly ProtocolFunction[] = [
  unreadFn(
    "function addLiquidityProportional(address pool, uint256[] maxAmountsIn, uint256 exactBptAmountOut, bool wethIsEth, bytes userData) payable",
    here,
    ([pool, most, shares], call) =>
      added(
        most.map((amount, i) => flow(POOL_TOKEN, atMost(amount), `maxAmountsIn[${i}]`)),
        { pool, amount: exactly(shares), at: "exactBptAmountOut" },
        call,
      ),
  ),
  unreadFn(
    "function addLiquidityUnbalanced(address pool, uint256[] exactAmountsIn, uint256 minBptAmountOut, bool wethIsEth, bytes userData) payable",
    here,
    ([pool, amounts, least], call) =>
      added(
        amounts.flatMap((amount, i) =>
          amount === 0n ? [] : [flow(POOL_TOKEN, exactly(amount), `exactAmountsIn[${i}]`)],
        ),
        { pool, amount: atLeast(least), at: "minBptAmountOut" },
        call,
      ),
  ),
  unreadFn(
    "function removeLiquidityProportional(address pool, uint256 exactBptAmountIn, uint256[] minAmountsOut, bool wethIsEth, bytes userData) payable",
    here,
    ([pool, shares, least], call) =>
      removed(
        least.map((amount, i) => flow(POOL_TOKEN, atLeast(amount), `minAmountsOut[${i}]`)),
        { pool, amount: exactly(shares), at: "exactBptAmountIn" },
        call,
      ),
  ),
];

const liquidity: readonly ProtocolFunction[] = [
  fn(
    "function addLiquiditySingleTokenExactOut(address pool, address tokenIn, uint256 maxAmountIn, uint256 exactBptAmountOut, bool wethIsEth, bytes userData) payable",
    here,
    { ...poolUses, tokenIn: feeds.asset, maxAmountIn: feeds.amount, exactBptAmountOut: feeds.minimum },
    ([pool, from, most, shares, coin, userData], call) =>
      added(
        [flow(assetOf(from, coin, call), atMost(most), "maxAmountIn")],
        { pool, amount: exactly(shares), at: "exactBptAmountOut", userData },
        call,
      ),
  ),
  fn(
    "function removeLiquiditySingleTokenExactIn(address pool, uint256 exactBptAmountIn, address tokenOut, uint256 minAmountOut, bool wethIsEth, bytes userData) payable",
    here,
    { ...poolUses, exactBptAmountIn: feeds.amount, tokenOut: feeds.asset, minAmountOut: feeds.minimum },
    ([pool, shares, into, least, coin, userData], call) =>
      removed(
        [flow(assetOf(into, coin, call), atLeast(least), "minAmountOut")],
        { pool, amount: exactly(shares), at: "exactBptAmountIn", userData },
        call,
      ),
  ),
  fn(
    "function removeLiquiditySingleTokenExactOut(address pool, uint256 maxBptAmountIn, address tokenOut, uint256 exactAmountOut, bool wethIsEth, bytes userData) payable",
    here,
    { ...poolUses, maxBptAmountIn: feeds.amount, tokenOut: feeds.asset, exactAmountOut: feeds.minimum },
    ([pool, shares, into, out, coin, userData], call) =>
      removed(
        [flow(assetOf(into, coin, call), exactly(out), "exactAmountOut")],
        { pool, amount: atMost(shares), at: "maxBptAmountIn", userData },
        call,
      ),
  ),
];

const STEPS = "(address pool, address tokenOut, bool isBuffer)[] steps";

type Path = { readonly tokenIn: string; readonly steps: readonly { readonly tokenOut: string }[] };

/** Lists in lists of structs: the decoder reads them, but the types of the signature do not reach that deep. */
type Paths<Amounts extends string> = readonly [
  readonly (Path & Readonly<Record<Amounts, bigint>>)[],
  deadline: bigint,
  wethIsEth: boolean,
];

const endOf = (path: Path): string => {
  const last = path.steps.at(-1);
  if (last === undefined) throw new Error("a path has no steps");
  return last.tokenOut;
};

const stepUses = {
  pool: inert.bounded,
  tokenOut: feedsWhen("asset", "it is the last of its path"),
  isBuffer: inert.bounded,
};
const batchUses = { deadline: feeds.deadline, wethIsEth: isCoin, userData: inert.bounded };

const batches: readonly ProtocolFunction[] = [
  describeFunction(
    `function swapExactIn((address tokenIn, ${STEPS}, uint256 exactAmountIn, uint256 minAmountOut)[] paths, uint256 deadline, bool wethIsEth, bytes userData) payable`,
    ["batch_router"],
    {
      paths: {
        tokenIn: feeds.asset,
        steps: stepUses,
        exactAmountIn: feeds.amount,
        minAmountOut: feeds.minimum,
      },
      ...batchUses,
    },
    ([paths, deadline, coin]: Paths<"exactAmountIn" | "minAmountOut">, call: CallView): Draft => {
      return {
        act: "swap",
        gives: paths.map((path, i) =>
          flow(assetOf(path.tokenIn, coin, call), exactly(path.exactAmountIn), `paths[${i}].exactAmountIn`),
        ),
        gets: paths.map((path, i) =>
          flow(assetOf(endOf(path), coin, call), atLeast(path.minAmountOut), `paths[${i}].minAmountOut`),
        ),
        receiver: call.sender,
        deadline,
        places: { minimum: "paths[0].minAmountOut", deadline: "deadline", amount: "paths[0].exactAmountIn" },
      };
    },
  ),
  describeFunction(
    `function swapExactOut((address tokenIn, ${STEPS}, uint256 maxAmountIn, uint256 exactAmountOut)[] paths, uint256 deadline, bool wethIsEth, bytes userData) payable`,
    ["batch_router"],
    {
      paths: {
        tokenIn: feeds.asset,
        steps: stepUses,
        maxAmountIn: feeds.amount,
        exactAmountOut: feeds.minimum,
      },
      ...batchUses,
    },
    ([paths, deadline, coin]: Paths<"maxAmountIn" | "exactAmountOut">, call: CallView): Draft => {
      return {
        act: "swap",
        gives: paths.map((path, i) =>
          flow(assetOf(path.tokenIn, coin, call), atMost(path.maxAmountIn), `paths[${i}].maxAmountIn`),
        ),
        gets: paths.map((path, i) =>
          flow(assetOf(endOf(path), coin, call), exactly(path.exactAmountOut), `paths[${i}].exactAmountOut`),
        ),
        receiver: call.sender,
        deadline,
        terms: { exactOut: true },
        places: { minimum: "paths[0].exactAmountOut", deadline: "deadline", amount: "paths[0].maxAmountIn" },
      };
    },
  ),
];

export const balancerV3Functions: readonly ProtocolFunction[] = [
  ...swaps,
  ...liquidity,
  ...unnamed,
  ...batches,
  multicallFunction(["router", "batch_router"]),
];
