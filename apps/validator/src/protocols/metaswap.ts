/**
 * MetaMask's swaps: a router that calls a named adapter with packed data, which holds the limits and the fee. Only
 * MetaMask registers adapters, and each pays at least the minimum out of what it received.
 */
import { blob } from "../bytes/openings.ts";
import { atLeast, exactly, amountFault } from "../effects.ts";
import type { Hex } from "../proposal.ts";
import { defineProtocol, fn, type CallView, type Draft } from "../protocol.ts";
import { compared, feeds, feedsWhen, inert, openedBy, type Opening } from "../uses.ts";
import { assetAt, assetOrCoin, flow, lower, onChains, swapDraft } from "./shared/swap-draft.ts";

const hasFee = "the fee is not zero";
const withCaller = blob(
  "address caller, address tokenFrom, address tokenTo, uint256 amountFrom, uint256 amountTo, bytes metadata, uint256 fee, address feeWallet, bool feeTo",
  {
    caller: inert.unused,
    tokenFrom: compared("equal", "the token in the outer arguments"),
    tokenTo: assetOrCoin,
    amountFrom: compared("equal", "the amount in the outer arguments, less the fee"),
    amountTo: feeds.minimum,
    metadata: inert.bounded,
    fee: feeds.fee,
    feeWallet: feedsWhen("fee", hasFee),
    feeTo: feedsWhen("fee", hasFee),
  },
);
type Inside = ReturnType<typeof withCaller.read>["values"];

const WORD_BITS = 256;

/** The router puts the caller before the data when it passes it on, so offsets inside count from there. */
const inside: Opening<Inside> = {
  name: "the data of a swap with a fee",
  fields: withCaller.fields.slice(1),
  read: (data) => {
    const { values, leaves } = withCaller.read(`0x${"00".repeat(WORD_BITS / 8)}${data.slice(2)}`);
    return {
      values,
      leaves: () =>
        leaves()
          .slice(1)
          .map((leaf) => ({ ...leaf, bits: [leaf.bits[0] - WORD_BITS, leaf.bits[1] - WORD_BITS] })),
    };
  },
};

/** Adapters whose data has the form that is read here. */
const ADAPTERS = /^(?:oneInch|0x|openOcean|paraswap|kyberSwap)[A-Za-z0-9]*FeeDynamic$/;

type Given = {
  readonly adapter: string;
  readonly tokenFrom: string;
  readonly amount: bigint;
  readonly data: Hex;
};

const swap = ({ adapter, tokenFrom, amount, data }: Given, call: CallView): Draft => {
  const gives = flow(assetAt(tokenFrom), exactly(amount), "amount");
  if (!ADAPTERS.test(adapter)) throw new Error("the adapter is not known, so its data cannot be read");
  const [, from, into, amountFrom, least, , fee, wallet, feeOnOutput] = call.open(inside, data, "data");
  const faults = [
    ...(lower(from) === lower(tokenFrom)
      ? []
      : [amountFault("the outer arguments and the swap data name different tokens")]),
    ...(amountFrom + (feeOnOutput ? 0n : fee) === amount
      ? []
      : [amountFault("the outer amount is not the swap amount plus its fee")]),
  ];
  const asset = assetAt(feeOnOutput ? into : from);
  return {
    ...swapDraft({
      gives,
      gets: flow(assetAt(into), atLeast(least), "data.amountTo"),
      receiver: call.sender,
      fees: fee === 0n ? [] : [{ to: lower(wallet), asset, share: exactly(fee), at: "data.fee" }],
      terms: faults.length > 0 ? { faults } : {},
    }),
    choices: [{ what: "adapter", value: adapter, at: "aggregatorId", known: true }],
  };
};

export default defineProtocol({
  title: "MetaMask Swaps",
  names: ["metamask swap", "metamask swaps", "metaswap"],
  contracts: {
    router: {
      1: "0x881d40237659c251811cec9c364ef91dc08d300c",
      324: "0xf504c1fe13d14df615e66dcd0abf39e60c697f34",
      ...onChains("0x1a1ec25dc08e98e5e93f1104b5e5cdd298707d31", [56, 137, 43114]),
      ...onChains("0x9dda6ef3d919c9bc8885d5560999a3640431e8e6", [10, 8453, 42161, 59144]),
    },
  },
  functions: [
    fn(
      "function swap(string aggregatorId, address tokenFrom, uint256 amount, bytes data) payable",
      ["router"],
      {
        aggregatorId: feeds.choice,
        tokenFrom: assetOrCoin,
        amount: feeds.amount,
        data: openedBy(inside),
      },
      ([adapter, tokenFrom, amount, data], call) => swap({ adapter, tokenFrom, amount, data }, call),
    ),
  ],
});
