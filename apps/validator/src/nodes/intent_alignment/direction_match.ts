/** Buying is not selling, supplying not withdrawing: the same parts in the other order are another request. */
import { defineNode, judge } from "../../node.ts";

export default defineNode({
  title: "The direction is the one asked for",
  severity: "critical",
  needs: ["compared.direction"],
  check: (facts) => judge(facts["compared.direction"]),
});
