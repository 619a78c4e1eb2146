/** OKX's aggregator. Commissions stand behind the arguments, where no decoder looks; the engine judges that trailer. */
import { atLeast, exactly, native, token, unsaid, type Asset } from "../effects.ts";
import { defineProtocol, fn, type CallView, type Draft } from "../protocol.ts";
import { okxRouters } from "./shared/okx-addresses.ts";
import { addressIn, assetAt, flow, partyAt, swapDraft, ZERO_ADDRESS } from "./shared/swap-draft.ts";

const REQUEST =
  "(uint256 fromToken, address toToken, uint256 fromTokenAmount, uint256 minReturnAmount, uint256 deadLine) baseRequest";
const PATH =
  "(address[] mixAdapters, address[] assetTo, uint256[] rawData, bytes[] extraData, uint256 fromToken)";
const PMM =
  "(uint256 pathIndex, address payer, address fromToken, address toToken, uint256 fromTokenAmountMax, uint256 toTokenAmountMax, uint256 salt, uint256 deadLine, bool isPushOrder, bytes extension)[] extraData";
const BATCHES = `uint256[] batchesAmount, ${PATH}[][] batches, ${PMM}` as const;

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
      assetAt(addressIn(request.fromToken)),
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
  readonly unwraps: boolean;
};

const throughPools = (p: Pools, to: To, call: CallView): Draft =>
  swapDraft({
    gives: flow(p.input, exactly(p.amount), "amount"),
    gets: flow(p.unwraps ? native : OUTPUT, atLeast(p.least), "minReturn"),
    ...receiver(to, call),
  });

const lastHas = (pools: readonly bigint[], bit: bigint): boolean =>
  ((pools.at(-1) ?? 0n) & (1n << bit)) !== 0n;

const AMOUNT_BITS = (1n << 128n) - 1n;
const REVERSED = 1n << 255n;

const wrapped = (call: CallView): Asset => {
  const at = call.registry.chain(call.chain)?.wrapped;
  return at ? token(at) : unsaid("this chain's wrapped coin, which we do not know");
};

const swapWrap = (raw: bigint, call: CallView): Draft => {
  const amount = exactly(raw & AMOUNT_BITS);
  const unwraps = (raw & REVERSED) !== 0n;
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

export default defineProtocol({
  title: "OKX DEX",
  names: ["okx", "okx dex", "okx swap", "okx web3", "okx wallet swap", "okx dex router"],
  family: "okx",
  contracts: { router: okxRouters },
  functions: [
    fn(
      `function smartSwapByOrderId(uint256 orderId, ${REQUEST}, ${BATCHES}) payable`,
      here,
      ([, request], call) => swap(request, null, call),
    ),
    fn(
      `function smartSwapTo(uint256 orderId, address receiver, ${REQUEST}, ${BATCHES}) payable`,
      here,
      ([, to, request], call) => swap(request, { address: to, at: "receiver" }, call),
    ),
    fn(
      `function smartSwapByInvest(${REQUEST}, ${BATCHES}, address to) payable`,
      here,
      ([request, , , , to], call) => swap(request, { address: to, at: "to" }, call),
    ),
    fn(
      `function dagSwapByOrderId(uint256 orderId, ${REQUEST}, ${PATH}[] paths) payable`,
      here,
      ([, request], call) => swap(request, null, call),
    ),
    fn(
      `function dagSwapTo(uint256 orderId, address receiver, ${REQUEST}, ${PATH}[] paths) payable`,
      here,
      ([, to, request], call) => swap(request, { address: to, at: "receiver" }, call),
    ),
    fn(
      `function unxswapToWithBaseRequest(uint256 orderId, address receiver, ${REQUEST}, bytes32[] pools) payable`,
      here,
      ([, to, request], call) => swap(request, { address: to, at: "receiver" }, call),
    ),
    fn(
      `function uniswapV3SwapToWithBaseRequest(uint256 orderId, address receiver, ${REQUEST}, uint256[] pools) payable`,
      here,
      ([, to, request], call) => swap(request, { address: to, at: "receiver" }, call),
    ),
    fn(
      `function swapWrapToWithBaseRequest(uint256 orderId, address receiver, ${REQUEST}) payable`,
      here,
      ([, to, request], call) => swap(request, { address: to, at: "receiver" }, call),
    ),
    fn("function swapWrap(uint256 orderId, uint256 rawdata) payable", here, ([, raw], call) =>
      swapWrap(raw, call),
    ),
    fn(
      "function unxswapByOrderId(uint256 srcToken, uint256 amount, uint256 minReturn, bytes32[] pools) payable",
      here,
      ([at, amount, least, pools], call) =>
        throughPools(
          { input: assetAt(addressIn(at)), amount, least, unwraps: lastHas(pools.map(BigInt), UNWRAP_PAIR) },
          null,
          call,
        ),
    ),
    fn(
      "function unxswapTo(uint256 srcToken, uint256 amount, uint256 minReturn, address receiver, bytes32[] pools) payable",
      here,
      ([at, amount, least, to, pools], call) =>
        throughPools(
          { input: assetAt(addressIn(at)), amount, least, unwraps: lastHas(pools.map(BigInt), UNWRAP_PAIR) },
          { address: to, at: "receiver" },
          call,
        ),
    ),
    fn(
      "function uniswapV3SwapTo(uint256 receiver, uint256 amount, uint256 minReturn, uint256[] pools) payable",
      here,
      ([to, amount, least, pools], call) =>
        throughPools(
          { input: call.value > 0n ? native : INPUT, amount, least, unwraps: lastHas(pools, UNWRAP_V3) },
          { address: addressIn(to), at: "receiver" },
          call,
        ),
    ),
  ],
});
