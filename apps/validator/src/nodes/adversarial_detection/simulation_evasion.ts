/** Detects code that behaves differently when it is watched: runs in other blocks and with other gas must agree. */
import { defineNode, fail, pass } from "../../node.ts";

export default defineNode({
  title: "Code behaves the same in every simulation",
  failTitle: "Behaves differently when simulated",
  severity: "high",
  needs: ["state", "simulation"],
  check({ simulation: { diverged, variants } }) {
    if (diverged === null)
      return pass(
        variants === 0
          ? "The call reads nothing of its block, so it cannot behave differently in another."
          : `The call has the same effects in ${variants} other blocks or with other gas.`,
        { confidence: 0.95 },
      );
    return fail(`The call behaves differently when it is simulated ${diverged.slice(0, 300)}.`, {
      expected: "the same effects in every simulation",
      observed: diverged,
      fix: "Do not sign it.",
    });
  },
});
