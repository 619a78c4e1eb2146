/** Curve: pools that are called directly and identify coins by index, and a router that takes token addresses. */
import { atLeast, atMost, exactly, type Amount } from "../effects.ts";
import { defineProtocol, fn, type CallView, type Draft, type ProtocolFunction } from "../protocol.ts";
import { feeds, feedsWhen, inert } from "../uses.ts";
import { coinAt, eachCoin, poolAddresses, shareOf } from "./shared/curve-coins.ts";
import { assetAt, flow, lower, onChains, partyAt, swapDraft, ZERO_ADDRESS } from "./shared/swap-draft.ts";

const here = ["pool"];

type Exchange = {
  readonly i: bigint;
  readonly j: bigint;
  readonly dx: bigint;
  readonly min: bigint;
  readonly whole?: boolean;
  readonly to?: string;
};

const exchange = (e: Exchange, call: CallView): Draft =>
  swapDraft({
    gives: flow(coinAt(call, e.i, e.whole), exactly(e.dx), "dx"),
    gets: flow(coinAt(call, e.j, e.whole), atLeast(e.min), "min_dy"),
    receiver: e.to === undefined ? call.sender : partyAt(e.to, call),
    ...(e.to === undefined ? {} : { receiverAt: "receiver" }),
  });

const exchangeUses = { i: feeds.asset, j: feeds.asset, dx: feeds.amount, min_dy: feeds.minimum };
const toUses = { receiver: feeds.receiver };
/** Only for pools that hold the wrapped native token. */
const coinUses = { use_eth: feedsWhen("asset", "one of the two is the wrapped native token") };

const stableExchanges: readonly ProtocolFunction[] = [
  fn(
    "function exchange(int128 i, int128 j, uint256 dx, uint256 min_dy) payable",
    here,
    exchangeUses,
    ([i, j, dx, min], call) => exchange({ i, j, dx, min }, call),
  ),
  fn(
    "function exchange(int128 i, int128 j, uint256 dx, uint256 min_dy, address receiver) payable",
    here,
    { ...exchangeUses, ...toUses },
    ([i, j, dx, min, to], call) => exchange({ i, j, dx, min, to }, call),
  ),
  fn(
    "function exchange_underlying(int128 i, int128 j, uint256 dx, uint256 min_dy) payable",
    here,
    exchangeUses,
    ([i, j, dx, min], call) => exchange({ i, j, dx, min, whole: true }, call),
  ),
  fn(
    "function exchange_underlying(int128 i, int128 j, uint256 dx, uint256 min_dy, address receiver) payable",
    here,
    { ...exchangeUses, ...toUses },
    ([i, j, dx, min, to], call) => exchange({ i, j, dx, min, whole: true, to }, call),
  ),
];

/** Pools of unlike assets. With `use_eth` the wrapped native token goes in or comes out unwrapped. */
const cryptoExchanges: readonly ProtocolFunction[] = [
  fn(
    "function exchange(uint256 i, uint256 j, uint256 dx, uint256 min_dy) payable",
    here,
    exchangeUses,
    ([i, j, dx, min], call) => exchange({ i, j, dx, min }, call),
  ),
  fn(
    "function exchange(uint256 i, uint256 j, uint256 dx, uint256 min_dy, bool use_eth) payable",
    here,
    { ...exchangeUses, ...coinUses },
    ([i, j, dx, min, whole], call) => exchange({ i, j, dx, min, whole }, call),
  ),
  fn(
    "function exchange(uint256 i, uint256 j, uint256 dx, uint256 min_dy, bool use_eth, address receiver) payable",
    here,
    { ...exchangeUses, ...coinUses, ...toUses },
    ([i, j, dx, min, whole, to], call) => exchange({ i, j, dx, min, whole, to }, call),
  ),
  fn(
    "function exchange_underlying(uint256 i, uint256 j, uint256 dx, uint256 min_dy) payable",
    here,
    exchangeUses,
    ([i, j, dx, min], call) => exchange({ i, j, dx, min, whole: true }, call),
  ),
];

