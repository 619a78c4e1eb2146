/** A symbol means the tokens that have it on this chain in our tables, and no others. */
import { defineNode, judge } from "../../node.ts";

export default defineNode({
  title: "Sends the requested asset",
  failTitle: "Sends another asset",
  severity: "critical",
  needs: ["compared.asset_in"],
  required: true,
  check: (facts) => judge(facts["compared.asset_in"]),
});
