/**
 * 0x: the older exchange proxy, and today's settlers with the contract that holds allowances for them. Both compare
 * what arrives with the minimum, so providers, pools and actions can only move the price above it.
 */
import { decodeBlob } from "../bytes/decode.ts";
import { blob } from "../bytes/openings.ts";
import {
  atLeast,
  everything,
  exactly,
  native,
  unsaid,
  MAX_UINT,
  type Amount,
  type Asset,
} from "../effects.ts";
import type { Address, Hex } from "../proposal.ts";
import {
  defineProtocol,
  fn,
  unreadFn,
  type CallView,
  type Draft,
  type DraftFlow,
  type ProtocolFunction,
} from "../protocol.ts";
import { compared, feeds, feedsAll, feedsWhen, inert, openedBy } from "../uses.ts";
import {
  assetAt,
  assetOrCoin,
  flow,
  lower,
  onChains,
  partyAt,
  receiverOrCaller,
  swapDraft,
  ZERO_ADDRESS,
} from "./shared/swap-draft.ts";
import { routeOf } from "./shared/v3-path.ts";
import { openRoute, packedRoute } from "./shared/v3-route.ts";
import { settlersOn } from "./shared/zerox-settlers.ts";

const SETTLED = [1, 10, 56, 130, 137, 8453, 42161, 43114, 59144, 11155111];
const settlers = settlersOn(SETTLED);

type Trade = {
  readonly from: Asset;
  readonly into: Asset;
  readonly amount: bigint;
  readonly least: bigint;
  readonly to?: string;
  readonly names?: readonly [amount: string, least: string];
  readonly path?: readonly Address[];
};

/** The maximum integer means the caller's whole balance. */
const soldAmount = (amount: bigint): Amount => (amount === MAX_UINT ? everything : exactly(amount));

const trade = (t: Trade, call: CallView): Draft => {
  const [amountAt, leastAt] = t.names ?? ["sellAmount", "minBuyAmount"];
  return swapDraft({
    gives: flow(t.from, soldAmount(t.amount), t.from.kind === "native" ? "value" : amountAt),
    gets: flow(t.into, atLeast(t.least), leastAt),
    receiver: t.to === undefined ? call.sender : partyAt(t.to, call, { sender: ZERO_ADDRESS }),
    ...(t.to === undefined ? {} : { receiverAt: "recipient" }),
    ...(t.path === undefined ? {} : { terms: { path: t.path } }),
  });
};

type Ends = { readonly from: Asset; readonly into: Asset; readonly path: readonly Address[] };

const listed = (tokens: readonly string[]): Ends => {
  const { first, last, path } = routeOf(tokens.map(lower));
  return { from: assetAt(first), into: assetAt(last), path };
};

const alongRoute = (path: Hex, call: CallView): Ends => listed(openRoute(path, "encodedPath", call));

const proxy = ["exchange_proxy"];

const sold = { sellAmount: feeds.amount, minBuyAmount: feeds.minimum };
const tokensUse = feedsAll("asset", "path");

const pairSells: readonly ProtocolFunction[] = [
  fn(
    "function transformERC20(address inputToken, address outputToken, uint256 inputTokenAmount, uint256 minOutputTokenAmount, (uint32 deploymentNonce, bytes data)[] transformations) payable",
    proxy,
    {
      inputToken: assetOrCoin,
      outputToken: assetOrCoin,
      inputTokenAmount: feeds.amount,
      minOutputTokenAmount: feeds.minimum,
      transformations: inert.bounded,
    },
    ([from, into, amount, least], call) =>
      trade(
        {
          from: assetAt(from),
          into: assetAt(into),
          amount,
          least,
          names: ["inputTokenAmount", "minOutputTokenAmount"],
        },
        call,
      ),
  ),
  fn(
    "function sellToUniswap(address[] tokens, uint256 sellAmount, uint256 minBuyAmount, bool isSushi) payable",
    proxy,
    { tokens: tokensUse, ...sold, isSushi: inert.bounded },
    ([tokens, amount, least], call) => trade({ ...listed(tokens), amount, least }, call),
  ),
  fn(
    "function sellToPancakeSwap(address[] tokens, uint256 sellAmount, uint256 minBuyAmount, uint8 fork) payable",
    proxy,
    { tokens: tokensUse, ...sold, fork: inert.bounded },
    ([tokens, amount, least], call) => trade({ ...listed(tokens), amount, least }, call),
  ),
  fn(
    "function sellToLiquidityProvider(address inputToken, address outputToken, address provider, address recipient, uint256 sellAmount, uint256 minBuyAmount, bytes auxiliaryData) payable",
    proxy,
    {
      inputToken: assetOrCoin,
      outputToken: assetOrCoin,
      provider: inert.bounded,
      recipient: receiverOrCaller,
      ...sold,
      auxiliaryData: inert.bounded,
    },
    ([from, into, , to, amount, least], call) =>
      trade({ from: assetAt(from), into: assetAt(into), amount, least, to }, call),
  ),
];

