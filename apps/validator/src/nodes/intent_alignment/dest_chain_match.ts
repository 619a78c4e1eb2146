/** Funds bridged to the wrong chain may be out of reach or belong to another party. */
import { defineNode, judge } from "../../node.ts";

export default defineNode({
  title: "Destination chain matches the request",
  failTitle: "Wrong destination network",
  severity: "critical",
  needs: ["compared.to_chain"],
  check: (facts) => judge(facts["compared.to_chain"]),
});
