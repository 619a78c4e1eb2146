/** A spender must be named in the words, or be the venue of a step that needs it. */
import { defineNode, judge } from "../../node.ts";

export default defineNode({
  title: "Authority goes to whom it was meant for",
  severity: "critical",
  needs: ["compared.spender"],
  check: (facts) => judge(facts["compared.spender"]),
});
