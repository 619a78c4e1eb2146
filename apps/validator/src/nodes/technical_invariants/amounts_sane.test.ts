import { aFlow, aSwap, anEffect, testNode, usdcAsset } from "../../../test/nodes.ts";
import { amountFault } from "../../effects.ts";
import node from "./amounts_sane.ts";

const mild = { ...amountFault("a step may fail alone"), mild: true } as const;

testNode(node, {
  pass: [
    { name: "a tenth of an ether" },
    {
      name: "all of it, in the protocol’s own word",
      facts: {
        moves: [
          anEffect({ gives: [aFlow(usdcAsset, { least: 0n, most: 2n ** 256n - 1n, everything: true })] }),
        ],
      },
    },
    { name: "a claim, which gives nothing", facts: { moves: [anEffect({ act: "claim", gives: [] })] } },
  ],
  fail: [
    {
      name: "nothing at all",
      facts: { moves: [anEffect({ gives: [aFlow(usdcAsset, 0n)] })] },
      because: "the amount is zero",
      severity: "medium",
    },
    {
      name: "more than there is",
      facts: { moves: [anEffect({ gives: [aFlow(usdcAsset, 2n ** 256n - 1n)] })] },
      because: "the amount is more than exists",
      severity: "high",
    },
    {
      name: "lists of two lengths",
      facts: { moves: [aSwap({ terms: { faults: [amountFault("the lists have different lengths")] } })] },
      because: "different lengths",
      severity: "high",
    },
    {
      name: "a fault that honest transactions have too",
      facts: { moves: [aSwap({ terms: { faults: [mild] } })] },
      because: "a step may fail alone",
      severity: "medium",
    },
    {
      name: "such a fault before a worse one",
      facts: { moves: [aSwap({ terms: { faults: [mild, amountFault("nothing is given")] } })] },
      because: "nothing is given",
      severity: "high",
    },
  ],
  skip: [{ name: "nothing moves", missing: "moves" }],
});
