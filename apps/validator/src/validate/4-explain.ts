/** Builds the response: what was found, what it means, and what would make it pass. */
import { quoted, type Finding, type Seen } from "../node.ts";
import type { Ran } from "./2-run-nodes.ts";
import { confidenceOf, isOpen, severityOf, type Decision } from "./3-decide.ts";
import { byStory } from "./primary.ts";

type Words = { readonly from: number; readonly to: number; readonly text: string };

const wordsAt = (span: readonly [number, number] | null | undefined, words: string): Words | null =>
  span === null || span === undefined
    ? null
    : { from: span[0], to: span[1], text: quoted(words.slice(span[0], span[1])) };

const nothing: readonly never[] = [];

export type NodeResult = {
  readonly status: Finding["status"];
  readonly confidence: number;
  readonly reasoning: string;
  readonly details: Readonly<Record<string, unknown>>;
};

const kept = new WeakMap<Ran, NodeResult>();

/** The texts for a missing fact are the same in every response and make up half of it. */
function keptResultOf(ran: Ran): NodeResult {
  let result = kept.get(ran);
  if (result === undefined) kept.set(ran, (result = resultOf(ran, "")));
  return result;
}

/** `results`: every check by its id. */
export function resultsOf(ran: readonly Ran[], words: string): Readonly<Record<string, NodeResult>> {
  const results: Record<string, NodeResult> = {};
  for (const one of ran) results[one.id] = one.standing === true ? keptResultOf(one) : resultOf(one, words);
  return results;
}

/** One entry of `results`. */
function resultOf(ran: Ran, words: string): NodeResult {
  const { node, page, finding } = ran;
  const seen: Seen = finding;
  const details = {
    needs: node.needs,
    severity: severityOf(ran),
    evidence: seen.evidence ?? nothing,
    observed: seen.observed ?? null,
    expected: seen.expected ?? null,
    where: seen.where ?? null,
    words: wordsAt(seen.words, words),
  };
  const { remedy } = page;
  return {
    status: finding.status,
    confidence: confidenceOf(ran),
    reasoning: finding.reasoning,
    details:
      finding.status === "PASS"
        ? { ...details, remedy }
        : finding.status === "SKIP"
          ? {
              ...details,
              skip_kind: finding.kind,
              remedy,
              ...(seen.fix === undefined ? {} : { fix: seen.fix }),
            }
          : { ...details, fix: seen.fix ?? "", remedy },
  };
}

const issueOf = (ran: Ran, words: string): Readonly<Record<string, unknown>> => {
  const { id, node, page, finding } = ran;
  const seen: Seen = finding;
  return {
    node: id,
    severity: severityOf(ran),
    title: finding.status === "FAIL" ? node.failTitle : node.title,
    reasoning: finding.reasoning,
    expected: seen.expected ?? null,
    actual: seen.observed ?? null,
    where: seen.where ?? null,
    words: wordsAt(seen.words, words),
    fix: seen.fix === undefined || seen.fix === "" ? page.remedy : seen.fix,
  };
};

function groupByFamily(issues: readonly Ran[]): Readonly<Record<string, readonly string[]>> {
  const groups: Record<string, string[]> = {};
  for (const { family, id } of issues) (groups[family] ??= []).push(id);
  return groups;
}

const isWeaker = (
  confidence: number,
  id: string,
  than: { readonly node: string; readonly confidence: number } | null,
): boolean =>
  than === null || confidence < than.confidence || (confidence === than.confidence && id < than.node);

function confidenceSummary(ran: readonly Ran[], overall: number): Readonly<Record<string, unknown>> {
  const counts = { PASS: 0, FAIL: 0, SKIP: 0 };
  let weakest: { readonly node: string; readonly confidence: number } | null = null;
  for (const one of ran) {
    counts[one.finding.status] += 1;
    const confidence = confidenceOf(one);
    if (one.finding.status !== "SKIP" && isWeaker(confidence, one.id, weakest))
      weakest = { node: one.id, confidence };
  }
  return { overall, weakest, passed: counts.PASS, failed: counts.FAIL, skipped: counts.SKIP };
}

export type Explanation = {
  readonly summary: string;
  readonly decision: "PASS" | "REJECT";
  readonly key_issues: readonly unknown[];
  readonly affected_nodes: Readonly<Record<string, unknown>>;
  readonly confidence_summary: Readonly<Record<string, unknown>>;
  readonly recommendations: readonly string[];
  readonly metadata: Readonly<Record<string, unknown>>;
};

type Told = {
  readonly ran: readonly Ran[];
  readonly decision: Decision;
  readonly words: string;
  readonly requireSanctions: boolean;
  readonly metadata: Readonly<Record<string, unknown>>;
};

export function explain({ ran, decision, words, requireSanctions, metadata }: Told): Explanation {
  const issues = byStory(
    ran.filter((one) => one.finding.status === "FAIL" || isOpen(one, requireSanctions)),
    severityOf,
  );
  return {
    summary: summarise(decision, issues),
    decision: decision.decision,
    key_issues: issues.map((one) => issueOf(one, words)),
    affected_nodes: groupByFamily(issues),
    confidence_summary: confidenceSummary(ran, decision.confidence),
    recommendations: [...new Set(issues.map(({ page }) => page.remedy))],
    metadata,
  };
}

function summarise({ decision, reason }: Decision, issues: readonly Ran[]): string {
  if (decision === "PASS") return reason;
  const others = issues.length - 1;
  return others > 0 ? `${reason} ${others} more ${others === 1 ? "check" : "checks"} object.` : reason;
}
