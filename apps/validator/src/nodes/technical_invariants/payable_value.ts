/** Coin sent to a function that takes none is lost or makes the call fail. */
import { defineNode, fail, faultOn, pass, type Finding } from "../../node.ts";
import type { Effect } from "../../facts.ts";

export default defineNode({
  title: "Coin is sent only where it is taken",
  severity: "high",
  needs: ["reading", "contracts"],
  check({ reading, contracts }) {
    const wrong = reading.leaves.find((leaf) => leaf.value > 0n && contracts.isPayable(leaf) === false);
    if (wrong === undefined) return judgeCoin(reading.effects);
    return fail(
      `${wrong.function ?? "The function"} takes no coin, and ${wrong.value.toString()} wei are sent with it.`,
      {
        expected: "value 0",
        observed: `${wrong.value.toString()} wei`,
        where: { call: wrong.where, field: "value" },
        fix: `Set the value of ${wrong.where} to 0.`,
      },
    );
  },
});

/** Coin that is sent along and neither used nor sent back. */
function judgeCoin(effects: readonly Effect[]): Finding {
  for (const effect of effects) {
    const fault = faultOn(effect, "coin");
    if (fault !== null)
      return fail(`The coin sent along makes no sense: ${fault.said}.`, {
        expected: "as much coin as the call uses",
        observed: fault.said,
        where: { call: effect.where.call, field: "value" },
        severity: fault.severity,
        fix: "Send as much coin as the call uses, or have the rest sent back.",
      });
  }
  return pass("No function receives coin that it does not take.");
}
