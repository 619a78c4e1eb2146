/** Every number, asset, address, venue, bound, negation and condition of the request must be accounted for. */
import { defineNode, fail, pass, quoted, skip, type Seen } from "../../node.ts";
import type { Entailment } from "../../facts.ts";

export default defineNode({
  title: "Follows every part of the request",
  failTitle: "Ignores part of your request",
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
          fix: `Rephrase ${quoted(open.text)}, or remove it from the request.`,
        },
      );
    if (broken !== undefined)
      return fail(`${quoted(broken.text)} is not met: ${broken.why}.${more(unmet)}`, {
        ...seenOf(broken, unmet),
        fix: `Propose a transaction that meets ${quoted(broken.text)}, or remove it from the request.`,
      });
    return pass("Every amount, asset, party, venue and condition is met.");
  },
});

type Part = Entailment["unmet"][number];

const more = (parts: readonly Part[]): string =>
  parts.length === 1 ? "" : ` The same applies to ${parts.length - 1} more.`;

const seenOf = (first: Part, all: readonly Part[]): Seen => ({
  expected: quoted(first.text),
  observed: first.why,
  words: first.span,
  evidence: all.map(({ text, why }) => ({ kind: "unmet", ref: "words", value: `${quoted(text)}: ${why}` })),
});
