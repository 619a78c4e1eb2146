/** The same calldata on another chain is another transaction. */
import { defineNode, judge } from "../../node.ts";

export default defineNode({
  title: "Chain matches the request",
  failTitle: "Wrong network",
  severity: "critical",
  needs: ["compared.chain"],
  required: true,
  check: (facts) => judge(facts["compared.chain"]),
});
