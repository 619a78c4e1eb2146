/** A name the caller did not resolve cannot be verified, and a payment to it fails. */
import { defineNode, judge } from "../../node.ts";

export default defineNode({
  title: "A name stands for the address that is paid",
  severity: "critical",
  needs: ["compared.name"],
  check: (facts) => judge(facts["compared.name"]),
});
