/** Partial fills, sell or buy, receiver, code attached to the order: none may contradict the words. */
import { defineNode, judge } from "../../node.ts";

export default defineNode({
  title: "The terms of the order are those asked for",
  severity: "high",
  needs: ["compared.terms"],
  check: (facts) => judge(facts["compared.terms"]),
});
