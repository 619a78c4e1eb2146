/** A limit on gas that was said is compared with the fields the caller sent. */
import { defineNode, judge } from "../../node.ts";

export default defineNode({
  title: "Gas stays within the limit that was said",
  severity: "high",
  needs: ["compared.gas"],
  check: (facts) => judge(facts["compared.gas"]),
});
