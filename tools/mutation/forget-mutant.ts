// Before each test file: the thread is kept, and with it what Stryker left there for the mutant before.
import { inject } from "vitest";

type Stryker = { activeMutant?: unknown; hitCount?: unknown; mutantCoverage?: unknown };

const get = inject as (name: string) => unknown;
const stryker = (globalThis as Record<string, unknown>)[String(get("globalNamespace"))] as
  Stryker | undefined;
if (stryker !== undefined) {
  stryker.hitCount = undefined;
  stryker.mutantCoverage = undefined;
  // Stryker has set the one that is active while modules load already; any other becomes active before the first test.
  if (get("mutantActivation") !== "static") stryker.activeMutant = undefined;
}
