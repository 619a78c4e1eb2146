/** An order that outlives its purpose is filled when that suits somebody else. */
import { defineNode, judge } from "../../node.ts";

export default defineNode({
  title: "It ends when it was said to end",
  severity: "high",
  needs: ["compared.deadline"],
  check: (facts) => judge(facts["compared.deadline"]),
});
