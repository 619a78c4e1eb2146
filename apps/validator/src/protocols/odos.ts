/**
 * Odos: one or several tokens for one or several others. The router measures what its executor returns, takes the
 * referral fee, and pays at least the minimum: the executor and the quote can only move the price within it.
 */
import { atLeast, everything, exactly } from "../effects.ts";
import { defineProtocol, fn, type CallView, type Draft } from "../protocol.ts";
import { feeds, feedsWhen, inert } from "../uses.ts";
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
  type Marks,
} from "./shared/swap-draft.ts";

const INFO =
  "(address inputToken, uint256 inputAmount, address inputReceiver, address outputToken, uint256 outputQuote, uint256 outputMin, address outputReceiver) tokenInfo";
const WHOLE = 10n ** 18n;
const BPS = 10_000n;

type Info = {
  readonly inputToken: string;
  readonly inputAmount: bigint;
  readonly outputToken: string;
  readonly outputMin: bigint;
  readonly outputReceiver: string;
};

const infoUses = {
  inputToken: assetOrCoin,
  inputAmount: feeds.amount,
  inputReceiver: inert.bounded,
  outputToken: assetOrCoin,
  // The router keeps what exceeds it.
  outputQuote: inert.bounded,
  outputMin: feeds.minimum,
};

/** If no receiver is named, router 2 pays the zero address and router 3 the caller. */
const marksOf = ({ role }: CallView): Marks => (role === "router_v3" ? { sender: ZERO_ADDRESS } : {});

const swap = (info: Info, fees: Draft["fees"], call: CallView): Draft =>
  swapDraft({
    // For this router zero means the caller's whole balance.
    gives: flow(
      assetAt(info.inputToken),
      info.inputAmount === 0n ? everything : exactly(info.inputAmount),
      "tokenInfo.inputAmount",
    ),
    gets: flow(assetAt(info.outputToken), atLeast(info.outputMin), "tokenInfo.outputMin"),
    receiver: partyAt(info.outputReceiver, call, marksOf(call)),
    receiverAt: "tokenInfo.outputReceiver",
    ...(fees === undefined || fees.length === 0 ? {} : { fees }),
  });

type Referral = { readonly fee: bigint; readonly feeRecipient: string };

const referralFee = (info: Info, { fee, feeRecipient }: Referral): Draft["fees"] => {
  if (fee === 0n) return [];
  const bps = (fee * BPS + WHOLE - 1n) / WHOLE;
  return [
    { to: lower(feeRecipient), asset: assetAt(info.outputToken), share: { bps }, at: "referralInfo.fee" },
  ];
};

/** Codes above this belong to partners with a fee of their own, which the router stores. */
const CODES_WITHOUT_FEE = 1n << 31n;
const HIGHEST_FEE_BPS = 200n;

const recordedFee = (tokens: readonly string[], code: number, call: CallView): NonNullable<Draft["fees"]> =>
  BigInt(code) <= CODES_WITHOUT_FEE
    ? []
    : tokens.map((address) => ({
        to: call.to,
        asset: assetAt(address),
        share: { bps: HIGHEST_FEE_BPS },
        at: "referralCode",
      }));

const codeUse = feedsWhen("fee", "the code belongs to a partner with a fee");

type Input = { readonly tokenAddress: string; readonly amountIn: bigint };
type Output = { readonly tokenAddress: string; readonly receiver: string };

/**
 * Several outputs share one guarantee, in a value that only the router can compute: only a single output is really
 * bounded.
 */
const swapMany = (
  inputs: readonly Input[],
  outputs: readonly (Output & { least: bigint })[],
  call: CallView,
): Draft => {
  const receivers = new Set(outputs.map(({ receiver }) => partyAt(receiver, call, marksOf(call))));
  const [receiver] = receivers;
  if (receiver === undefined || receivers.size > 1) throw new Error("the outputs go to more than one party");
  return {
    act: "swap",
    gives: inputs.map(({ tokenAddress, amountIn }, i) =>
      flow(assetAt(tokenAddress), amountIn === 0n ? everything : exactly(amountIn), `inputs[${i}].amountIn`),
    ),
    gets: outputs.map(({ tokenAddress, least }, i) =>
      flow(assetAt(tokenAddress), atLeast(least), `outputs[${i}]`),
    ),
    receiver,
    places: { receiver: "outputs[0].receiver", minimum: "valueOutMin", amount: "inputs[0].amountIn" },
  };
};

