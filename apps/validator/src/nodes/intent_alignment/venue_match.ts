/** The called contract must belong to the named protocol on this chain, and to none that the request excludes. */
import { defineNode, judge } from "../../node.ts";

export default defineNode({
  title: "Venue matches the request",
  failTitle: "Another venue",
  severity: "high",
  needs: ["compared.venue"],
  check: (facts) => judge(facts["compared.venue"]),
});
