/** No larger amount, no whole collection and no longer time than requested. */
import { defineNode, judge } from "../../node.ts";

export default defineNode({
  title: "Approval is no wider than requested",
  failTitle: "Approval is larger than asked",
  severity: "high",
  needs: ["compared.scope"],
  check: (facts) => judge(facts["compared.scope"]),
});
