/** Money amounts need a price. Without one a spend cannot be verified and fails. */
import { defineNode, judge } from "../../node.ts";

export default defineNode({
  title: "An amount said in money is worth that",
  severity: "high",
  needs: ["compared.usd"],
  check: (facts) => judge(facts["compared.usd"]),
});
