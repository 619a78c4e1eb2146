/** Letters of another script that look like Latin ones: “USDС” with a Cyrillic С is not USDC. */
import { defineNode, fail, pass } from "../../node.ts";

export default defineNode({
  title: "No look-alike letters",
  failTitle: "Look-alike letters",
  severity: "high",
  needs: ["intent"],
  check({ intent }) {
    const found = intent.unicode.find(({ kind, touchesMoney }) => kind === "homoglyph" && touchesMoney);
    if (found === undefined) return pass("No asset, name or venue uses look-alike letters.");
    return fail(`The request uses look-alike letters: ${found.said}.`, {
      expected: "letters of one script",
      observed: found.said,
      words: found.span,
      fix: "Type the name again by hand.",
    });
  },
});
