/** A spender must be named in the request, or be the venue of a step that needs it. */
import { defineNode, judge } from "../../node.ts";

export default defineNode({
  title: "Spender matches the request",
  failTitle: "Access goes to another party",
  severity: "critical",
  needs: ["compared.spender"],
  check: (facts) => judge(facts["compared.spender"]),
});
