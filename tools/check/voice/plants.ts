/** One banned construction of each kind of prose, for the test that `npm run check -- voice` catches them. */
export const voicePlants = [
  {
    fault: "a banned construction in a comment",
    says: 'README-planted.mjs:1 (comment): "Whoever". Write instead: name the actor',
    files: { "README-planted.mjs": "// Whoever asks gets an answer.\nexport const answer = 1;\n" },
  },
  {
    fault: "a banned construction in a string",
    says: 'string-planted.mjs:1 (string): "by itself". Write instead: on its own',
    files: { "string-planted.mjs": "export const text = `It ends ${1} by itself.`;\n" },
  },
  {
    fault: "a banned construction in a test name",
    says: 'test-planted.mjs:2 (test name): "what is asked twice". Write instead: subject, verb, object',
    files: {
      "test-planted.mjs":
        'import { test } from "vitest";\ntest.each([1])("what is asked twice", () => undefined);\n',
    },
  },
  {
    fault: "a banned construction in a document",
    says: 'planted.md:4 (document): "mend". Write instead: fix, repair.',
    files: { "planted.md": "# Title\n\nA long paragraph that goes on\nto mend what `nobody` noticed.\n" },
  },
] as const;

/** A commit message that commitlint must reject. */
export const plantedMessage = {
  message: "fix(tools): mend a check\n",
  says: '"mend": write instead fix, repair',
} as const;
