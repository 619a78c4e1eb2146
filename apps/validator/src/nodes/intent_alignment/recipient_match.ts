/** Every beneficiary in every leaf: recipient, onBehalfOf, refund, sweep, order receiver. Unsaid means the account itself. */
import { defineNode, judge } from "../../node.ts";

export default defineNode({
  title: "Value goes to whom it was meant for",
  severity: "critical",
  needs: ["compared.recipient"],
  required: true,
  check: (facts) => judge(facts["compared.recipient"]),
});
