/** Runs the checks on the facts. A missing fact is a SKIP with its reason; a check that throws is a FAIL. */
import type { Log } from "@countersign/platform/log";
import { absences, type FactName, type Facts } from "../facts.ts";
import { skip, type Finding } from "../node.ts";
import type { LoadedNode } from "../nodes/load-nodes.ts";

export type Ran = LoadedNode & {
  readonly finding: Finding;
  /** Shared by all requests that lack the same fact, so that its texts can be cached. */
  readonly standing?: boolean;
};

/** Chooses the reason if several facts are missing: a failure first, then a fact that makes the check inapplicable. */
const speaksFirst = (names: readonly FactName[]): FactName | undefined =>
  names.find((name) => absences[name].kind === "upstream_failed") ??
  names.find((name) => absences[name].kind === "not_applicable") ??
  names[0];

/** Built once, because half of all findings are one of them. */
const skipped = Object.fromEntries(
  Object.entries(absences).map(([name, { kind, said }]) => [name, Object.freeze(skip(kind, said))]),
) as Readonly<Record<FactName, Finding>>;

function missingOf(needs: readonly FactName[], facts: Partial<Facts>): FactName | undefined {
  for (const name of needs)
    if (facts[name] === undefined) return speaksFirst(needs.filter((one) => facts[one] === undefined));
  return undefined;
}

function findingOf({ node, id }: LoadedNode, facts: Partial<Facts>, log: Log): Finding {
  try {
    return node.check(facts as Facts);
  } catch (error) {
    log.error("a check failed to complete", { check: id, error });
    return { status: "FAIL", reasoning: "This check did not complete, so it confirms nothing." };
  }
}

export function runNode(loaded: LoadedNode, facts: Partial<Facts>, log: Log): Finding {
  const missing = missingOf(loaded.node.needs, facts);
  return missing === undefined ? findingOf(loaded, facts, log) : skipped[missing];
}

const standings = new WeakMap<LoadedNode, Map<FactName, Ran>>();

/** One object for each check and each fact it can lack. */
function standing(loaded: LoadedNode, missing: FactName): Ran {
  let known = standings.get(loaded);
  if (known === undefined) standings.set(loaded, (known = new Map<FactName, Ran>()));
  let ran = known.get(missing);
  if (ran === undefined) {
    const { id, family, node, page } = loaded;
    ran = Object.freeze({ id, family, node, page, finding: skipped[missing], standing: true });
    known.set(missing, ran);
  }
  return ran;
}

/** Returns the SKIP of each check that lacks a fact, or null if it can run. */
type Plan = readonly (Ran | null)[];

const factNames = Object.keys(absences) as readonly FactName[];
const plans = new WeakMap<readonly LoadedNode[], Map<string, Plan>>();
/** Bounded, so that a caller who varies the missing facts cannot fill the memory. */
const PLANS_MAX = 512;

/** The checks that cannot run depend only on the missing facts, so they are computed once per combination. */
function planFor(nodes: readonly LoadedNode[], facts: Partial<Facts>): Plan {
  let known = plans.get(nodes);
  if (known === undefined) plans.set(nodes, (known = new Map<string, Plan>()));
  let key = "";
  for (const name of factNames) key += facts[name] === undefined ? "0" : "1";
  const found = known.get(key);
  if (found !== undefined) return found;
  const plan = nodes.map((loaded) => {
    const missing = missingOf(loaded.node.needs, facts);
    return missing === undefined ? null : standing(loaded, missing);
  });
  if (known.size >= PLANS_MAX) known.clear();
  known.set(key, plan);
  return plan;
}

export function runNodes(nodes: readonly LoadedNode[], facts: Partial<Facts>, log: Log): readonly Ran[] {
  const plan = planFor(nodes, facts);
  return nodes.map((loaded, index) => {
    const open = plan[index] ?? null;
    if (open !== null) return open;
    const { id, family, node, page } = loaded;
    return { id, family, node, page, finding: findingOf(loaded, facts, log), standing: false };
  });
}
