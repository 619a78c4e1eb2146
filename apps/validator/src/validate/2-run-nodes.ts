/** Facts × checks → a finding each. A fact that is not there makes a SKIP with its reason; a check that breaks is a FAIL. */
import type { Log } from "@countersign/platform/log";
import { absences, type FactName, type Facts } from "../facts.ts";
import { skip, type Finding } from "../node.ts";
import type { LoadedNode } from "../nodes/load-nodes.ts";

export type Ran = LoadedNode & { readonly finding: Finding };

/** Which absence speaks when several facts are missing: what broke first, then what makes the check pointless. */
const speaksFirst = (names: readonly FactName[]): FactName | undefined =>
  names.find((name) => absences[name].kind === "upstream_failed") ??
  names.find((name) => absences[name].kind === "not_applicable") ??
  names[0];

/** They are the same every time, and half of all findings are one of them. */
const skipped = Object.fromEntries(
  Object.entries(absences).map(([name, { kind, said }]) => [name, Object.freeze(skip(kind, said))]),
) as Readonly<Record<FactName, Finding>>;

export function runNode({ node, id }: LoadedNode, facts: Partial<Facts>, log: Log): Finding {
  if (node.needs.some((name) => facts[name] === undefined)) {
    const missing = speaksFirst(node.needs.filter((name) => facts[name] === undefined));
    if (missing !== undefined) return skipped[missing];
  }
  try {
    return node.check(facts as Facts);
  } catch (error) {
    log.error("a check failed to complete", { check: id, error });
    return { status: "FAIL", reasoning: "This check could not complete, so it does not vouch for anything." };
  }
}

export const runNodes = (nodes: readonly LoadedNode[], facts: Partial<Facts>, log: Log): readonly Ran[] =>
  nodes.map((loaded) => {
    const { id, family, node, page } = loaded;
    return { id, family, node, page, finding: runNode(loaded, facts, log) };
  });
