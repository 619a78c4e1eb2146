/** Two readers of half a byte read two transactions. */
import { defineNode, judgeDefects } from "../../node.ts";

export default defineNode({
  title: "Calldata is well-formed hex",
  severity: "high",
  needs: ["proposal"],
  check: ({ proposal }) =>
    judgeDefects(proposal.defects, {
      check: "hex_encoding",
      ok: "All calldata is well-formed hex.",
      fix: "Send calldata as 0x and an even number of hex digits: none, or at least a four-byte selector.",
    }),
});
