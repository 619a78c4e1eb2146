import { aSwap, testNode, withDefect, withEffects } from "../../../test/nodes.ts";
import node from "./context_conflict.ts";

testNode(node, {
  pass: [
    { name: "a hint in no table" },
    {
      name: "the hint the bytes confirm",
      facts: { ...withEffects(aSwap()), hint: { said: "Uniswap", venue: "uniswap" } },
    },
  ],
  fail: [
    {
      name: "two chains",
      facts: withDefect("context_conflict"),
      because: "expected something else",
    },
    {
      name: "a hint the bytes contradict",
      facts: { ...withEffects(aSwap()), hint: { said: "Aave", venue: "aave_v3" } },
      because: "the transaction does not use it",
    },
  ],
  skip: [],
});
