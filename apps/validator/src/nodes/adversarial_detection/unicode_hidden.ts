/** Invisible characters next to money: the owner reads one address or amount and the machine another. */
import { defineNode, fail, pass, quoted } from "../../node.ts";

/** Zero-width and direction marks, soft hyphen, byte-order mark, and the invisible tag characters for ASCII. */
const unseen = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/u;

export default defineNode({
  title: "No hidden characters next to money",
  failTitle: "Hidden characters",
  severity: "high",
  needs: ["proposal", "intent"],
  check({ proposal, intent }) {
    const found = intent.unicode.find(
      ({ kind, touchesMoney }) => kind === "tag" || ((kind === "hidden" || kind === "bidi") && touchesMoney),
    );
    if (found !== undefined)
      return fail(`The request contains invisible characters: ${found.said}.`, {
        expected: "visible characters only",
        observed: found.said,
        words: found.span,
        fix: "Type the request again by hand, without pasting.",
      });
    const token = proposal.context.tokens.find(({ symbol }) => symbol !== null && unseen.test(symbol));
    if (token === undefined) return pass("No invisible character is next to an amount, an asset or a party.");
    return fail("The symbol of a token contains invisible characters.", {
      expected: "visible characters only",
      observed: quoted(token.symbol ?? ""),
      evidence: [{ kind: "token", ref: token.address, value: quoted(token.symbol ?? "") }],
      fix: "Do not use this token.",
    });
  },
});
