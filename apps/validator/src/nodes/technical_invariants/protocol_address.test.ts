import { aSwap, anEffect, stranger, testNode } from "../../../test/nodes.ts";
import node from "./protocol_address.ts";

testNode(node, {
  pass: [
    { name: "a router of its own", facts: { moves: [aSwap()] } },
    { name: "a standard on an unknown token", facts: { moves: [anEffect({ knowledge: "selector" })] } },
  ],
  fail: [
    {
      name: "a router that is not one of theirs",
      facts: { moves: [aSwap({ knowledge: "selector", venue: null, target: stranger })] },
      because: "looks like uniswap_v3",
    },
  ],
  skip: [{ name: "nothing moves", missing: "moves" }],
});
