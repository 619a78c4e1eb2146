/** A name that neither the state nor the caller resolves cannot be verified, so a payment to it fails. */
import { defineNode, judge } from "../../node.ts";

export default defineNode({
  title: "Name resolves to the paid address",
  failTitle: "Name belongs to another address",
  severity: "critical",
  needs: ["compared.name"],
  check: (facts) => judge(facts["compared.name"]),
});
