/** The same bytes on another chain are another transaction. */
import { defineNode, judge } from "../../node.ts";

export default defineNode({
  title: "The chain is the one named",
  severity: "critical",
  needs: ["compared.chain"],
  required: true,
  check: (facts) => judge(facts["compared.chain"]),
});
