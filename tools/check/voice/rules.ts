/** A construction we do not use, and the words to use instead. */
export type Rule = {
  readonly name: string;
  readonly pattern: RegExp;
  readonly instead: string;
};

export type Hit = { readonly rule: Rule; readonly index: number; readonly text: string };

const rule = (name: string, pattern: RegExp, instead: string): Rule => ({ name, pattern, instead });

/** The banned constructions. CONTRIBUTING.md ("How we write") explains the voice that they keep. */
export const rules: readonly Rule[] = [
  rule("anew", /\banew\b/gi, "again, retry, resume"),
  rule("beside", /\bbeside\b/gi, "next to (place), in addition to, along with, at the same time as"),
  rule("whoever", /\bwho(?:m)?ever\b/gi, 'name the actor ("the caller", "the owner"), or "anyone who"'),
  rule("nobody", /\b(?:some|no|any)body\b/gi, 'name the actor ("no caller", "another user"), or "no one"'),
  rule(
    "is none",
    /(?<!\bthere\s+)\b(?:is|are|was|were)\s+none\b(?!\s+of\b)/gi,
    "say what is missing or malformed",
  ),
  rule("becomes of", /\bbec(?:omes?|ame)\s+of\b/gi, "what happens to"),
  rule("mend", /\bmend(?:s|ed|ing)?\b/gi, "fix, repair"),
  rule("by itself", /\bby\s+itself\b/gi, "on its own, alone, automatically"),
  rule("go round", /\b(?:go|goes|going|gone|went)\s+round\b/gi, "bypass"),
  rule("in turns", /\bin\s+turns\b/gi, "alternately, interleaved"),
  rule("manieth", /\bhow\s+manieth\b/gi, '"index of", "position of", "attempt number"'),
  rule("throw", /\ba\s+throw\s+of\b|\bthrows?\s+of\s+the\s+dice\b/gi, "a random draw"),
  rule("the motor", /\bthe\s+motor\b/gi, "Restate, the durable engine"),
  rule("arbiter", /\barbiter(?:s|'s)?\b/gi, "verifier, verification service"),
  rule("judged", /\bjudg(?:e|es|ed|ing|e?ment|e?ments)\b/gi, "check, checked, check result; validator"),
  rule("stands", /\bstands\b(?!\s+(?:for|in|out|between)\b)/gi, "is, is listed, is written"),
  rule("tells", /\btells\b(?!\s+(?:\S+\s+){1,4}to\b)/gi, "returns, reports, shows"),
  rule(
    "said",
    /\b(?:is|are|was|were|be|been|not|nothing|unless|else|as)\s+said\b/gi,
    "specified, stated, set",
  ),
  rule("the words", /\bthe\s+words\b/gi, "the request (the intent in code)"),
  // A comment, a test name or a sentence of a document that has a relative clause where its subject belongs.
  rule("What …", /(?<=^\s*|[.!]\s+)what\s+[^.?!]*(?:[.!]|$)/gi, 'subject, verb, object ("Returns …")'),
];

const opening = "What …";

/** Returns every banned construction in one piece of prose. Only comments, test names and documents open with a sentence. */
export function findHits(text: string, { sentences }: { readonly sentences: boolean }): readonly Hit[] {
  return rules
    .filter(({ name }) => sentences || name !== opening)
    .flatMap((rule) =>
      [...text.matchAll(rule.pattern)].map((match) => ({ rule, index: match.index, text: match[0] })),
    );
}
