import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findDocuments } from "./documents.ts";
import { planDocument } from "./plan.ts";

const root = join(import.meta.dirname, "../..");
const plans = findDocuments(root).map((name) => ({
  name,
  plan: planDocument(readFileSync(join(root, name), "utf8")),
}));

test("every block of every document is run, parsed, or says why not", () => {
  expect(plans.flatMap(({ name, plan }) => plan.faults.map((fault) => ({ name, ...fault })))).toEqual([]);
});

// A reason is quickly written. Adding one changes a number here, which has to be justified in the review.
test("counts the blocks that are not run", () => {
  const counted = plans
    .map(({ name, plan }) => [name, plan.notRun.length] as const)
    .filter(([, count]) => count > 0);
  const committed: unknown = JSON.parse(readFileSync(join(import.meta.dirname, "not-run.json"), "utf8"));
  expect(Object.fromEntries(counted)).toEqual(committed);
});
