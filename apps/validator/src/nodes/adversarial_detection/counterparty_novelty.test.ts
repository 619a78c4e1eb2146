import { bob, saying, stranger, testNode } from "../../../test/nodes.ts";
import node from "./counterparty_novelty.ts";

testNode(node, {
  pass: [
    { name: "a tenth, to a known party" },
    {
      name: "a tenth, to a new party",
      facts: { history: [{ address: stranger, label: null }], ...saying() },
    },
    {
      name: "all of it, to the requested address",
      facts: {
        history: [{ address: stranger, label: null }],
        ...saying(bob),
        balances: new Map([["native" as const, 10n ** 17n]]),
      },
    },
  ],
  fail: [
    {
      name: "all of it, to a new party",
      facts: {
        history: [{ address: stranger, label: null }],
        ...saying(),
        balances: new Map([["native" as const, 10n ** 17n]]),
      },
      because: "More than half of the balance",
    },
  ],
  skip: [
    { name: "nothing moves", missing: "moves" },
    { name: "no history", missing: "history" },
    { name: "no balances", missing: "balances" },
  ],
});
