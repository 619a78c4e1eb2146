/** An order that stays valid too long is filled when the price suits the taker. */
import { defineNode, judge } from "../../node.ts";

export default defineNode({
  title: "Deadline matches the request",
  failTitle: "Wrong deadline",
  severity: "high",
  needs: ["compared.deadline"],
  check: (facts) => judge(facts["compared.deadline"]),
});
