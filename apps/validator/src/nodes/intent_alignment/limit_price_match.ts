/** The ratio of what leaves to what must arrive is the only price that a transaction guarantees. */
import { defineNode, judge } from "../../node.ts";

export default defineNode({
  title: "Price is no worse than the requested limit",
  failTitle: "Price worse than your limit",
  severity: "high",
  needs: ["compared.limit_price"],
  check: (facts) => judge(facts["compared.limit_price"]),
});
