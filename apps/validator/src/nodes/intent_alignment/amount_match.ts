/** Compares the maximum that can leave, in whole units, with the decimals of our own table. */
import { defineNode, judge } from "../../node.ts";

export default defineNode({
  title: "Amount matches the request",
  failTitle: "Amount differs",
  severity: "critical",
  needs: ["compared.amount"],
  required: true,
  check: (facts) => judge(facts["compared.amount"]),
});