type To = string | undefined;

const toWhom = (to: To, call: CallView) => (to === undefined ? call.sender : partyAt(to, call));

const added = (amounts: readonly bigint[], min: bigint, to: To, call: CallView): Draft => ({
  act: "add_liquidity",
  gives: eachCoin(call, amounts, exactly, "amounts"),
  gets: [flow(shareOf(call), atLeast(min), "min_mint_amount")],
  receiver: toWhom(to, call),
  places: { minimum: "min_mint_amount", amount: "amounts" },
});

const removed = (amount: bigint, mins: readonly bigint[], to: To, call: CallView): Draft => ({
  act: "remove_liquidity",
  gives: [flow(shareOf(call), exactly(amount), "amount")],
  gets: mins.map((min, i) => flow(coinAt(call, BigInt(i)), atLeast(min), `min_amounts[${i}]`)),
  receiver: toWhom(to, call),
  places: { minimum: "min_amounts", amount: "amount" },
});

const removedInOne = (amount: bigint, i: bigint, min: bigint, call: CallView): Draft => ({
  act: "remove_liquidity",
  gives: [flow(shareOf(call), exactly(amount), "amount")],
  gets: [flow(coinAt(call, i), atLeast(min), "min_amount")],
  receiver: call.sender,
  places: { minimum: "min_amount", amount: "amount" },
});

/** The number of assets in the pool is part of its functions' types. */
const SIZES = [2, 3, 4] as const;

const liquidity: readonly ProtocolFunction[] = SIZES.flatMap((n) => [
  fn(
    `function add_liquidity(uint256[${n}] amounts, uint256 min_mint_amount) payable`,
    here,
    { amounts: feeds.amount, min_mint_amount: feeds.minimum },
    ([amounts, min], call) => added(amounts as readonly bigint[], min, undefined, call),
  ),
  fn(
    `function remove_liquidity(uint256 amount, uint256[${n}] min_amounts)`,
    here,
    { amount: feeds.amount, min_amounts: feeds.minimum },
    ([amount, mins], call) => removed(amount, mins as readonly bigint[], undefined, call),
  ),
  fn(
    `function remove_liquidity_imbalance(uint256[${n}] amounts, uint256 max_burn_amount)`,
    here,
    { amounts: feeds.minimum, max_burn_amount: feeds.amount },
    ([amounts, most], call) => ({
      act: "remove_liquidity",
      gives: [flow(shareOf(call), atMost(most), "max_burn_amount")],
      gets: eachCoin(call, amounts as readonly bigint[], exactly, "amounts"),
      receiver: call.sender,
      terms: { exactOut: true },
      places: { amount: "max_burn_amount" },
    }),
  ),
]);

const oneCoin: readonly ProtocolFunction[] = [
  fn(
    "function remove_liquidity_one_coin(uint256 amount, int128 i, uint256 min_amount)",
    here,
    { amount: feeds.amount, i: feeds.asset, min_amount: feeds.minimum },
    ([amount, i, min], call) => removedInOne(amount, i, min, call),
  ),
  fn(
    "function remove_liquidity_one_coin(uint256 amount, uint256 i, uint256 min_amount)",
    here,
    { amount: feeds.amount, i: feeds.asset, min_amount: feeds.minimum },
    ([amount, i, min], call) => removedInOne(amount, i, min, call),
  ),
];

/** A route is token, pool, token, and so on, padded with zeros. Its last entry that is not zero is the output. */
type Routed = {
  readonly route: readonly string[];
  readonly amount: bigint;
  readonly least: bigint;
  readonly to?: string;
};

