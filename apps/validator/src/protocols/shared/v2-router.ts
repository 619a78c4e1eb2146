/** The V2 router, which many exchanges deploy unchanged: the functions are the same, only the addresses differ. */
import {
  atLeast,
  atMost,
  everything,
  exactly,
  native,
  token,
  unsaid,
  nativeFault,
  type Asset,
} from "../../effects.ts";
import type { Address } from "../../proposal.ts";
import { fn, type CallView, type Draft, type ProtocolFunction } from "../../protocol.ts";
import { feeds, feedsAll, inert } from "../../uses.ts";
import { flow, partyAt, swapDraft, lower } from "./swap-draft.ts";
import { routeOf } from "./v3-path.ts";

type Ends = { readonly coinIn?: boolean; readonly coinOut?: boolean };

type Tail = { readonly path: readonly string[]; readonly to: string; readonly deadline: bigint };

/** The V2 router takes and pays out native value only if the route starts or ends in its wrapped form. */
const ends = ({ path, to, deadline }: Tail, coin: Ends, call: CallView) => {
  const route = routeOf(path.map(lower));
  const wrapped = call.registry.chain(call.chain)?.wrapped ?? null;
  const unwrappable = (at: Address) =>
    wrapped === null || at === wrapped
      ? []
      : [
          nativeFault(
            "the route does not start or end in the wrapped native token, as this function requires",
          ),
        ];
  return {
    give: coin.coinIn ? native : token(route.first),
    get: coin.coinOut ? native : token(route.last),
    shared: {
      receiver: partyAt(to, call),
      receiverAt: "to",
      deadline: { until: deadline, at: "deadline" },
    },
    terms: {
      path: route.path,
      faults: [
        ...route.faults,
        ...(coin.coinIn ? unwrappable(route.first) : []),
        ...(coin.coinOut ? unwrappable(route.last) : []),
      ],
    },
  };
};

const exactIn = (
  amounts: { readonly paid: bigint; readonly least: bigint },
  tail: Tail,
  coin: Ends,
  call: CallView,
): Draft => {
  const { give, get, shared, terms } = ends(tail, coin, call);
  return swapDraft({
    gives: flow(give, exactly(amounts.paid), coin.coinIn ? "value" : "amountIn"),
    gets: flow(get, atLeast(amounts.least), "amountOutMin"),
    ...shared,
    terms,
  });
};

const exactOut = (
  amounts: { readonly most: bigint; readonly out: bigint },
  tail: Tail,
  coin: Ends,
  call: CallView,
): Draft => {
  const { give, get, shared, terms } = ends(tail, coin, call);
  return swapDraft({
    gives: flow(give, atMost(amounts.most), coin.coinIn ? "value" : "amountInMax"),
    gets: flow(get, exactly(amounts.out), "amountOut"),
    ...shared,
    terms: { ...terms, exactOut: true },
  });
};

const ending = { to: feeds.receiver, deadline: feeds.deadline };
const tail = { path: feedsAll("asset", "path"), ...ending };
const coinInUses = { amountOutMin: feeds.minimum, ...tail };
const exactInUses = { amountIn: feeds.amount, ...coinInUses };
const exactOutUses = { amountOut: feeds.minimum, amountInMax: feeds.amount, ...tail };

const exactInFunctions = (on: readonly string[]): readonly ProtocolFunction[] => [
  ...(["swapExactTokensForTokens", "swapExactTokensForTokensSupportingFeeOnTransferTokens"] as const).map(
    (name) =>
      fn(
        `function ${name}(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)`,
        on,
        exactInUses,
        ([paid, least, path, to, deadline], call) =>
          exactIn({ paid, least }, { path, to, deadline }, {}, call),
      ),
  ),
  ...(["swapExactTokensForETH", "swapExactTokensForETHSupportingFeeOnTransferTokens"] as const).map((name) =>
    fn(
      `function ${name}(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)`,
      on,
      exactInUses,
      ([paid, least, path, to, deadline], call) =>
        exactIn({ paid, least }, { path, to, deadline }, { coinOut: true }, call),
    ),
  ),
  ...(["swapExactETHForTokens", "swapExactETHForTokensSupportingFeeOnTransferTokens"] as const).map((name) =>
    fn(
      `function ${name}(uint256 amountOutMin, address[] path, address to, uint256 deadline) payable`,
      on,
      coinInUses,
      ([least, path, to, deadline], call) =>
        exactIn({ paid: call.value, least }, { path, to, deadline }, { coinIn: true }, call),
    ),
  ),
];

