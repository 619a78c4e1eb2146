/** The effect must be one that the verb can mean at that venue. */
import { defineNode, judge } from "../../node.ts";

export default defineNode({
  title: "Action matches the request",
  failTitle: "Action differs",
  severity: "critical",
  needs: ["compared.action"],
  required: true,
  check: (facts) => judge(facts["compared.action"]),
});
