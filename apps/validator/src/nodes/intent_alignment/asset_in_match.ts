/** A symbol means the tokens that carry it on this chain in our tables, and no others. */
import { defineNode, judge } from "../../node.ts";

export default defineNode({
  title: "What leaves is the asset named",
  severity: "critical",
  needs: ["compared.asset_in"],
  required: true,
  check: (facts) => judge(facts["compared.asset_in"]),
});
