/** An odd number of hex digits can be read as two different transactions. */
import { defineNode, judgeDefects } from "../../node.ts";

export default defineNode({
  title: "Calldata is well-formed hex",
  failTitle: "Malformed transaction data",
  severity: "high",
  needs: ["proposal"],
  check: ({ proposal }) =>
    judgeDefects(proposal.defects, {
      check: "hex_encoding",
      ok: "All calldata is well-formed hex.",
      fix: "Send calldata as 0x and an even number of hex digits: empty, or at least a four-byte selector.",
    }),
});
