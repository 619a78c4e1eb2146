/** A return that was asked for must be guaranteed by the bytes, not hoped for. */
import { defineNode, judge } from "../../node.ts";

export default defineNode({
  title: "At least the amount asked for arrives",
  severity: "high",
  needs: ["compared.amount_out"],
  check: (facts) => judge(facts["compared.amount_out"]),
});
