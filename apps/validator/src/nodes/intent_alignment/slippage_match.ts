/** The minimum in the bytes, against the price, may not give away more than the words allow. */
import { defineNode, judge } from "../../node.ts";

export default defineNode({
  title: "No more slippage than was said",
  severity: "high",
  needs: ["compared.slippage"],
  check: (facts) => judge(facts["compared.slippage"]),
});
