/** Measures “half” and “all” against the proven balance, the balance that the caller sent, or a sentinel of the protocol. */
import { defineNode, judge } from "../../node.ts";

export default defineNode({
  title: "Share of the balance matches the request",
  failTitle: "Share differs",
  severity: "high",
  needs: ["compared.share"],
  check: (facts) => judge(facts["compared.share"]),
});
