/** What the bytes do must be something the verb can mean at that venue. */
import { defineNode, judge } from "../../node.ts";

export default defineNode({
  title: "The action is the one asked for",
  severity: "critical",
  needs: ["compared.action"],
  required: true,
  check: (facts) => judge(facts["compared.action"]),
});
