import { aFlow, aSwap, stranger, testNode, usdcAsset, wethAsset, withEffects } from "../../../test/nodes.ts";
import node from "./order_drain.ts";

testNode(node, {
  pass: [
    { name: "a fair order", facts: withEffects(aSwap({ terms: { order: true } })) },
    {
      name: "a fair order without prices",
      facts: { ...withEffects(aSwap({ terms: { order: true } })), usd: () => null },
    },
    {
      name: "an order for a token of another chain, which this chain's prices do not value",
      facts: withEffects(
        aSwap({ terms: { order: true }, toChain: 8453, gets: [aFlow(wethAsset, 10n ** 17n)] }),
      ),
    },
  ],
  fail: [
    {
      name: "an order that asks for nothing",
      facts: withEffects(aSwap({ terms: { order: true }, gets: [aFlow(wethAsset, 0n)] })),
      because: "asks for nothing",
    },
    {
      name: "an order at a tenth of the price",
      facts: withEffects(aSwap({ terms: { order: true }, gets: [aFlow(wethAsset, 10n ** 17n)] })),
      because: "10 %",
    },
    {
      name: "an NFT sold in favour of a third party",
      facts: withEffects(
        aSwap({
          act: "sell_nft",
          terms: { order: true },
          receiver: stranger,
          gives: [aFlow({ kind: "nft", address: stranger, id: 1n }, 1n)],
          gets: [aFlow(usdcAsset, 10n ** 9n)],
        }),
      ),
      because: "go to 0x57a9…2345",
    },
  ],
  skip: [{ name: "nothing is signed", missing: "signed" }],
});
