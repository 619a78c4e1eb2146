/** The difference between the limit of a swap and its execution is what others can take by trading before and after it. */
import { defineNode, fail, pass } from "../../node.ts";

const tenPercent = 1_000;
/** The price may have moved since the limit was computed. */
const quoteSlack = 50;

const percent = (bps: number): string => `${(bps / 100).toFixed(1)} %`;

export default defineNode({
  title: "Swap leaves little room for a sandwich",
  failTitle: "Room for a sandwich attack",
  severity: "high",
  needs: ["executedSwap", "intent", "policy"],
  check({ executedSwap: { roomBps, isLimitStated, where }, intent, policy }) {
    const room = Math.max(0, roomBps);
    if (isLimitStated)
      return pass(`The request states the limit of the swap, ${percent(room)} away from its execution.`, {
        confidence: 0.95,
      });
    const said = intent.steps.flatMap(({ slippageBps }) => slippageBps?.value ?? []);
    const accepted =
      said.length === 0 ? Number(policy.maxSlippageBps) : Math.min(...said.map(Number)) + quoteSlack;
    if (room <= accepted)
      return pass(`The limit of the swap is ${percent(room)} away from its execution.`, { confidence: 0.95 });
    return fail(
      `The swap accepts ${percent(room)} less than it returns now. Others could take the difference.`,
      {
        expected: `at most ${percent(accepted)} less`,
        observed: `${percent(room)} less`,
        where,
        severity: room > tenPercent ? "high" : "medium",
        confidence: 0.95,
        fix: "Set the limit close to the amount that the swap returns now.",
      },
    );
  },
});
