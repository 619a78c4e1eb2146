/** “Swap, then bridge” means two steps in that order. */
import { defineNode, judge } from "../../node.ts";

export default defineNode({
  title: "Steps are complete and in order",
  failTitle: "Steps missing, added or out of order",
  severity: "high",
  needs: ["compared.sequence"],
  check: (facts) => judge(facts["compared.sequence"]),
});
