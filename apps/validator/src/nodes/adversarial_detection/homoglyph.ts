/** Letters of another script that look like ours: “USDС” with a Cyrillic С is no USDC. */
import { defineNode, fail, pass } from "../../node.ts";

export default defineNode({
  title: "No letter pretends to be another",
  severity: "high",
  needs: ["intent"],
  check({ intent }) {
    const found = intent.unicode.find(({ kind, touchesMoney }) => kind === "homoglyph" && touchesMoney);
    if (found === undefined) return pass("No asset, name or venue is written with look-alike letters.");
    return fail(`The words use letters that look like others: ${found.said}.`, {
      expected: "letters of one script",
      observed: found.said,
      words: found.span,
      fix: "Write the name again by hand.",
    });
  },
});
