/**
 * Bytes after the last argument. One in ten real transactions has some: usually a tag of the builder, sometimes an
 * instruction to pay a commission, which needs a fee in the request.
 */
import { defineNode, judgeEncoding, pass } from "../../node.ts";

export default defineNode({
  title: "No hidden data after the arguments",
  failTitle: "Extra data after the arguments",
  severity: "high",
  needs: ["reading", "intent"],
  check({ reading, intent }) {
    const mayPay = intent.steps.some(({ fee }) => fee !== null);
    const found = judgeEncoding(reading.leaves, {
      kinds: mayPay ? ["trailing_unexplained"] : ["trailing_unexplained", "trailing_fee"],
      ok: "Nothing follows the arguments.",
      fix: "Remove the bytes after the last argument.",
    });
    const isTagged = reading.leaves.some(({ encoding }) =>
      encoding.some(({ kind }) => kind === "trailing_tag"),
    );
    if (found.status !== "PASS" || !isTagged) return found;
    return pass("Only a short tag of the builder follows the arguments.", { confidence: 0.9 });
  },
});
