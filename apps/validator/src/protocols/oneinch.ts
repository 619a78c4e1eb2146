/** 1inch: routers 3 to 6, whose executors are opaque but whose limits are arguments, and the limit orders of the last. */
import { atLeast, exactly, type Asset } from "../effects.ts";
import { defineProtocol, fn, type CallView, type Draft, type ProtocolFunction } from "../protocol.ts";
import { limitOrder, orderFunctions } from "./shared/oneinch-orders.ts";
import { permitAndCall } from "./shared/oneinch-permit.ts";
import { poolFunctions } from "./shared/oneinch-pools.ts";
import { addressIn, assetAt, flow, onChains, partyAt, swapDraft, ZERO_ADDRESS } from "./shared/swap-draft.ts";

const V6_CHAINS = [1, 10, 56, 100, 130, 137, 146, 250, 8217, 8453, 42161, 43114, 59144, 1313161554];
const PARTIAL_FILL = 1n;

type Description = {
  readonly srcToken: string;
  readonly dstToken: string;
  readonly dstReceiver: string;
  readonly amount: bigint;
  readonly minReturnAmount: bigint;
  readonly flags: bigint;
};

const swap = (desc: Description, call: CallView): Draft =>
  swapDraft({
    gives: flow(assetAt(desc.srcToken), exactly(desc.amount), "desc.amount"),
    gets: flow(assetAt(desc.dstToken), atLeast(desc.minReturnAmount), "desc.minReturnAmount"),
    receiver: partyAt(desc.dstReceiver, call, { sender: ZERO_ADDRESS }),
    receiverAt: "desc.dstReceiver",
    terms: (desc.flags & PARTIAL_FILL) === PARTIAL_FILL ? { partial: true } : {},
  });

type Clipper = {
  readonly input: Asset;
  readonly output: Asset;
  readonly amount: bigint;
  readonly least: bigint;
};

const clipper = (c: Clipper, to: string | null, call: CallView): Draft =>
  swapDraft({
    gives: flow(c.input, exactly(c.amount), "inputAmount"),
    gets: flow(c.output, atLeast(c.least), "outputAmount"),
    receiver: to === null ? call.sender : partyAt(to, call, { sender: ZERO_ADDRESS }),
    ...(to === null ? {} : { receiverAt: "recipient" }),
  });

const CLIPPER_TAIL =
  "address dstToken, uint256 inputAmount, uint256 outputAmount, uint256 goodUntil, bytes32 r, bytes32 vs";

const clippers: readonly ProtocolFunction[] = [
  fn(
    `function clipperSwap(address clipperExchange, uint256 srcToken, ${CLIPPER_TAIL}) payable`,
    ["router_v6"],
    ([, at, output, amount, least], call) =>
      clipper({ input: assetAt(addressIn(at)), output: assetAt(output), amount, least }, null, call),
  ),
  fn(
    `function clipperSwapTo(address clipperExchange, address recipient, uint256 srcToken, ${CLIPPER_TAIL}) payable`,
    ["router_v6"],
    ([, to, at, output, amount, least], call) =>
      clipper({ input: assetAt(addressIn(at)), output: assetAt(output), amount, least }, to, call),
  ),
  fn(
    `function clipperSwap(address clipperExchange, address srcToken, ${CLIPPER_TAIL}) payable`,
    ["router_v5"],
    ([, at, output, amount, least], call) =>
      clipper({ input: assetAt(at), output: assetAt(output), amount, least }, null, call),
  ),
  fn(
    `function clipperSwapTo(address clipperExchange, address recipient, address srcToken, ${CLIPPER_TAIL}) payable`,
    ["router_v5"],
    ([, to, at, output, amount, least], call) =>
      clipper({ input: assetAt(at), output: assetAt(output), amount, least }, to, call),
  ),
];

const DESC =
  "address srcToken, address dstToken, address srcReceiver, address dstReceiver, uint256 amount, uint256 minReturnAmount, uint256 flags";

const swaps: readonly ProtocolFunction[] = [
  fn(`function swap(address executor, (${DESC}) desc, bytes data) payable`, ["router_v6"], ([, desc], call) =>
    swap(desc, call),
  ),
  fn(
    `function swap(address executor, (${DESC}) desc, bytes permit, bytes data) payable`,
    ["router_v5"],
    ([, desc], call) => swap(desc, call),
  ),
  fn(
    `function swap(address caller, (${DESC}, bytes permit) desc, bytes data) payable`,
    ["router_v3", "router_v4"],
    ([, desc], call) => swap(desc, call),
  ),
];

export default defineProtocol({
  title: "1inch",
  names: [
    "1inch",
    "1 inch",
    "one inch",
    "oneinch",
    "1inch network",
    "1inch router",
    "1inch fusion",
    "1inch limit order",
    "1inch aggregator",
  ],
  family: "1inch",
  contracts: {
    router_v3: onChains("0x11111112542d85b3ef69ae05771c2dccff4faa26", [1, 56, 137]),
    router_v4: onChains("0x1111111254fb6c44bac0bed2854e76f90643097d", [1, 10, 56, 137, 42161, 43114]),
    router_v5: onChains(
      "0x1111111254eeb25477b68fb85ed929f73a960582",
      [1, 10, 56, 100, 137, 250, 8453, 42161, 43114, 59144],
    ),
    router_v6: {
      324: "0x6fd4383cb451173d5f9304f041c7bcbf27d561ff",
      ...onChains("0x111111125421ca6dc452d289314280a0f8842a65", V6_CHAINS),
    },
    native_orders: onChains(
      "0xe12e0f117d23a5ccc57f8935cd8c4e80cd91ff01",
      [1, 10, 56, 100, 137, 146, 8453, 42161, 43114, 59144],
    ),
  },
  functions: [...swaps, ...poolFunctions, ...clippers, permitAndCall, ...orderFunctions],
  typedData: [limitOrder],
});
