/** Every hard word is answered: no number, asset, address, venue, bound, negation or condition is passed over. */
import { defineNode, fail, pass, quoted, skip, type Seen } from "../../node.ts";
import type { Entailment } from "../../facts.ts";

export default defineNode({
  title: "Nothing that was said is ignored",
  severity: "high",
  needs: ["entailment"],
  required: true,
  check({ entailment: { unmet, unread } }) {
    const [broken] = unmet;
    const [open] = unread;
    if (open !== undefined)
      return skip(
        "not_understood",
        `We did not understand ${quoted(open.text)}: ${open.why}.${more(unread)}`,
        {
          ...seenOf(open, unread),
          fix: `Say ${quoted(open.text)} in another way, or take it out of the request.`,
        },
      );
    if (broken !== undefined)
      return fail(`${quoted(broken.text)} is not satisfied: ${broken.why}.${more(unmet)}`, {
        ...seenOf(broken, unmet),
        fix: `Propose a transaction that satisfies ${quoted(broken.text)}, or take it out of the request.`,
      });
    return pass("Every number, asset, party, venue, bound and condition is accounted for.");
  },
});

type Part = Entailment["unmet"][number];

const more = (parts: readonly Part[]): string =>
  parts.length === 1 ? "" : ` The same holds for ${parts.length - 1} more.`;

const seenOf = (first: Part, all: readonly Part[]): Seen => ({
  expected: quoted(first.text),
  observed: first.why,
  words: first.span,
  evidence: all.map(({ text, why }) => ({ kind: "unmet", ref: "words", value: `${quoted(text)}: ${why}` })),
});
