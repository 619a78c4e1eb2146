/** Code that behaves otherwise when it is watched: two runs under different blocks and gas must agree. */
import { defineNode, fail, pass } from "../../node.ts";

export default defineNode({
  title: "The code does the same when nobody watches",
  severity: "high",
  needs: ["simulation"],
  check({ simulation }) {
    if (simulation.diverged === null)
      return pass("Two runs under different conditions agree.", { confidence: 0.95 });
    return fail("Two runs under different conditions disagree: the code looks at who is watching.", {
      expected: "the same result in both runs",
      observed: simulation.diverged,
      fix: "Do not sign it.",
    });
  },
});
