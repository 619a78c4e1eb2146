/** “Swap, then bridge” is two things in that order. */
import { defineNode, judge } from "../../node.ts";

export default defineNode({
  title: "Every step is there, in order, and none besides",
  severity: "high",
  needs: ["compared.sequence"],
  check: (facts) => judge(facts["compared.sequence"]),
});
