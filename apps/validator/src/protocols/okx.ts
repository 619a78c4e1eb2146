/**
 * OKX's aggregator. The router compares what the receiver gets of the named token with the minimum, so adapters and
 * pools can only move the price above it. Commissions follow the arguments, where decoders do not look; the engine
 * checks that trailer.
 */
import { word } from "../bytes/openings.ts";
import { atLeast, exactly, native, token, unsaid, type Asset } from "../effects.ts";
import { defineProtocol, fn, unreadFn, type CallView, type Draft } from "../protocol.ts";
import { feeds, feedsWhen, inert, openedBy } from "../uses.ts";
import { addressWord, openAddress, wordOf } from "./shared/address-word.ts";
import { okxRouters } from "./shared/okx-addresses.ts";
import {
  assetAt,
  assetOrCoin,
  flow,
  partyAt,
  receiverOrCaller,
  swapDraft,
  ZERO_ADDRESS,
} from "./shared/swap-draft.ts";

const REQUEST =
  "(uint256 fromToken, address toToken, uint256 fromTokenAmount, uint256 minReturnAmount, uint256 deadLine) baseRequest";
const PATH =
  "(address[] mixAdapters, address[] assetTo, uint256[] rawData, bytes[] extraData, uint256 fromToken)";
const PMM =
  "(uint256 pathIndex, address payer, address fromToken, address toToken, uint256 fromTokenAmountMax, uint256 toTokenAmountMax, uint256 salt, uint256 deadLine, bool isPushOrder, bytes extension)[] extraData";
const BATCHES = `uint256[] batchesAmount, ${PATH}[][] batches, ${PMM}` as const;

const tokenWord = addressWord(assetOrCoin);
/** The upper bits hold the number of the order, which is only logged. */
const loggedToken = addressWord(assetOrCoin, inert.label);
const loggedReceiver = addressWord(receiverOrCaller, inert.label);

const requestUses = {
  fromToken: openedBy(tokenWord),
  toToken: assetOrCoin,
  fromTokenAmount: feeds.amount,
  minReturnAmount: feeds.minimum,
  deadLine: feeds.deadline,
};
const batchUses = { batchesAmount: inert.bounded, batches: inert.bounded, extraData: inert.unused };
const poolUse = feedsWhen("choice", "the router does not unwrap the output");

type Request = {
  readonly fromToken: bigint;
  readonly toToken: string;
  readonly fromTokenAmount: bigint;
  readonly minReturnAmount: bigint;
  readonly deadLine: bigint;
};

type To = { readonly address: string; readonly at: string } | null;

const receiver = (to: To, call: CallView) => ({
  receiver: to === null ? call.sender : partyAt(to.address, call, { sender: ZERO_ADDRESS }),
  ...(to === null ? {} : { receiverAt: to.at }),
});

const swap = (request: Request, to: To, call: CallView): Draft =>
  swapDraft({
    gives: flow(
      assetAt(openAddress(tokenWord, request.fromToken, "baseRequest.fromToken", call)),
      exactly(request.fromTokenAmount),
      "baseRequest.fromTokenAmount",
    ),
    gets: flow(assetAt(request.toToken), atLeast(request.minReturnAmount), "baseRequest.minReturnAmount"),
    ...receiver(to, call),
    deadline: { until: request.deadLine, at: "baseRequest.deadLine" },
  });

const OUTPUT = unsaid("the token the last pool pays out, which the arguments do not name");
const INPUT = unsaid("the token the first pool takes in, which the arguments do not name");
const UNWRAP_PAIR = 254n;
const UNWRAP_V3 = 253n;

type Pools = {
  readonly input: Asset;
  readonly amount: bigint;
  readonly least: bigint;
  readonly pools: readonly bigint[];
  /** For the last pool: the router unwraps its output. */
  readonly unwrapBit: bigint;
};

/** The pools themselves report which token is measured. */
const throughPools = (p: Pools, to: To, call: CallView): Draft => {
  const unwraps = lastHas(p.pools, p.unwrapBit);
  return {
    ...swapDraft({
      gives: flow(p.input, exactly(p.amount), "amount"),
      gets: flow(unwraps ? native : OUTPUT, atLeast(p.least), "minReturn"),
      ...receiver(to, call),
    }),
    choices: unwraps
      ? []
      : p.pools.map((pool, i) => ({ what: "pool", value: wordOf(pool), at: `pools[${i}]` })),
  };
};

const lastHas = (pools: readonly bigint[], bit: bigint): boolean =>
  ((pools.at(-1) ?? 0n) & (1n << bit)) !== 0n;

const wrapData = word("uint1 reversed, uint128 amount", {
  amount: { at: 0, bits: 128, use: feeds.amount },
  unused: { at: 128, bits: 127, use: inert.unused },
  reversed: { at: 255, bits: 1, use: feeds.act },
});

const wrapped = (call: CallView): Asset => {
  const at = call.registry.chain(call.chain)?.wrapped;
  return at ? token(at) : unsaid("the unknown wrapped native token of this chain");
};

