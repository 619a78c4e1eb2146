/** The most that can leave is compared, in whole units, by the decimals of our own table. */
import { defineNode, judge } from "../../node.ts";

export default defineNode({
  title: "The amount is the one asked for",
  severity: "critical",
  needs: ["compared.amount"],
  required: true,
  check: (facts) => judge(facts["compared.amount"]),
});
