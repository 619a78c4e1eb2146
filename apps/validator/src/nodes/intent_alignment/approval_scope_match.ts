/** Neither more than the amount, nor the whole collection, nor longer than said. */
import { defineNode, judge } from "../../node.ts";

export default defineNode({
  title: "An allowance is no wider than asked for",
  severity: "high",
  needs: ["compared.scope"],
  check: (facts) => judge(facts["compared.scope"]),
});
