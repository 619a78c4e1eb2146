/**
 * Bytes after the last argument. One real transaction in ten has some: mostly a mark of who built it, sometimes an order to pay a
 * commission, which is fine only if the words speak of a fee.
 */
import { defineNode, judgeEncoding, pass } from "../../node.ts";

export default defineNode({
  title: "Nothing is hidden after the arguments",
  severity: "high",
  needs: ["reading", "intent"],
  check({ reading, intent }) {
    const mayPay = intent.steps.some(({ fee }) => fee !== null);
    const found = judgeEncoding(reading.leaves, {
      kinds: mayPay ? ["trailing_unexplained"] : ["trailing_unexplained", "trailing_fee"],
      ok: "Nothing follows the arguments.",
      fix: "Cut the bytes after the last argument off.",
    });
    const isTagged = reading.leaves.some(({ encoding }) =>
      encoding.some(({ kind }) => kind === "trailing_tag"),
    );
    if (found.status !== "PASS" || !isTagged) return found;
    return pass("Only a short mark of who built it follows the arguments.", { confidence: 0.9 });
  },
});
