/** Characters nobody sees, next to money: the person reads one address or amount and the machine another. */
import { defineNode, fail, pass, quoted } from "../../node.ts";

/** Zero-width and direction marks, soft hyphen, byte-order mark, and the invisible copy of ASCII. */
const unseen = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/u;

export default defineNode({
  title: "No hidden characters touch money",
  severity: "high",
  needs: ["proposal", "intent"],
  check({ proposal, intent }) {
    const found = intent.unicode.find(
      ({ kind, touchesMoney }) => kind === "tag" || ((kind === "hidden" || kind === "bidi") && touchesMoney),
    );
    if (found !== undefined)
      return fail(`The words hold characters that nobody sees: ${found.said}.`, {
        expected: "visible characters only",
        observed: found.said,
        words: found.span,
        fix: "Write the request again by hand, without pasting.",
      });
    const token = proposal.context.tokens.find(({ symbol }) => symbol !== null && unseen.test(symbol));
    if (token === undefined) return pass("No hidden character touches an amount, an asset or a party.");
    return fail("The symbol of a token holds characters that nobody sees.", {
      expected: "visible characters only",
      observed: quoted(token.symbol ?? ""),
      evidence: [{ kind: "token", ref: token.address, value: quoted(token.symbol ?? "") }],
      fix: "Do not touch this token.",
    });
  },
});
