/** The input must contain something to check. */
import { defineNode, fail, judgeDefects } from "../../node.ts";

export default defineNode({
  title: "There is something to sign",
  failTitle: "Nothing to sign",
  severity: "high",
  needs: ["proposal"],
  required: true,
  check({ proposal }) {
    const { calls, typedData, message, authorizations, defects } = proposal;
    const isEmpty = calls.length + authorizations.length === 0 && (typedData ?? message) === null;
    const fix =
      "Send to, data and value, or transactions, or an order, or a personal_message, or an authorizationList.";
    const found = judgeDefects(defects, { check: "payload_present", ok: "There is a payload.", fix });
    if (found.status !== "PASS" || !isEmpty) return found;
    return fail("The input contains nothing to sign.", {
      expected: "a transaction, transactions, an order, a message or an authorization",
      observed: "nothing",
      fix,
    });
  },
});
