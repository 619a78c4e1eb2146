/** Bytes that decode but are not what an encoder writes can mean one thing to us and another to the contract. */
import { defineNode, judgeEncoding } from "../../node.ts";

export default defineNode({
  title: "Arguments are encoded the one right way",
  severity: "high",
  needs: ["reading"],
  required: true,
  check: ({ reading }) =>
    judgeEncoding(reading.leaves, {
      kinds: ["dirty_bits", "offset", "padding", "overlap", "truncated", "undecodable"],
      ok: "Every call re-encodes to the bytes it came as.",
      fix: "Encode the call again with a standard ABI encoder.",
    }),
});