const routeUses = {
  encodedPath: openedBy(packedRoute),
  minBuyAmount: feeds.minimum,
  recipient: receiverOrCaller,
};

const v3Sells: readonly ProtocolFunction[] = [
  fn(
    "function sellTokenForTokenToUniswapV3(bytes encodedPath, uint256 sellAmount, uint256 minBuyAmount, address recipient)",
    proxy,
    { ...routeUses, sellAmount: feeds.amount },
    ([path, amount, least, to], call) => trade({ ...alongRoute(path, call), amount, least, to }, call),
  ),
  fn(
    "function sellTokenForEthToUniswapV3(bytes encodedPath, uint256 sellAmount, uint256 minBuyAmount, address recipient)",
    proxy,
    { ...routeUses, sellAmount: feeds.amount },
    ([path, amount, least, to], call) =>
      trade({ ...alongRoute(path, call), into: native, amount, least, to }, call),
  ),
  fn(
    "function sellEthForTokenToUniswapV3(bytes encodedPath, uint256 minBuyAmount, address recipient) payable",
    proxy,
    routeUses,
    ([path, least, to], call) =>
      trade({ ...alongRoute(path, call), from: native, amount: call.value, least, to }, call),
  ),
];

const BATCH = "(uint8 id, uint256 sellAmount, bytes data)[] calls";
const HOPS = "(uint8 id, bytes data)[] calls";
/** Parts with a route of their own can take any token that the proxy may take, and are not read. */
const multiplex: readonly ProtocolFunction[] = [
  unreadFn(
    `function multiplexBatchSellTokenForToken(address inputToken, address outputToken, ${BATCH}, uint256 sellAmount, uint256 minBuyAmount)`,
    proxy,
  ),
  unreadFn(
    `function multiplexBatchSellEthForToken(address outputToken, ${BATCH}, uint256 minBuyAmount) payable`,
    proxy,
  ),
  unreadFn(
    `function multiplexBatchSellTokenForEth(address inputToken, ${BATCH}, uint256 sellAmount, uint256 minBuyAmount)`,
    proxy,
  ),
  unreadFn(
    `function multiplexMultiHopSellTokenForToken(address[] tokens, ${HOPS}, uint256 sellAmount, uint256 minBuyAmount)`,
    proxy,
  ),
  unreadFn(
    `function multiplexMultiHopSellEthForToken(address[] tokens, ${HOPS}, uint256 minBuyAmount) payable`,
    proxy,
  ),
  unreadFn(
    `function multiplexMultiHopSellTokenForEth(address[] tokens, ${HOPS}, uint256 sellAmount, uint256 minBuyAmount)`,
    proxy,
  ),
];

const SLIPPAGE = "(address recipient, address buyToken, uint256 minAmountOut) slippage";
const SETTLER_EXECUTE = "0x1fff991f";
const TRANSFER_FROM = "0xc1fb425e";
const SELECTOR_DIGITS = 10;

type Slippage = { readonly recipient: string; readonly buyToken: string; readonly minAmountOut: bigint };

const slippageUses = {
  recipient: feeds.receiver,
  buyToken: assetOrCoin,
  minAmountOut: feeds.minimum,
};

const settle = (gives: readonly DraftFlow[], slippage: Slippage, call: CallView, at: string): Draft => {
  const [first, ...more] = gives;
  if (first === undefined) throw new Error("nothing is given");
  // Without a minimum the settler checks nothing and pays out nothing.
  if (slippage.minAmountOut === 0n) throw new Error("the settler checks no minimum");
  const draft = swapDraft({
    gives: first,
    gets: flow(assetAt(slippage.buyToken), atLeast(slippage.minAmountOut), `${at}slippage.minAmountOut`),
    receiver: partyAt(slippage.recipient, call),
    receiverAt: `${at}slippage.recipient`,
  });
  return { ...draft, gives: [first, ...more] };
};

const TRANSFER_FORM =
  "address recipient, ((address token, uint256 amount) permitted, uint256 nonce, uint256 deadline) permit, bytes sig";

