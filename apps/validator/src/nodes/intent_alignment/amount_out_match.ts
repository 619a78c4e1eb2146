/** The calldata must guarantee a requested return. */
import { defineNode, judge } from "../../node.ts";

export default defineNode({
  title: "At least the requested amount arrives",
  failTitle: "You receive too little",
  severity: "high",
  needs: ["compared.amount_out"],
  check: (facts) => judge(facts["compared.amount_out"]),
});
