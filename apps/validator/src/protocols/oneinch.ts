/**
 * 1inch: routers 3 to 6, and the limit orders of the last. A router pays the output from its own balance, at least
 * the minimum, so the executor and its data can only move the price within it.
 */
import { word } from "../bytes/openings.ts";
import { atLeast, exactly, type Asset } from "../effects.ts";
import type { Hex } from "../proposal.ts";
import { defineProtocol, fn, type CallView, type Draft, type ProtocolFunction } from "../protocol.ts";
import { compared, feeds, inert, openedBy, type Opening } from "../uses.ts";
import { addressWord, openAddress, wordOf } from "./shared/address-word.ts";
import { limitOrder, orderFunctions } from "./shared/oneinch-orders.ts";
import { permitAndCall } from "./shared/oneinch-permit.ts";
import { poolFunctions } from "./shared/oneinch-pools.ts";
import { permitForms, readPermit } from "./shared/router-permits.ts";
import {
  assetAt,
  assetOrCoin,
  coinFaults,
  flow,
  lower,
  onChains,
  partialFill,
  partyAt,
  receiverOrCaller,
  swapDraft,
  ZERO_ADDRESS,
} from "./shared/swap-draft.ts";

const V6_CHAINS = [1, 10, 56, 100, 130, 137, 146, 250, 8217, 8453, 42161, 43114, 59144, 1313161554];
type Description = {
  readonly srcToken: string;
  readonly dstToken: string;
  readonly dstReceiver: string;
  readonly amount: bigint;
  readonly minReturnAmount: bigint;
  readonly flags: bigint;
};

type Flags = Opening<{ readonly partialFill: bigint; readonly extraCoin: bigint; readonly burns?: bigint }>;

const flagBits = {
  partialFill: { at: 0, bits: 1, use: feeds.choice },
  extraCoin: { at: 1, bits: 1, use: compared("equal", "whether more native token is sent than is swapped") },
} as const;
/** Whether allowances of Permit2 are used. */
const flagsV6: Flags = word("flags of router 6", {
  ...flagBits,
  usesPermit2: { at: 2, bits: 1, use: inert.hint },
  unused: { at: 3, bits: 253, use: inert.unused },
});
const flagsV5: Flags = word("flags of router 5", {
  ...flagBits,
  unused: { at: 2, bits: 254, use: inert.unused },
});
const flagsV4: Flags = word("flags of routers 3 and 4", {
  ...flagBits,
  claims: { at: 2, bits: 1, use: inert.hint },
  // Gas tokens of the caller are burned.
  burns: { at: 3, bits: 2, use: compared("equal", "zero") },
  unused: { at: 5, bits: 251, use: inert.unused },
});

const swap = (desc: Description, flags: Flags, call: CallView): Draft => {
  const { partialFill: partial, extraCoin, burns = 0n } = call.open(flags, wordOf(desc.flags), "desc.flags");
  if (burns !== 0n) throw new Error("gas tokens of the caller are burned");
  const gives = flow(assetAt(desc.srcToken), exactly(desc.amount), "desc.amount");
  return {
    ...swapDraft({
      gives,
      gets: flow(assetAt(desc.dstToken), atLeast(desc.minReturnAmount), "desc.minReturnAmount"),
      receiver: partyAt(desc.dstReceiver, call, { sender: ZERO_ADDRESS }),
      receiverAt: "desc.dstReceiver",
      terms: {
        ...(partial === 1n ? { partial: true } : {}),
        faults: coinFaults(extraCoin === 1n, gives, call),
      },
    }),
    choices: partialFill(partial === 1n, "desc.flags"),
  };
};

type Permit = { readonly data: Hex; readonly at: string };

const permitted = (desc: Description, { data, at }: Permit, call: CallView): readonly Draft[] =>
  readPermit(data, { token: lower(desc.srcToken), at }, call);

type Clipper = {
  readonly exchange: string;
  readonly input: Asset;
  readonly output: Asset;
  readonly amount: bigint;
  readonly least: bigint;
  readonly until: bigint;
  readonly to?: string;
};

/** The router passes the input to the exchange and does not check what it pays. */
const clipper = (c: Clipper, call: CallView): Draft => ({
  ...swapDraft({
    gives: flow(c.input, exactly(c.amount), "inputAmount"),
    gets: flow(c.output, atLeast(c.least), "outputAmount"),
    receiver: c.to === undefined ? call.sender : partyAt(c.to, call),
    ...(c.to === undefined ? {} : { receiverAt: "recipient" }),
    deadline: { until: c.until, at: "goodUntil" },
  }),
  choices: [{ what: "exchange", value: c.exchange, at: "clipperExchange" }],
});

