/** Facts × checks → a finding each. A fact that is not there makes a SKIP with its reason; a check that breaks is a FAIL. */
import type { Log } from "@countersign/platform/log";
import { absences, type FactName, type Facts } from "../facts.ts";
import { skip, type Finding } from "../node.ts";
import type { LoadedNode } from "../nodes/load-nodes.ts";

export type Ran = LoadedNode & {
  readonly finding: Finding;
  /** This very object stands for the check in every request that lacks the same fact, so what it says can be kept. */
  readonly standing?: boolean;
};

/** Which absence speaks when several facts are missing: what broke first, then what makes the check pointless. */
const speaksFirst = (names: readonly FactName[]): FactName | undefined =>
  names.find((name) => absences[name].kind === "upstream_failed") ??
  names.find((name) => absences[name].kind === "not_applicable") ??
  names[0];

/** They are the same every time, and half of all findings are one of them. */
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
    return { status: "FAIL", reasoning: "This check could not complete, so it does not vouch for anything." };
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

/** For each check what it says for want of a fact, or null where it has all it needs. */
type Plan = readonly (Ran | null)[];

const factNames = Object.keys(absences) as readonly FactName[];
const plans = new WeakMap<readonly LoadedNode[], Map<string, Plan>>();
/** Requests differ little in what they lack; a caller who varies it on purpose must not fill the memory. */
const PLANS_MAX = 512;

/** Which checks cannot run depends on nothing but which facts are missing: worked out once for each combination. */
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
