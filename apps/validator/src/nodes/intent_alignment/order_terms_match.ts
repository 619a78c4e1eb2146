/** Partial fills, sell or buy, receiver and attached code must not contradict the request. */
import { defineNode, judge } from "../../node.ts";

export default defineNode({
  title: "Order terms match the request",
  failTitle: "Order terms differ",
  severity: "high",
  needs: ["compared.terms"],
  check: (facts) => judge(facts["compared.terms"]),
});
