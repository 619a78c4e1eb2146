/** Buying is not selling, and supplying is not withdrawing: the same parts reversed are another request. */
import { defineNode, judge } from "../../node.ts";

export default defineNode({
  title: "Direction matches the request",
  failTitle: "Opposite direction",
  severity: "critical",
  needs: ["compared.direction"],
  check: (facts) => judge(facts["compared.direction"]),
});