type Permit = { readonly permitted: { readonly token: string; readonly amount: bigint } };

/** Actions that use what the settler holds, and take nothing from the caller. */
const FUNDED = new Set([
  "0xbd01c226", // NATIVE_CHECK
  "0x38c9c147", // BASIC
  "0x103b48be", // UNISWAPV2
  "0x8d68a156", // UNISWAPV3
  "0xaf72634f", // UNISWAPV4
  "0xfd8c38e1", // BALANCERV3
  "0xf5b99189", // VELODROME
]);

const UNSAID = unsaid("what the settler's actions take, which cannot be read");

/**
 * Only the first action can take from the caller, and only what the caller's signature permits. Native value counts
 * in addition.
 */
const taken = (actions: readonly Hex[], call: CallView): readonly DraftFlow[] => {
  const coin = call.value > 0n ? [flow(native, exactly(call.value), "value")] : [];
  const [first = "0x"] = actions;
  if (first.startsWith(TRANSFER_FROM)) {
    const decoded = decodeBlob(TRANSFER_FORM, `0x${first.slice(SELECTOR_DIGITS)}`);
    const [, { permitted }] = decoded as unknown as readonly [string, Permit, Hex];
    return [...coin, flow(assetAt(permitted.token), exactly(permitted.amount), "actions[0]")];
  }
  if (coin.length > 0 && FUNDED.has(first.slice(0, SELECTOR_DIGITS))) return coin;
  return [...coin, flow(UNSAID, { least: 0n, most: MAX_UINT }, "actions")];
};

const isSettler = (address: string, chain: number): boolean =>
  settlers[chain]?.includes(lower(address)) === true;

const settlerCall = blob(
  `${SLIPPAGE}, bytes[] actions, bytes32 zid`,
  { slippage: slippageUses, actions: inert.bounded, zid: inert.attribution },
  { skipBytes: 4 },
);

/** The allowance lasts for this call only, but its spender may use all of it, so the spender has to be a settler. */
const exec = fn(
  "function exec(address operator, address token, uint256 amount, address target, bytes data) payable",
  ["allowance_holder"],
  {
    operator: compared("one_of", "the settlers"),
    token: feedsWhen("asset", "it is not the native token"),
    amount: feedsWhen("amount", "the token is not the native token"),
    target: compared("equal", "operator"),
    data: openedBy(settlerCall),
  },
  ([operator, token, amount, target, data], call) => {
    if (!isSettler(operator, call.chain) || lower(operator) !== lower(target)) {
      throw new Error("the temporary allowance goes to a contract that is not a settler");
    }
    if (!data.startsWith(SETTLER_EXECUTE)) throw new Error("the call to the settler is not a swap");
    const [slippage] = call.open(settlerCall, data, "data");
    const asset = assetAt(token);
    const lent = asset.kind === "native" || amount === 0n ? [] : [flow(asset, exactly(amount), "amount")];
    const coin = call.value > 0n ? [flow(native, exactly(call.value), "value")] : [];
    return settle([...coin, ...lent], slippage, call, "data.");
  },
);

const CANCUN = [1, 10, 56, 130, 137, 146, 480, 8453, 42161, 43114, 57073, 59144, 80094, 534352, 11155111];

export default defineProtocol({
  title: "0x",
  names: ["0x", "0x protocol", "0x exchange", "0x api", "0x swap", "matcha", "matcha.xyz", "0x settler"],
  family: "0x",
  contracts: {
    exchange_proxy: {
      10: "0xdef1abe32c034e558cdd535791643c58a13acc10",
      250: "0xdef189deaef76e379df891899eb5a00a94cbc250",
      ...onChains(
        "0xdef1c0ded9bec7f1a1670819833240f027b25eff",
        [1, 56, 137, 8453, 42161, 42220, 43114, 11155111],
      ),
    },
    allowance_holder: onChains("0x0000000000001ff3684f28c67538d4d072c22734", CANCUN),
    settler: settlers,
  },
  functions: [
    ...pairSells,
    ...v3Sells,
    ...multiplex,
    fn(
      `function execute(${SLIPPAGE}, bytes[] actions, bytes32 zid) payable`,
      ["settler"],
      {
        slippage: slippageUses,
        actions: feedsWhen("asset", "it is the first, and takes what the caller's signature permits"),
        zid: inert.attribution,
      },
      ([slippage, actions], call) => settle(taken(actions, call), slippage, call, ""),
    ),
    exec,
  ],
});
