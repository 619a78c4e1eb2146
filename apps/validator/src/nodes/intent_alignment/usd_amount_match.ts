/** A dollar amount needs a price. Without one a payment cannot be verified and fails. */
import { defineNode, judge } from "../../node.ts";

export default defineNode({
  title: "Dollar value matches the request",
  failTitle: "Dollar value differs",
  severity: "high",
  needs: ["compared.usd"],
  check: (facts) => judge(facts["compared.usd"]),
});
