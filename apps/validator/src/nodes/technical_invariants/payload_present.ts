/** The input must contain something to check. */
import { defineNode, fail, judgeDefects } from "../../node.ts";

export default defineNode({
  title: "There is something to sign",
  failTitle: "Nothing to sign",
  severity: "high",
  needs: ["proposal"],
  required: true,
  check({ proposal }) {
    const { calls, typedData, authorizations, defects } = proposal;
    const isEmpty = calls.length === 0 && typedData === null && authorizations.length === 0;
    const fix = "Send to, data and value, or transactions, or an order, or an authorizationList.";
    const found = judgeDefects(defects, { check: "payload_present", ok: "There is a payload.", fix });
    if (found.status !== "PASS" || !isEmpty) return found;
    return fail("The input contains nothing to sign.", {
      expected: "a transaction, transactions, an order or an authorization",
      observed: "nothing",
      fix,
    });
  },
});
