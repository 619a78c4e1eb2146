/** What is bridged to another chain than asked for is out of reach, or somebody else’s. */
import { defineNode, judge } from "../../node.ts";

export default defineNode({
  title: "The destination chain is the one named",
  severity: "critical",
  needs: ["compared.to_chain"],
  check: (facts) => judge(facts["compared.to_chain"]),
});
