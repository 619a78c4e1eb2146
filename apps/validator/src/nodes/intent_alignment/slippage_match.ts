/** The minimum, compared with the price, must not allow more slippage than the request. */
import { defineNode, judge } from "../../node.ts";

export default defineNode({
  title: "Slippage stays within the requested limit",
  failTitle: "More slippage than you allowed",
  severity: "high",
  needs: ["compared.slippage"],
  check: (facts) => judge(facts["compared.slippage"]),
});
