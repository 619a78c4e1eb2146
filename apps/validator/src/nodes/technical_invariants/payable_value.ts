/** Native value sent to a function that is not payable is lost or makes the call fail. */
import { defineNode, fail, faultOn, pass, type Finding } from "../../node.ts";
import type { Effect } from "../../facts.ts";

export default defineNode({
  title: "Native token is sent only to functions that accept it",
  failTitle: "Native token doesn’t fit the call",
  severity: "high",
  needs: ["reading", "contracts"],
  check({ reading, contracts }) {
    const wrong = reading.leaves.find((leaf) => leaf.value > 0n && contracts.isPayable(leaf) === false);
    if (wrong === undefined) return judgeCoin(reading.effects);
    return fail(
      `${wrong.function ?? "The function"} does not accept native token, but the call sends ${wrong.value.toString()} wei.`,
      {
        expected: "value 0",
        observed: `${wrong.value.toString()} wei`,
        where: { call: wrong.where, field: "value" },
        fix: `Set the value of ${wrong.where} to 0.`,
      },
    );
  },
});

/** Finds native value that is sent and neither used nor returned. */
function judgeCoin(effects: readonly Effect[]): Finding {
  for (const effect of effects) {
    const fault = faultOn(effect, "native");
    if (fault !== null)
      return fail(`The native token sent does not fit the call: ${fault.said}.`, {
        expected: "as much native token as the call uses",
        observed: fault.said,
        where: { call: effect.where.call, field: "value" },
        severity: fault.severity,
        fix: "Send as much native token as the call uses, or have the rest returned.",
      });
  }
  return pass("Native token is sent only to functions that accept it.");
}
