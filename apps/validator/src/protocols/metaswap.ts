/** MetaMask's swaps: a router that names an aggregator and hands it packed data, with the limits and the fee inside. */
import { decodeBlob } from "../bytes/decode.ts";
import { atLeast, exactly, unknownAmount, unsaid } from "../effects.ts";
import type { Hex } from "../proposal.ts";
import { defineProtocol, fn, type CallView, type Draft } from "../protocol.ts";
import { assetAt, flow, lower, onChains, swapDraft } from "./shared/swap-draft.ts";

/** The router puts the caller before the data when it hands it on, so the offsets inside count from there. */
const CALLER = "00".repeat(32);
const FORM =
  "address caller, address tokenFrom, address tokenTo, uint256 amountFrom, uint256 amountTo, bytes metadata, uint256 fee, address feeWallet, bool feeTo";

type Inside = readonly [string, string, string, bigint, bigint, Hex, bigint, string, boolean];

const readInside = (data: Hex): Inside | null => {
  try {
    return decodeBlob(FORM, `0x${CALLER}${data.slice(2)}`) as unknown as Inside;
  } catch {
    return null;
  }
};

const swap = (tokenFrom: string, amount: bigint, data: Hex, call: CallView): Draft => {
  const gives = flow(assetAt(tokenFrom), exactly(amount), "amount");
  const inside = readInside(data);
  if (inside === null) {
    const output = unsaid("an aggregator's own form of data, which says what comes out");
    return swapDraft({ gives, gets: flow(output, unknownAmount, "data"), receiver: call.sender });
  }
  const [, from, into, amountFrom, least, , fee, wallet, feeOnOutput] = inside;
  const faults = [
    ...(lower(from) === lower(tokenFrom) ? [] : ["the token named outside is not the one named inside"]),
    ...(amountFrom + (feeOnOutput ? 0n : fee) === amount
      ? []
      : ["the amount outside is not that of the swap and its fee"]),
  ];
  const asset = assetAt(feeOnOutput ? into : from);
  return swapDraft({
    gives,
    gets: flow(assetAt(into), atLeast(least), "data.amountTo"),
    receiver: call.sender,
    fees: fee === 0n ? [] : [{ to: lower(wallet), asset, share: exactly(fee), at: "data.fee" }],
    terms: faults.length > 0 ? { faults } : {},
  });
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
      ([, from, amount, data], call) => swap(from, amount, data, call),
    ),
  ],
});
