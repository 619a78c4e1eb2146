/** KyberSwap's aggregator: the way is opaque, the limits are arguments, and so are the fees. */
import { atLeast, exactly } from "../effects.ts";
import { defineProtocol, fn, type CallView, type Draft } from "../protocol.ts";
import { assetAt, flow, onChains, partyAt, swapDraft, ZERO_ADDRESS } from "./shared/swap-draft.ts";

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
};

const PARTIAL_FILL = 0x01n;
const FEE_ON_OUTPUT = 0x40n;
const FEE_IN_BPS = 0x80n;

const feesOf = (desc: Description, call: CallView, at: string): Draft["fees"] => {
  const asset = assetAt((desc.flags & FEE_ON_OUTPUT) === 0n ? desc.srcToken : desc.dstToken);
  return desc.feeReceivers.map((to, i) => {
    const amount = desc.feeAmounts[i] ?? 0n;
    const share = (desc.flags & FEE_IN_BPS) === 0n ? exactly(amount) : { bps: amount };
    return { to: partyAt(to, call), asset, share, at: `${at}feeAmounts[${i}]` };
  });
};

const swap = (desc: Description, call: CallView, at: string): Draft => {
  if (desc.feeReceivers.length !== desc.feeAmounts.length)
    throw new Error("there are not as many fees as receivers of fees");
  return swapDraft({
    gives: flow(assetAt(desc.srcToken), exactly(desc.amount), `${at}amount`),
    gets: flow(assetAt(desc.dstToken), atLeast(desc.minReturnAmount), `${at}minReturnAmount`),
    receiver: partyAt(desc.dstReceiver, call, { sender: ZERO_ADDRESS }),
    receiverAt: `${at}dstReceiver`,
    fees: feesOf(desc, call, at),
    terms: (desc.flags & PARTIAL_FILL) === 0n ? {} : { partial: true },
  });
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
      fn(`function ${name}(${EXECUTION}) payable`, ["router"], ([{ desc }], call) =>
        swap(desc, call, "execution.desc."),
      ),
    ),
    fn(
      `function swapSimpleMode(address caller, ${DESC}, bytes executorData, bytes clientData) payable`,
      ["router"],
      ([, desc], call) => swap(desc, call, "desc."),
    ),
  ],
});
