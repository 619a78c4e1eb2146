/** “Half” and “all” are measured against the balance the caller sent or a sentinel of the protocol. */
import { defineNode, judge } from "../../node.ts";

export default defineNode({
  title: "A share or “all” is that share",
  severity: "high",
  needs: ["compared.share"],
  check: (facts) => judge(facts["compared.share"]),
});