const exactOutFunctions = (on: readonly string[]): readonly ProtocolFunction[] => [
  fn(
    "function swapTokensForExactTokens(uint256 amountOut, uint256 amountInMax, address[] path, address to, uint256 deadline)",
    on,
    exactOutUses,
    ([out, most, path, to, deadline], call) => exactOut({ most, out }, { path, to, deadline }, {}, call),
  ),
  fn(
    "function swapTokensForExactETH(uint256 amountOut, uint256 amountInMax, address[] path, address to, uint256 deadline)",
    on,
    exactOutUses,
    ([out, most, path, to, deadline], call) =>
      exactOut({ most, out }, { path, to, deadline }, { coinOut: true }, call),
  ),
  fn(
    "function swapETHForExactTokens(uint256 amountOut, address[] path, address to, uint256 deadline) payable",
    on,
    { amountOut: feeds.minimum, ...tail },
    ([out, path, to, deadline], call) =>
      exactOut({ most: call.value, out }, { path, to, deadline }, { coinIn: true }, call),
  ),
];

type Side = {
  readonly asset: Asset;
  readonly amount: bigint;
  readonly min: bigint;
  readonly at: readonly [string, string];
};

const addDraft = (sides: readonly Side[], tail: Omit<Tail, "path">, call: CallView): Draft => ({
  act: "add_liquidity",
  gives: sides.map((side) => flow(side.asset, { least: side.min, most: side.amount }, side.at[0])),
  receiver: partyAt(tail.to, call),
  deadline: tail.deadline,
  places: { receiver: "to", deadline: "deadline", minimum: sides[0]?.at[1] ?? "amountAMin" },
});

const addFunctions = (on: readonly string[]): readonly ProtocolFunction[] => [
  fn(
    "function addLiquidity(address tokenA, address tokenB, uint256 amountADesired, uint256 amountBDesired, uint256 amountAMin, uint256 amountBMin, address to, uint256 deadline)",
    on,
    {
      tokenA: feeds.asset,
      tokenB: feeds.asset,
      amountADesired: feeds.amount,
      amountBDesired: feeds.amount,
      amountAMin: feeds.minimum,
      amountBMin: feeds.minimum,
      ...ending,
    },
    ([a, b, amountA, amountB, minA, minB, to, deadline], call) =>
      addDraft(
        [
          { asset: token(lower(a)), amount: amountA, min: minA, at: ["amountADesired", "amountAMin"] },
          { asset: token(lower(b)), amount: amountB, min: minB, at: ["amountBDesired", "amountBMin"] },
        ],
        { to, deadline },
        call,
      ),
  ),
  fn(
    "function addLiquidityETH(address token, uint256 amountTokenDesired, uint256 amountTokenMin, uint256 amountETHMin, address to, uint256 deadline) payable",
    on,
    {
      token: feeds.asset,
      amountTokenDesired: feeds.amount,
      amountTokenMin: feeds.minimum,
      amountETHMin: feeds.minimum,
      ...ending,
    },
    ([at, amount, min, coinMin, to, deadline], call) =>
      addDraft(
        [
          { asset: token(lower(at)), amount, min, at: ["amountTokenDesired", "amountTokenMin"] },
          { asset: native, amount: call.value, min: coinMin, at: ["value", "amountETHMin"] },
        ],
        { to, deadline },
        call,
      ),
  ),
];

type Removal = { readonly liquidity: bigint; readonly to: string; readonly deadline: bigint };
type Got = { readonly asset: Asset; readonly min: bigint; readonly at: string };

const POOL_SHARE = "the pool's own share token, which the arguments do not name";

