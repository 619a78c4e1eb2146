/**
 * KyberSwap's aggregator. The router compares what the receiver gets, after fees, with the minimum, and takes no more
 * than the amount: targets and pools can only move the price in between.
 */
import { word } from "../bytes/openings.ts";
import { atLeast, exactly } from "../effects.ts";
import type { Hex } from "../proposal.ts";
import { defineProtocol, fn, type CallView, type Draft } from "../protocol.ts";
import { compared, feeds, feedsWhen, inert, openedBy } from "../uses.ts";
import { wordOf } from "./shared/address-word.ts";
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

const DESC =
  "(address srcToken, address dstToken, address[] srcReceivers, uint256[] srcAmounts, address[] feeReceivers, uint256[] feeAmounts, address dstReceiver, uint256 amount, uint256 minReturnAmount, uint256 flags, bytes permit) desc";

type Description = {
  readonly srcToken: string;
  readonly dstToken: string;
  readonly feeReceivers: readonly string[];
  readonly feeAmounts: readonly bigint[];
  readonly dstReceiver: string;
  readonly amount: bigint;
  readonly minReturnAmount: bigint;
  readonly flags: bigint;
  readonly permit: Hex;
};

const hasFees = "fees are taken";
const flags = word("flags of KyberSwap", {
  partialFill: { at: 0, bits: 1, use: feeds.choice },
  extraCoin: { at: 1, bits: 1, use: compared("equal", "whether more native token is sent than is swapped") },
  claims: { at: 2, bits: 1, use: inert.bounded },
  burns: { at: 3, bits: 2, use: inert.unused },
  isSimple: { at: 5, bits: 1, use: inert.bounded },
  feeOnOutput: { at: 6, bits: 1, use: feedsWhen("fee", hasFees) },
  feeInBps: { at: 7, bits: 1, use: feedsWhen("fee", hasFees) },
  approves: { at: 8, bits: 1, use: inert.bounded },
  unused: { at: 9, bits: 247, use: inert.unused },
});

const descUses = {
  srcToken: assetOrCoin,
  dstToken: assetOrCoin,
  srcReceivers: inert.bounded,
  srcAmounts: inert.bounded,
  feeReceivers: feeds.fee,
  feeAmounts: feeds.fee,
  dstReceiver: receiverOrCaller,
  amount: feeds.amount,
  minReturnAmount: feeds.minimum,
  flags: openedBy(flags),
  permit: openedBy(...permitForms),
};

const swap = (desc: Description, call: CallView, at: string): readonly Draft[] => {
  if (desc.feeReceivers.length !== desc.feeAmounts.length)
    throw new Error("the numbers of fees and fee receivers differ");
  const {
    partialFill: partial,
    extraCoin,
    feeOnOutput,
    feeInBps,
  } = call.open(flags, wordOf(desc.flags), `${at}flags`);
  const gives = flow(assetAt(desc.srcToken), exactly(desc.amount), `${at}amount`);
  const into = assetAt(desc.dstToken);
  return [
    ...readPermit(desc.permit, { token: lower(desc.srcToken), at: `${at}permit` }, call),
    {
      ...swapDraft({
        gives,
        gets: flow(into, atLeast(desc.minReturnAmount), `${at}minReturnAmount`),
        receiver: partyAt(desc.dstReceiver, call, { sender: ZERO_ADDRESS }),
        receiverAt: `${at}dstReceiver`,
        fees: desc.feeReceivers.map((to, i) => {
          const amount = desc.feeAmounts[i] ?? 0n;
          return {
            to: partyAt(to, call),
            asset: feeOnOutput === 0n ? gives.asset : into,
            share: feeInBps === 0n ? exactly(amount) : { bps: amount },
            at: `${at}feeAmounts[${i}]`,
          };
        }),
        terms: {
          ...(partial === 1n ? { partial: true } : {}),
          faults: coinFaults(extraCoin === 1n, gives, call),
        },
      }),
      choices: partialFill(partial === 1n, `${at}flags`),
    },
  ];
};

const EXECUTION =
  `(address callTarget, address approveTarget, bytes targetData, ${DESC}, bytes clientData) execution` as const;

export default defineProtocol({
  title: "KyberSwap",
  names: ["kyberswap", "kyber", "kyber swap", "kyberswap aggregator", "kyber network"],
  family: "kyber",
  contracts: {
    router: onChains(
      "0x6131b5fae19ea4f9d964eac0408e4408b66337b5",
      [1, 10, 56, 130, 137, 250, 8453, 42161, 43114, 59144, 534352],
    ),
  },
  functions: [
    ...(["swap", "swapGeneric"] as const).map((name) =>
      fn(
        `function ${name}(${EXECUTION}) payable`,
        ["router"],
        {
          execution: {
            callTarget: inert.bounded,
            approveTarget: inert.bounded,
            targetData: inert.bounded,
            desc: descUses,
            clientData: inert.label,
          },
        },
        ([{ desc }], call) => swap(desc, call, "execution.desc."),
      ),
    ),
    fn(
      `function swapSimpleMode(address caller, ${DESC}, bytes executorData, bytes clientData) payable`,
      ["router"],
      { caller: inert.bounded, desc: descUses, executorData: inert.bounded, clientData: inert.label },
      ([, desc], call) => swap(desc, call, "desc."),
    ),
  ],
});
