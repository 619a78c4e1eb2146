/** The contract called must be one of the named protocol on this chain, and none that was to be avoided. */
import { defineNode, judge } from "../../node.ts";

export default defineNode({
  title: "The venue is the one named",
  severity: "high",
  needs: ["compared.venue"],
  check: (facts) => judge(facts["compared.venue"]),
});
