/**
 * Calldata that decodes but differs from what an encoder writes can mean one thing to us and another to the contract.
 */
import { defineNode, judgeEncoding } from "../../node.ts";

export default defineNode({
  title: "Arguments use the standard encoding",
  failTitle: "Non-standard encoding",
  severity: "high",
  needs: ["reading"],
  required: true,
  check: ({ reading }) =>
    judgeEncoding(reading.leaves, {
      kinds: ["dirty_bits", "offset", "padding", "overlap", "truncated", "undecodable"],
      ok: "Every call uses the standard encoding.",
      fix: "Encode the call again with a standard ABI encoder.",
    }),
});
