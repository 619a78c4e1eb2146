/**
 * Rejects requests that openly state an unlawful purpose. Only plain statements count, because a phrase list cannot
 * infer intentions.
 */
import { defineNode, fail, pass, quoted } from "../../node.ts";

const phrases = [
  "launder",
  "evade sanction",
  "avoid sanction",
  "bypass sanction",
  "circumvent sanction",
  "get around sanction",
  "sanctions evasion",
  "evade tax",
  "tax evasion",
  "avoid reporting",
  "under the reporting",
  "below the reporting",
  "reporting threshold",
  "avoid kyc",
  "bypass kyc",
  "avoid aml",
  "evade aml",
  "structuring deposits",
  "hide the origin of",
  "conceal the source",
  "conceal the origin",
  "stolen funds",
  "ransom payment",
  "finance terror",
  "blanquear",
  "lavagem de dinheiro",
  "blanchir",
  "geldwäsche",
  "洗钱",
];

export default defineNode({
  title: "No unlawful purpose is stated",
  failTitle: "Unlawful purpose stated",
  severity: "high",
  needs: ["proposal"],
  check({ proposal: { words } }) {
    const text = words.toLowerCase();
    const found = phrases.find((phrase) => text.includes(phrase));
    if (found === undefined) return pass("No unlawful purpose is stated.", { confidence: 0.9 });
    const at = text.indexOf(found);
    return fail(`The request states a purpose that the operator must not serve: ${quoted(found)}.`, {
      expected: "a lawful purpose",
      observed: quoted(found),
      words: [at, at + found.length],
      fix: "This service cannot help with that.",
    });
  },
});