const singleOutput = "there is one output, whose minimum it sets";

export default defineProtocol({
  title: "Odos",
  names: ["odos", "odos router", "odos v2", "odos v3"],
  contracts: {
    router_v2: {
      1: "0xcf5540fffcdc3d510b18bfca6d2b9987b0772559",
      10: "0xca423977156bb05b13a2ba3b76bc5419e2fe9680",
      56: "0x89b8aa89fdd0507a99d334cbe3c808fafc7d850e",
      130: "0x6409722f3a1c4486a3b1fe566cbdd5e9d946a1f3",
      137: "0x4e3288c9ca110bcc82bf38f09a7b425c095d92bf",
      146: "0xac041df48df9791b0654f1dbbf2cc8450c5f2e9d",
      324: "0x4bba932e9792a2b917d47830c93a9bc79320e4f7",
      5000: "0xd9f4e85489adcd0baf0cd63b4231c6af58c26745",
      8453: "0x19ceead7105607cd444f5ad10dd51356436095a1",
      42161: "0xa669e7a0d4b3e4fa48af2de86bd4cd7126be4e13",
      43114: "0x88de50b233052e4fb783d4f6db78cc34fea3e9fc",
      59144: "0x2d8879046f1559e53eb052e949e9544bcb72f414",
      534352: "0xbfe03c9e20a9fc0b37de01a172f207004935e0b1",
    },
    router_v3: onChains(
      "0x0d05a7d3448512b78fa8a9e46c4872c88c4a0d05",
      [1, 10, 56, 130, 137, 146, 5000, 8453, 42161, 43114, 59144],
    ),
  },
  functions: [
    fn(
      `function swap(${INFO}, bytes pathDefinition, address executor, uint32 referralCode) payable`,
      ["router_v2"],
      {
        tokenInfo: { ...infoUses, outputReceiver: feeds.receiver },
        pathDefinition: inert.bounded,
        executor: inert.bounded,
        referralCode: codeUse,
      },
      ([info, , , code], call) => swap(info, recordedFee([info.outputToken], code, call), call),
    ),
    fn(
      `function swap(${INFO}, bytes pathDefinition, address executor, (uint64 code, uint64 fee, address feeRecipient) referralInfo) payable`,
      ["router_v3"],
      {
        tokenInfo: { ...infoUses, outputReceiver: receiverOrCaller },
        pathDefinition: inert.bounded,
        executor: inert.bounded,
        referralInfo: {
          // How the fee is shared, and whether a surplus is kept.
          code: inert.bounded,
          fee: feeds.fee,
          feeRecipient: feedsWhen("fee", "the fee is not zero"),
        },
      },
      ([info, , , referral], call) => swap(info, referralFee(info, referral), call),
    ),
    fn(
      "function swapMulti((address tokenAddress, uint256 amountIn, address receiver)[] inputs, (address tokenAddress, uint256 relativeValue, address receiver)[] outputs, uint256 valueOutMin, bytes pathDefinition, address executor, uint32 referralCode) payable",
      ["router_v2"],
      {
        inputs: { tokenAddress: assetOrCoin, amountIn: feeds.amount, receiver: inert.bounded },
        outputs: {
          tokenAddress: assetOrCoin,
          relativeValue: feedsWhen("minimum", singleOutput),
          receiver: feeds.receiver,
        },
        valueOutMin: feedsWhen("minimum", singleOutput),
        pathDefinition: inert.bounded,
        executor: inert.bounded,
        referralCode: codeUse,
      },
      ([inputs, outputs, valueOutMin, , , code], call) => ({
        ...swapMany(
          inputs,
          outputs.map((each) => ({ ...each, least: guarantee(outputs, each, valueOutMin) })),
          call,
        ),
        fees: recordedFee(
          outputs.map(({ tokenAddress }) => tokenAddress),
          code,
          call,
        ),
      }),
    ),
  ],
});

type Weighted = Output & { readonly relativeValue: bigint };

/** With one output the total value is that output times its weight. */
function guarantee(outputs: readonly Weighted[], each: Weighted, valueOutMin: bigint): bigint {
  return outputs.length === 1 && each.relativeValue > 0n ? valueOutMin / each.relativeValue : 0n;
}
