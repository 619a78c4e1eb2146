/** SushiSwap: the V2 router unchanged, V3 positions, and a router of its own that routes by opaque bytes. */
import { atLeast, exactly, type Asset } from "../effects.ts";
import { defineProtocol, fn } from "../protocol.ts";
import { createPool, mintByFee, positionExtras, positionFunctions } from "./shared/position-manager.ts";
import { multicallFunction, paymentFunctions, selfPermits } from "./shared/router-payments.ts";
import { assetAt, flow, lower, onChains, partyAt, swapDraft, ZERO_ADDRESS } from "./shared/swap-draft.ts";
import { feeds, inert } from "../uses.ts";
import { v2RouterFunctions } from "./shared/v2-router.ts";

const positions = ["positions"];

/** This router accepts only 0xeeee… for the native token. */
const coinOrToken = (address: string): Asset => {
  if (lower(address) === ZERO_ADDRESS) throw new Error("the zero address is not a token");
  return assetAt(address);
};

export default defineProtocol({
  title: "SushiSwap",
  names: ["sushiswap", "sushi", "sushi swap", "sushiswap v2", "sushiswap v3", "sushi v2", "sushi v3"],
  family: "sushi",
  contracts: {
    router: {
      1: "0xd9e1ce17f2641f24ae83637ab66a2cca9c378b9f",
      10: "0x2abf469074dc0b54d793850807e6eb5faf2625b1",
      8453: "0x6bded42c6da8fbf0d2ba55b2fa120c5e0c8d7891",
      59144: "0x2abf469074dc0b54d793850807e6eb5faf2625b1",
      11155111: "0xeabce3e74ef41fb40024a21cc2ee2f5ddc615791",
      ...onChains("0x1b02da8cb0d097eb8d57a175b88c7d8b47997506", [56, 100, 137, 250, 42161, 43114]),
    },
    positions: {
      1: "0x2214a42d8e2a1d20635c2cb0664422c528b6a432",
      10: "0x1af415a1eba07a4986a52b6f2e7de7003d82231e",
      56: "0xf70c086618dcf2b1a461311275e00d6b722ef914",
      100: "0xab235da7f52d35fb4551afba11bfb56e18774a65",
      137: "0xb7402ee99f0a008e461098ac3a27f4957df89a40",
      8453: "0x80c7dd17b01855a6d2347444a0fcc36136a314de",
      42161: "0xf0cbce1942a68beb3d1b73f0dd86c8dcc363ef49",
      43114: "0x18350b048ab366ed601ffdbc669110ecb36016f3",
      59144: "0x80c7dd17b01855a6d2347444a0fcc36136a314de",
      11155111: "0x544ba588efd839d2692fc31ea991cd39993c135f",
    },
    snwapper: onChains(
      "0xac4c6e212a361c968f1725b4d055b47e63f80b75",
      [1, 10, 56, 100, 137, 8453, 42161, 43114, 59144],
    ),
    /** Sushi's route processor, which receives the input tokens. */
    executor: onChains(
      "0xd2b37ade14708bf18904047b1e31f8166d39612b",
      [1, 10, 56, 100, 137, 8453, 42161, 43114, 59144],
    ),
  },
  functions: [
    ...v2RouterFunctions(["router"]),
    createPool(positions),
    mintByFee(positions),
    ...positionFunctions(positions),
    ...positionExtras(positions),
    multicallFunction(positions),
    ...paymentFunctions(positions),
    ...selfPermits(positions),
    fn(
      "function snwap(address tokenIn, uint256 amountIn, address recipient, address tokenOut, uint256 amountOutMin, address executor, bytes executorData) payable",
      ["snwapper"],
      {
        tokenIn: feeds.asset,
        amountIn: feeds.amount,
        recipient: feeds.receiver,
        tokenOut: feeds.asset,
        amountOutMin: feeds.minimum,
        executor: feeds.choice,
        executorData: inert.bounded,
      },
      ([tokenIn, amountIn, recipient, tokenOut, least, executor], call) =>
        swapDraft({
          gives: flow(coinOrToken(tokenIn), exactly(amountIn), "amountIn"),
          gets: flow(coinOrToken(tokenOut), atLeast(least), "amountOutMin"),
          receiver: partyAt(lower(recipient), call),
          receiverAt: "recipient",
          // The executor receives the tokens and runs arbitrary code before the router checks the receiver's balance.
          choices: [{ what: "executor", value: executor, at: "executor", roles: ["executor"] }],
        }),
    ),
  ],
});
