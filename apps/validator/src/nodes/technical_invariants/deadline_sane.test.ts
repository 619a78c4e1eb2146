import { aStep, aSwap, anIntent, now, testNode } from "../../../test/nodes.ts";
import node from "./deadline_sane.ts";

testNode(node, {
  pass: [
    { name: "ten minutes" },
    { name: "no deadline in the transaction data", facts: { market: [aSwap({ deadline: null })] } },
    {
      name: "an order of a week",
      facts: { market: [aSwap({ deadline: now + 604_800n, terms: { order: true } })] },
    },
    {
      name: "a far deadline that the request names",
      facts: {
        market: [aSwap({ deadline: now + 604_800n })],
        intent: anIntent({
          steps: [aStep({ deadline: { kind: "within", seconds: 604_800n, span: [0, 4] } })],
        }),
      },
    },
  ],
  fail: [
    {
      name: "an hour ago, by the caller’s clock",
      facts: { market: [aSwap({ deadline: now - 3600n })] },
      because: "3600 seconds ago",
      severity: "high",
    },
    {
      name: "an hour ago, by ours",
      facts: { market: [aSwap({ deadline: now - 3600n })], toldNow: false },
      because: "3600 seconds ago",
      severity: "medium",
    },
    {
      name: "a signed payment that expired, by our clock",
      facts: { market: [aSwap({ deadline: now - 1n, terms: { order: true } })], toldNow: false },
      because: "expired 1 seconds ago",
      severity: "high",
    },
    {
      name: "a signed payment that expires now",
      facts: { market: [aSwap({ deadline: now, terms: { order: true } })] },
      because: "expired 0 seconds ago",
      severity: "high",
    },
    {
      name: "two days for a swap",
      facts: { market: [aSwap({ deadline: now + 172_800n })] },
      because: "2 days",
      severity: "medium",
    },
    {
      name: "for ever",
      facts: { market: [aSwap({ deadline: 2n ** 256n - 1n })] },
      because: "more than a hundred years",
      severity: "high",
    },
  ],
  skip: [{ name: "nothing that has a price", missing: "market" }],
});
