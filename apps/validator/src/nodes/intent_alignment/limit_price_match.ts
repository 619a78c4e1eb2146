/** The ratio of what leaves to what must arrive is the only price a transaction promises. */
import { defineNode, judge } from "../../node.ts";

export default defineNode({
  title: "The price is no worse than the limit",
  severity: "high",
  needs: ["compared.limit_price"],
  check: (facts) => judge(facts["compared.limit_price"]),
});