const removeDraft = (gets: readonly Got[], removal: Removal, call: CallView): Draft => ({
  act: "remove_liquidity",
  gives: [flow(unsaid(POOL_SHARE), exactly(removal.liquidity), "liquidity")],
  gets: gets.map(({ asset, min, at }) => flow(asset, atLeast(min), at)),
  receiver: partyAt(removal.to, call),
  deadline: removal.deadline,
  places: { receiver: "to", deadline: "deadline", amount: "liquidity", minimum: gets[0]?.at ?? "amountAMin" },
});

const PERMIT_TAIL = "bool approveMax, uint8 v, bytes32 r, bytes32 s";
const REMOVE =
  "address tokenA, address tokenB, uint256 liquidity, uint256 amountAMin, uint256 amountBMin, address to, uint256 deadline";
const REMOVE_COIN =
  "address token, uint256 liquidity, uint256 amountTokenMin, uint256 amountETHMin, address to, uint256 deadline";

type RemoveCoinArguments = readonly [string, bigint, bigint, bigint, string, bigint, ...unknown[]];
type RemoveArguments = readonly [string, string, bigint, bigint, bigint, string, bigint, ...unknown[]];

const removeCoin = (
  [at, liquidity, min, coinMin, to, deadline]: RemoveCoinArguments,
  call: CallView,
): Draft =>
  removeDraft(
    [
      { asset: token(lower(at)), min, at: "amountTokenMin" },
      { asset: native, min: coinMin, at: "amountETHMin" },
    ],
    { liquidity, to, deadline },
    call,
  );

const removeTokens = ([a, b, liquidity, minA, minB, to, deadline]: RemoveArguments, call: CallView): Draft =>
  removeDraft(
    [
      { asset: token(lower(a)), min: minA, at: "amountAMin" },
      { asset: token(lower(b)), min: minB, at: "amountBMin" },
    ],
    { liquidity, to, deadline },
    call,
  );

/** A permit for exactly what is removed is used up at once; one for everything outlives the call. */
const permitted = (approveMax: boolean, removal: Draft, call: CallView): readonly Draft[] => {
  if (!approveMax) return [removal];
  const authority = {
    spender: call.to,
    asset: unsaid(POOL_SHARE),
    amount: everything,
    until: null,
    signed: true,
    at: "approveMax",
  };
  return [{ act: "approve", authority, places: { spender: "approveMax" } }, removal];
};

const removeUses = {
  tokenA: feeds.asset,
  tokenB: feeds.asset,
  liquidity: feeds.amount,
  amountAMin: feeds.minimum,
  amountBMin: feeds.minimum,
  ...ending,
};
const removeCoinUses = {
  token: feeds.asset,
  liquidity: feeds.amount,
  amountTokenMin: feeds.minimum,
  amountETHMin: feeds.minimum,
  ...ending,
};
const permitUses = {
  approveMax: feeds.act,
  v: inert.signature,
  r: inert.signature,
  s: inert.signature,
};

const removeFunctions = (on: readonly string[]): readonly ProtocolFunction[] => [
  fn(`function removeLiquidity(${REMOVE})`, on, removeUses, removeTokens),
  fn(
    `function removeLiquidityWithPermit(${REMOVE}, ${PERMIT_TAIL})`,
    on,
    { ...removeUses, ...permitUses },
    (args, call) => permitted(args[7], removeTokens(args, call), call),
  ),
  fn(`function removeLiquidityETH(${REMOVE_COIN})`, on, removeCoinUses, removeCoin),
  fn(
    `function removeLiquidityETHSupportingFeeOnTransferTokens(${REMOVE_COIN})`,
    on,
    removeCoinUses,
    removeCoin,
  ),
  ...(
    ["removeLiquidityETHWithPermit", "removeLiquidityETHWithPermitSupportingFeeOnTransferTokens"] as const
  ).map((name) =>
    fn(
      `function ${name}(${REMOVE_COIN}, ${PERMIT_TAIL})`,
      on,
      { ...removeCoinUses, ...permitUses },
      (args, call) => permitted(args[6], removeCoin(args, call), call),
    ),
  ),
];

/** Every function of a V2 router that moves funds, for the contracts in these roles. */
export const v2RouterFunctions = (on: readonly string[]): readonly ProtocolFunction[] => [
  ...exactInFunctions(on),
  ...exactOutFunctions(on),
  ...addFunctions(on),
  ...removeFunctions(on),
];
