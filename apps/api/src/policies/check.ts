import { createHash } from "node:crypto";
import { loadCedar } from "./cedar.ts";
import type { Policy } from "./decide.ts";
import { readPolicy, type Fault } from "./rules.ts";
import { runTests, type PolicyTest, type Tested } from "./tests.ts";

export type Checked = {
  readonly valid: boolean;
  readonly faults: readonly Fault[];
  readonly rules: Policy["rules"];
  readonly tests: readonly Tested[];
  /** Rules that decided no test. */
  readonly untested: readonly string[];
};

/** Names a draft by its text, so that the same text is parsed once. */
export const draftPolicy = (text: string, rules: Policy["rules"]): Policy => ({
  key: `draft-${createHash("sha256").update(text).digest("hex")}`,
  rules,
});

type Draft = {
  readonly account: string;
  readonly text: string;
  readonly timeZone: string;
  readonly tests: readonly PolicyTest[];
};

/** Checks a policy against the schema and runs its tests. Stores nothing. */
export async function checkPolicy({ text, tests, timeZone, account }: Draft): Promise<Checked> {
  const cedar = await loadCedar();
  const read = readPolicy(cedar, text);
  if ("faults" in read) return { valid: false, faults: read.faults, rules: [], tests: [], untested: [] };
  const tested = runTests(cedar, draftPolicy(text, read.rules), { tests, timeZone, account });
  const decided = new Set(tested.flatMap(({ rules }) => rules));
  const untested = read.rules.map(({ id }) => id).filter((id) => !decided.has(id));
  return { valid: true, faults: [], rules: read.rules, tests: tested, untested };
}
