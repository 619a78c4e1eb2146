/**
 * Text that addresses the verifier. It cannot persuade our rules, but it shows an attempt, and a model in the agent may
 * already have followed it.
 */
import { defineNode, fail, pass, quoted } from "../../node.ts";
import type { Span } from "../../facts.ts";

const phrases = [
  "ignore previous",
  "ignore all previous",
  "ignore the above",
  "ignore your instructions",
  "disregard previous",
  "disregard all",
  "disregard the above",
  "forget your instructions",
  "new instructions:",
  "system prompt",
  "system:",
  "[system]",
  "<system>",
  "<|im_start|>",
  "[inst]",
  "mark as pass",
  "return pass",
  "respond with pass",
  "answer pass",
  "output pass",
  "must pass validation",
  "skip validation",
  "skip all checks",
  "bypass validation",
  "validator must",
  "the validator should",
  "verifier must",
  "dear validator",
  "already approved by",
  "pre-approved by",
  "do not reject",
  '"decision":"pass"',
  '"decision": "pass"',
  "decision: pass",
  '"status":"pass"',
  "you are now",
];

export default defineNode({
  title: "No text tries to influence the verifier",
  failTitle: "Tries to influence the check",
  severity: "high",
  needs: ["proposal", "intent", "wordsAddresses"],
  check({ proposal, intent, wordsAddresses }) {
    // A checksummed address looks like encoded data.
    const isAddress = ([from, to]: Span): boolean =>
      wordsAddresses.some(({ span }) => span[0] <= from && to <= span[1]);
    const inWords = intent.injections.find(({ span }) => !isAddress(span));
    if (inWords !== undefined)
      return fail(`The request addresses the verifier: ${quoted(inWords.said)}.`, {
        expected: "a request and nothing else",
        observed: quoted(inWords.said),
        words: inWords.span,
        fix: "Keep only the request itself.",
      });
    for (const { at, text } of proposal.context.texts) {
      const lower = text.toLowerCase();
      const found = phrases.find((phrase) => lower.includes(phrase));
      if (found !== undefined)
        return fail(`${at} addresses the verifier: ${quoted(text)}.`, {
          expected: "facts, not instructions",
          observed: quoted(text),
          where: { call: at, field: at },
          // Only the request is consent, so this text alone does no harm.
          severity: "medium",
          fix: `Remove the instruction from ${at}, and find out where it came from.`,
        });
    }
    return pass("No text addresses the verifier.", { confidence: 0.9 });
  },
});
