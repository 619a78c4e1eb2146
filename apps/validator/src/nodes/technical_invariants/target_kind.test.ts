import { anEffect, router, testNode, usdc } from "../../../test/nodes.ts";
import node from "./target_kind.ts";

testNode(node, {
  pass: [{ name: "a payment to an account" }],
  fail: [
    {
      name: "tokens sent to a token",
      facts: { moves: [anEffect({ receiver: usdc })] },
      because: "the contract of the token USDC",
    },
    {
      name: "native token sent to a router",
      facts: { moves: [anEffect({ receiver: router })] },
      because: "a contract of uniswap_v3 (router)",
    },
  ],
  skip: [{ name: "nothing moves", missing: "moves" }],
});