const CLIPPER_TAIL =
  "address dstToken, uint256 inputAmount, uint256 outputAmount, uint256 goodUntil, bytes32 r, bytes32 vs";
const clipperTail = {
  dstToken: assetOrCoin,
  inputAmount: feeds.amount,
  outputAmount: feeds.minimum,
  goodUntil: feeds.deadline,
  r: inert.signature,
  vs: inert.signature,
};
/** The upper bits say whether allowances of Permit2 are used. */
const clipperToken = addressWord(assetOrCoin, inert.hint);
const clipperV6 = { clipperExchange: feeds.choice, srcToken: openedBy(clipperToken), ...clipperTail };
const clipperV5 = { clipperExchange: feeds.choice, srcToken: assetOrCoin, ...clipperTail };

const tokenIn = (word: bigint, call: CallView): Asset =>
  assetAt(openAddress(clipperToken, word, "srcToken", call));

const clippers: readonly ProtocolFunction[] = [
  fn(
    `function clipperSwap(address clipperExchange, uint256 srcToken, ${CLIPPER_TAIL}) payable`,
    ["router_v6"],
    clipperV6,
    ([exchange, from, output, amount, least, until], call) =>
      clipper({ exchange, input: tokenIn(from, call), output: assetAt(output), amount, least, until }, call),
  ),
  fn(
    `function clipperSwapTo(address clipperExchange, address recipient, uint256 srcToken, ${CLIPPER_TAIL}) payable`,
    ["router_v6"],
    { ...clipperV6, recipient: feeds.receiver },
    ([exchange, to, from, output, amount, least, until], call) =>
      clipper(
        { exchange, input: tokenIn(from, call), output: assetAt(output), amount, least, until, to },
        call,
      ),
  ),
  fn(
    `function clipperSwap(address clipperExchange, address srcToken, ${CLIPPER_TAIL}) payable`,
    ["router_v5"],
    clipperV5,
    ([exchange, from, output, amount, least, until], call) =>
      clipper({ exchange, input: assetAt(from), output: assetAt(output), amount, least, until }, call),
  ),
  fn(
    `function clipperSwapTo(address clipperExchange, address recipient, address srcToken, ${CLIPPER_TAIL}) payable`,
    ["router_v5"],
    { ...clipperV5, recipient: feeds.receiver },
    ([exchange, to, from, output, amount, least, until], call) =>
      clipper({ exchange, input: assetAt(from), output: assetAt(output), amount, least, until, to }, call),
  ),
];

const DESC =
  "address srcToken, address dstToken, address srcReceiver, address dstReceiver, uint256 amount, uint256 minReturnAmount, uint256 flags";
const descUses = {
  srcToken: assetOrCoin,
  dstToken: assetOrCoin,
  srcReceiver: inert.bounded,
  dstReceiver: receiverOrCaller,
  amount: feeds.amount,
  minReturnAmount: feeds.minimum,
};
const permitUse = openedBy(...permitForms);

const swaps: readonly ProtocolFunction[] = [
  fn(
    `function swap(address executor, (${DESC}) desc, bytes data) payable`,
    ["router_v6"],
    { executor: inert.bounded, desc: { ...descUses, flags: openedBy(flagsV6) }, data: inert.bounded },
    ([, desc], call) => swap(desc, flagsV6, call),
  ),
  fn(
    `function swap(address executor, (${DESC}) desc, bytes permit, bytes data) payable`,
    ["router_v5"],
    {
      executor: inert.bounded,
      desc: { ...descUses, flags: openedBy(flagsV5) },
      permit: permitUse,
      data: inert.bounded,
    },
    ([, desc, permit], call) => [
      ...permitted(desc, { data: permit, at: "permit" }, call),
      swap(desc, flagsV5, call),
    ],
  ),
  fn(
    `function swap(address caller, (${DESC}, bytes permit) desc, bytes data) payable`,
    ["router_v3", "router_v4"],
    {
      caller: inert.bounded,
      desc: { ...descUses, flags: openedBy(flagsV4), permit: permitUse },
      data: inert.bounded,
    },
    ([, desc], call) => [
      ...permitted(desc, { data: desc.permit, at: "desc.permit" }, call),
      swap(desc, flagsV4, call),
    ],
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
