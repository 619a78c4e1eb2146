import { globSync } from "node:fs";

/** The documents whose blocks are run. */
const patterns = [
  "README.md",
  "docs/guides/*.md",
  "packages/*/README.md",
  "apps/cli/README.md",
  "skills/*/SKILL.md",
];

/** Paths from the root of the checkout on, in an order that does not change. */
export const findDocuments = (root: string): readonly string[] =>
  patterns.flatMap((pattern) => globSync(pattern, { cwd: root }).sort());
