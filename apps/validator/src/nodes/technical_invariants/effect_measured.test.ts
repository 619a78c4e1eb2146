import { testNode } from "../../../test/nodes.ts";
import node from "./effect_measured.ts";

const contract = `0x${"c0".repeat(20)}` as const;

testNode(node, {
  pass: [
    {
      name: "an effect that answers the request",
      facts: {
        byEffect: {
          ...{
            status: "matches",
            contract,
            shown: "100 USDC leaves, at least 0.03 ETH arrives",
            variants: 4,
          },
          block: { number: 24_000_000n, hash: `0x${"b1".repeat(32)}`, timestamp: 1_790_000_000n },
        },
      },
    },
  ],
  fail: [],
  open: [
    {
      name: "an effect that does not",
      facts: { byEffect: { status: "open", contract, why: "It leaves an allowance for 0x1234…5678." } },
      kind: "not_checked",
      because: "It leaves an allowance",
    },
  ],
  skip: [{ name: "no unknown contract", missing: "byEffect" }],
});
