/** A minimum protects only if it is close to the price. The request must state it, or a price must show it. */
import { defineNode, judge } from "../../node.ts";

export default defineNode({
  title: "Return is worth what is given",
  failTitle: "Return is worth too little",
  severity: "critical",
  needs: ["compared.worth"],
  check(facts) {
    const found = judge(facts["compared.worth"]);
    if (found.status !== "SKIP" || found.kind !== "not_checked") return found;
    const reasoning =
      "The request does not say how much must arrive, and no price shows that the minimum in the transaction is fair.";
    return { ...found, reasoning };
  },
});