const routed = ({ route, amount, least, to }: Routed, call: CallView): Draft => {
  const steps = route.map(lower).filter((each) => each !== ZERO_ADDRESS);
  const [first, last] = [steps[0], steps.at(-1)];
  const gap = route.map(lower).indexOf(ZERO_ADDRESS);
  if (first === undefined || last === undefined || steps.length % 2 === 0)
    throw new Error("the route does not end with a token");
  if (gap !== -1 && gap < steps.length) throw new Error("the route has a gap");
  const given: Amount = exactly(amount);
  return swapDraft({
    gives: flow(assetAt(first), given, "_amount"),
    gets: flow(assetAt(last), atLeast(least), "_min_dy"),
    receiver: toWhom(to, call),
    ...(to === undefined ? {} : { receiverAt: "_receiver" }),
    terms: { path: steps.filter((_, i) => i % 2 === 0).filter((hop) => assetAt(hop).kind === "token") },
  });
};

const NG = "address[11] _route, uint256[5][5] _swap_params, uint256 _amount, uint256 _min_dy";
const NEWER = "address[11] _route, uint256[4][5] _swap_params, uint256 _amount, uint256 _min_dy";
const FIRST = "address[9] _route, uint256[3][4] _swap_params, uint256 _amount, uint256 _expected";

/**
 * The routers measure their own balance of each token along the way and revert below the minimum, so a malicious pool
 * cannot cost more.
 */
const routeUses = {
  _route: feedsWhen("path", "it is a token, not the pool between two"),
  _swap_params: inert.bounded,
  _amount: feeds.amount,
};
const laterUses = { ...routeUses, _min_dy: feeds.minimum };
const firstUses = { ...routeUses, _expected: feeds.minimum };
const poolsUses = { _pools: inert.bounded };
const routedTo = { ...poolsUses, _receiver: feeds.receiver };

const routers: readonly ProtocolFunction[] = [
  ...([NG, NEWER] as const).flatMap((args) => [
    fn(`function exchange(${args}) payable`, ["router"], laterUses, ([route, , amount, least], call) =>
      routed({ route, amount, least }, call),
    ),
    fn(
      `function exchange(${args}, address[5] _pools) payable`,
      ["router"],
      { ...laterUses, ...poolsUses },
      ([route, , amount, least], call) => routed({ route, amount, least }, call),
    ),
    fn(
      `function exchange(${args}, address[5] _pools, address _receiver) payable`,
      ["router"],
      { ...laterUses, ...routedTo },
      ([route, , amount, least, , to], call) => routed({ route, amount, least, to }, call),
    ),
  ]),
  fn(
    `function exchange_multiple(${FIRST}) payable`,
    ["first_router"],
    firstUses,
    ([route, , amount, least], call) => routed({ route, amount, least }, call),
  ),
  fn(
    `function exchange_multiple(${FIRST}, address[4] _pools) payable`,
    ["first_router"],
    { ...firstUses, ...poolsUses },
    ([route, , amount, least], call) => routed({ route, amount, least }, call),
  ),
  fn(
    `function exchange_multiple(${FIRST}, address[4] _pools, address _receiver) payable`,
    ["first_router"],
    { ...firstUses, ...routedTo },
    ([route, , amount, least, , to], call) => routed({ route, amount, least, to }, call),
  ),
];

export default defineProtocol({
  title: "Curve",
  names: ["curve", "curve finance", "curve.fi", "curve pool", "curve router", "3pool", "tricrypto"],
  contracts: {
    pool: poolAddresses,
    first_router: { 1: "0x99a58482bd75cbab83b27ec03ca68ff489b5788f" },
    router: {
      1: ["0x45312ea0eff7e09c83cbe249fa1d7598c4c8cd4e", "0x16c6521dff6bab339122a0fe25a9116693265353"],
      56: "0xa72c85c258a81761433b4e8da60505fe3dd551cc",
      8453: "0x4f37a9d177470499a2dd084621020b023fcffc1f",
      42161: "0x2191718cd32d02b8e60badffea33e4b5dd9a0a0d",
      ...onChains("0x0dcded3545d565ba3b19e683431381007245d983", [10, 100, 137, 43114]),
    },
  },
  functions: [...stableExchanges, ...cryptoExchanges, ...liquidity, ...oneCoin, ...routers],
});
