/** A value that one reader rounds and another does not has two meanings. */
import { defineNode, judgeDefects } from "../../node.ts";

export default defineNode({
  title: "Values are whole numbers of wei",
  failTitle: "Value isn’t a whole number of wei",
  severity: "high",
  needs: ["proposal"],
  check: ({ proposal }) =>
    judgeDefects(proposal.defects, {
      check: "value_encoding",
      ok: "All values are whole, unsigned and fit into 256 bits.",
      fix: "Send value as decimal digits or 0x hex, in wei: no sign, no fraction, no exponent.",
    }),
});
