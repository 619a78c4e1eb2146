/** LI.FI: swaps through an exchange of its choice, and bridges behind one interface. Limits and receivers are arguments. */
import { atLeast, exactly } from "../effects.ts";
import { defineProtocol, fn, type CallView, type Draft, type ProtocolFunction } from "../protocol.ts";
import { feeds, inert } from "../uses.ts";
import { lifiBridges } from "./shared/lifi-bridges.ts";
import { deposits, outputOf, pathOf, singleUses, stepUses, SWAP, type Swap } from "./shared/lifi-steps.ts";
import { assetAt, flow, onChains, partyAt, swapDraft } from "./shared/swap-draft.ts";

const HEAD = "bytes32 _transactionId, string _integrator, string _referrer, address _receiver";

const here = ["diamond"];

const headUses = {
  _transactionId: inert.attribution,
  _integrator: inert.attribution,
  _referrer: inert.attribution,
  _receiver: feeds.receiver,
};

const swap = (steps: readonly Swap[], to: string, least: bigint, call: CallView): Draft => ({
  act: "swap",
  gives: deposits(steps),
  gets: [flow(outputOf(steps), atLeast(least), "_minAmountOut")],
  receiver: partyAt(to, call),
  terms: { path: pathOf(steps) },
  places: { receiver: "_receiver", minimum: "_minAmountOut", amount: "_swapData" },
});

const swaps: readonly ProtocolFunction[] = [
  ...(
    [
      "swapTokensSingleV3ERC20ToERC20",
      "swapTokensSingleV3ERC20ToNative",
      "swapTokensSingleV3NativeToERC20",
    ] as const
  ).map((name) =>
    fn(
      `function ${name}(${HEAD}, uint256 _minAmountOut, ${SWAP} _swapData) payable`,
      here,
      { ...headUses, _minAmountOut: feeds.minimum, _swapData: singleUses },
      ([, , , to, least, step], call) =>
        swapDraft({
          gives: flow(assetAt(step.sendingAssetId), exactly(step.fromAmount), "_swapData.fromAmount"),
          gets: flow(assetAt(step.receivingAssetId), atLeast(least), "_minAmountOut"),
          receiver: partyAt(to, call),
          receiverAt: "_receiver",
        }),
    ),
  ),
  ...(
    [
      "swapTokensMultipleV3ERC20ToERC20",
      "swapTokensMultipleV3ERC20ToNative",
      "swapTokensMultipleV3NativeToERC20",
    ] as const
  ).map((name) =>
    fn(
      `function ${name}(${HEAD}, uint256 _minAmountOut, ${SWAP}[] _swapData) payable`,
      here,
      { ...headUses, _minAmountOut: feeds.minimum, _swapData: stepUses },
      ([, , , to, least, steps], call) => swap(steps, to, least, call),
    ),
  ),
  fn(
    `function swapTokensGeneric(${HEAD}, uint256 _minAmount, ${SWAP}[] _swapData) payable`,
    here,
    { ...headUses, _minAmount: feeds.minimum, _swapData: stepUses },
    ([, , , to, least, steps], call) => swap(steps, to, least, call),
  ),
];

export default defineProtocol({
  title: "LI.FI",
  names: ["lifi", "li.fi", "li fi", "jumper", "jumper exchange", "li-fi"],
  family: "lifi",
  contracts: {
    diamond: {
      324: "0x341e94069f53234fe6dabef707ad424830525715",
      59144: "0xde1e598b81620773454588b85d6b5d4eec32573e",
      ...onChains(
        "0x1231deb6f5749ef6ce6943a275a1d3e7486f4eae",
        [1, 10, 56, 100, 137, 250, 5000, 8453, 42161, 42220, 43114, 534352],
      ),
    },
  },
  functions: [...swaps, ...lifiBridges],
});
