import { anEffect, calm, saying, testNode, withContext, withEffects } from "../../../test/nodes.ts";
import node from "./address_poisoning.ts";

testNode(node, {
  pass: [
    { name: "the requested address" },
    {
      name: "two that begin with zeros",
      facts: {
        ...withEffects(anEffect({ receiver: "0x000000000022d473030f116ddee9f6b43ac78ba3" })),
        ...saying("0x00000000219ab540356cbb839cbe05303d7705fa"),
      },
    },
    {
      name: "one of a look-alike pair that is in the address book",
      facts: {
        ...withEffects(anEffect({ receiver: "0xd9a1b0b1e1ae382dbdc898ea68012ffcb2853a91" })),
        ...withContext({
          known: [{ address: "0xd9a1b0b1e1ae382dbdc898ea68012ffcb2853a91", label: "Desk" }],
          counterparties: ["0xd9a1c3788d81257612e2581a6ea0ada244853a91"],
        }),
      },
    },
  ],
  fail: [
    {
      name: "the WBTC pair of May 2024",
      facts: {
        ...withEffects(anEffect({ receiver: "0xd9a1c3788d81257612e2581a6ea0ada244853a91" })),
        ...saying("0xd9a1b0b1e1ae382dbdc898ea68012ffcb2853a91"),
      },
      because: "looks like 0xd9a1b0b1e1ae382dbdc898ea68012ffcb2853a91",
    },
    {
      name: "one the person copied from a poisoned history",
      facts: {
        ...withEffects(anEffect({ receiver: "0xd9a1c3788d81257612e2581a6ea0ada244853a91" })),
        ...saying("0xd9a1c3788d81257612e2581a6ea0ada244853a91"),
        ...withContext({ counterparties: ["0xd9a1b0b1e1ae382dbdc898ea68012ffcb2853a91"] }),
      },
      because: "looks like",
    },
    {
      name: "one digit changed in the middle",
      facts: {
        ...withEffects(anEffect({ receiver: "0xd9a1b0b1e1ae382dbdc898ea68012ffcb2853a91" })),
        ...saying("0xd9a1b0b1e1ae382dbdc898ea68012ffcb2853a92"),
      },
      because: "looks like",
    },
    {
      name: "a look-alike of a router",
      facts: {
        contracts: { ...calm.contracts, like: () => "0x68b3465833fb72a70ecdf485e0e4c7bd8665fc45" as const },
      },
      because: "looks like 0x68b3465833fb72a70ecdf485e0e4c7bd8665fc45",
    },
  ],
  skip: [{ name: "no other party receives value", missing: "beneficiaries" }],
});
