/** Coin sent to a function that is not payable is lost or makes the call fail. */
import { defineNode, fail, faultOn, pass, type Finding } from "../../node.ts";
import type { Effect } from "../../facts.ts";

export default defineNode({
  title: "Coin is sent only to functions that accept it",
  severity: "high",
  needs: ["reading", "contracts"],
  check({ reading, contracts }) {
    const wrong = reading.leaves.find((leaf) => leaf.value > 0n && contracts.isPayable(leaf) === false);
    if (wrong === undefined) return judgeCoin(reading.effects);
    return fail(
      `${wrong.function ?? "The function"} does not accept coin, but the call sends ${wrong.value.toString()} wei.`,
      {
        expected: "value 0",
        observed: `${wrong.value.toString()} wei`,
        where: { call: wrong.where, field: "value" },
        fix: `Set the value of ${wrong.where} to 0.`,
      },
    );
  },
});

/** Finds coin that is sent and neither used nor returned. */
function judgeCoin(effects: readonly Effect[]): Finding {
  for (const effect of effects) {
    const fault = faultOn(effect, "native");
    if (fault !== null)
      return fail(`The coin sent with the call does not fit: ${fault.said}.`, {
        expected: "as much coin as the call uses",
        observed: fault.said,
        where: { call: effect.where.call, field: "value" },
        severity: fault.severity,
        fix: "Send as much coin as the call uses, or have the rest returned.",
      });
  }
  return pass("Coin is sent only to functions that accept it.");
}
