/** The asset that is guaranteed to arrive must be the requested one, up to the last hop. */
import { defineNode, judge } from "../../node.ts";

export default defineNode({
  title: "Receives the requested asset",
  failTitle: "Receives another asset",
  severity: "critical",
  needs: ["compared.asset_out"],
  required: true,
  check: (facts) => judge(facts["compared.asset_out"]),
});
