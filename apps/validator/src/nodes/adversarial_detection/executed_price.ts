/** A pool can be empty, or have a price of its own. Compares the executed swap with price feeds of the same state. */
import { defineNode, fail, pass, skip } from "../../node.ts";

const [doubtful, refused] = [1_000, 2_500];

const percent = (bps: number): string => `${(bps / 100).toFixed(1)} %`;

export default defineNode({
  title: "Executed price is close to the feeds",
  failTitle: "Bad price in the pool",
  severity: "high",
  needs: ["executedSwap", "intent"],
  check({ executedSwap: { lossBps, where }, intent }) {
    if (lossBps === null) return skip("unsupported", "No price feed on this state has both assets.");
    const accepted = Math.max(
      doubtful,
      ...intent.steps.map(({ slippageBps }) => Number(slippageBps?.value ?? 0n)),
    );
    if (lossBps <= accepted)
      return pass(
        lossBps <= 0
          ? "The swap returns no less than price feeds say."
          : `The swap returns ${percent(lossBps)} less than price feeds say.`,
        { confidence: 0.95 },
      );
    return fail(`The swap returns ${percent(lossBps)} less than price feeds say.`, {
      expected: `at most ${percent(accepted)} less`,
      observed: `${percent(lossBps)} less`,
      where,
      severity: lossBps > refused ? "high" : "medium",
      confidence: 0.95,
      fix: "Use another pool, or swap a smaller amount.",
    });
  },
});
