/** Compares a requested gas limit with the gas fields that the caller sent. */
import { defineNode, judge } from "../../node.ts";

export default defineNode({
  title: "Gas stays within the requested limit",
  failTitle: "Fee above your limit",
  severity: "high",
  needs: ["compared.gas"],
  check: (facts) => judge(facts["compared.gas"]),
});
