/**
 * Covers every beneficiary in every leaf: recipient, onBehalfOf, refund, sweep, order receiver. Without a named
 * recipient, the account itself.
 */
import { defineNode, judge } from "../../node.ts";

export default defineNode({
  title: "Recipient matches the request",
  failTitle: "Recipient isn’t the one you named",
  severity: "critical",
  needs: ["compared.recipient"],
  required: true,
  check: (facts) => judge(facts["compared.recipient"]),
});