const swapWrap = (raw: bigint, call: CallView): Draft => {
  const opened = call.open(wrapData, wordOf(raw), "rawdata");
  const amount = exactly(opened.amount);
  const unwraps = opened.reversed === 1n;
  const [given, got] = unwraps ? [wrapped(call), native] : [native, wrapped(call)];
  return {
    act: unwraps ? "unwrap" : "wrap",
    gives: [flow(given, amount, "rawdata")],
    gets: [flow(got, amount, "rawdata")],
    receiver: call.sender,
    places: { amount: "rawdata" },
  };
};

const here = ["router"];
const poolUses = {
  srcToken: openedBy(loggedToken),
  amount: feeds.amount,
  minReturn: feeds.minimum,
  pools: poolUse,
};

export default defineProtocol({
  title: "OKX DEX",
  names: ["okx", "okx dex", "okx swap", "okx web3", "okx wallet swap", "okx dex router"],
  family: "okx",
  contracts: { router: okxRouters },
  functions: [
    fn(
      `function smartSwapByOrderId(uint256 orderId, ${REQUEST}, ${BATCHES}) payable`,
      here,
      { orderId: inert.label, baseRequest: requestUses, ...batchUses },
      ([, request], call) => swap(request, null, call),
    ),
    fn(
      `function smartSwapTo(uint256 orderId, address receiver, ${REQUEST}, ${BATCHES}) payable`,
      here,
      { orderId: inert.label, receiver: receiverOrCaller, baseRequest: requestUses, ...batchUses },
      ([, to, request], call) => swap(request, { address: to, at: "receiver" }, call),
    ),
    // It swaps what the router already holds.
    unreadFn(`function smartSwapByInvest(${REQUEST}, ${BATCHES}, address to) payable`, here),
    fn(
      `function dagSwapByOrderId(uint256 orderId, ${REQUEST}, ${PATH}[] paths) payable`,
      here,
      { orderId: inert.label, baseRequest: requestUses, paths: inert.bounded },
      ([, request], call) => swap(request, null, call),
    ),
    fn(
      `function dagSwapTo(uint256 orderId, address receiver, ${REQUEST}, ${PATH}[] paths) payable`,
      here,
      { orderId: inert.label, receiver: receiverOrCaller, baseRequest: requestUses, paths: inert.bounded },
      ([, to, request], call) => swap(request, { address: to, at: "receiver" }, call),
    ),
    fn(
      `function unxswapToWithBaseRequest(uint256 orderId, address receiver, ${REQUEST}, bytes32[] pools) payable`,
      here,
      { orderId: inert.label, receiver: receiverOrCaller, baseRequest: requestUses, pools: inert.bounded },
      ([, to, request], call) => swap(request, { address: to, at: "receiver" }, call),
    ),
    fn(
      `function uniswapV3SwapToWithBaseRequest(uint256 orderId, address receiver, ${REQUEST}, uint256[] pools) payable`,
      here,
      { orderId: inert.label, receiver: receiverOrCaller, baseRequest: requestUses, pools: inert.bounded },
      ([, to, request], call) => swap(request, { address: to, at: "receiver" }, call),
    ),
    fn(
      `function swapWrapToWithBaseRequest(uint256 orderId, address receiver, ${REQUEST}) payable`,
      here,
      { orderId: inert.label, receiver: receiverOrCaller, baseRequest: requestUses },
      ([, to, request], call) => swap(request, { address: to, at: "receiver" }, call),
    ),
    fn(
      "function swapWrap(uint256 orderId, uint256 rawdata) payable",
      here,
      { orderId: inert.label, rawdata: openedBy(wrapData) },
      ([, raw], call) => swapWrap(raw, call),
    ),
    fn(
      "function unxswapByOrderId(uint256 srcToken, uint256 amount, uint256 minReturn, bytes32[] pools) payable",
      here,
      poolUses,
      ([from, amount, least, words], call) => {
        const input = assetAt(openAddress(loggedToken, from, "srcToken", call));
        const pools = words.map(BigInt);
        return throughPools({ input, amount, least, pools, unwrapBit: UNWRAP_PAIR }, null, call);
      },
    ),
    fn(
      "function unxswapTo(uint256 srcToken, uint256 amount, uint256 minReturn, address receiver, bytes32[] pools) payable",
      here,
      { ...poolUses, receiver: receiverOrCaller },
      ([from, amount, least, to, words], call) => {
        const input = assetAt(openAddress(loggedToken, from, "srcToken", call));
        const pools = words.map(BigInt);
        return throughPools(
          { input, amount, least, pools, unwrapBit: UNWRAP_PAIR },
          { address: to, at: "receiver" },
          call,
        );
      },
    ),
    fn(
      "function uniswapV3SwapTo(uint256 receiver, uint256 amount, uint256 minReturn, uint256[] pools) payable",
      here,
      {
        receiver: openedBy(loggedReceiver),
        amount: feeds.amount,
        minReturn: feeds.minimum,
        pools: poolUse,
      },
      ([to, amount, least, pools], call) =>
        throughPools(
          { input: call.value > 0n ? native : INPUT, amount, least, pools, unwrapBit: UNWRAP_V3 },
          { address: openAddress(loggedReceiver, to, "receiver", call), at: "receiver" },
          call,
        ),
    ),
  ],
});
