/** If two decoders read the same bytes differently, the contract may agree with either. */
import { defineNode, judgeEncoding } from "../../node.ts";

export default defineNode({
  title: "Independent decoders agree",
  failTitle: "Decoders disagree",
  severity: "high",
  needs: ["reading"],
  check: ({ reading }) =>
    judgeEncoding(reading.leaves, {
      kinds: ["decoders_disagree"],
      ok: "Two decoders return the same arguments.",
      fix: "Encode the call again with a standard ABI encoder.",
    }),
});
