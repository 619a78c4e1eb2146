/** What is guaranteed to arrive must be the asset asked for, to the last hop. */
import { defineNode, judge } from "../../node.ts";

export default defineNode({
  title: "What arrives is the asset named",
  severity: "critical",
  needs: ["compared.asset_out"],
  required: true,
  check: (facts) => judge(facts["compared.asset_out"]),
});
