/** Files that the check never reads, each with its reason. */
export const exempt: Readonly<Record<string, string>> = {
  "apps/validator/data/english-words.txt": "a list of words, not prose",
  "apps/validator/src/words/languages/en.ts": "vocabulary of requests, which may contain any word",
  "apps/validator/data/words/": "lists of words, not prose",
  "apps/validator/src/words/force/english.ts": "vocabulary of requests, which may contain any word",
  "apps/validator/src/words/core/lexicon/en.ts": "vocabulary of requests, which may contain any word",
  "clients/python/src/countersign/generated/": "generated from the API's description",
  "docs/reference/": "generated from the code, which is checked",
  "packages/sdk/src/generated/": "generated from the API's description",
  "tools/check/voice/": "lists and plants the banned constructions",
};
