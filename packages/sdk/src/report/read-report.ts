// Reads a validator's report. It may come from an untrusted file, so every member is checked.
import { assessmentOf, headlineOf, outcomeOf } from "./outcome.ts";
import { callsOf } from "./read-calls.ts";
import { effectOf, netOf } from "./read-effects.ts";
import type { Check, Issue, ReadReport } from "./types.ts";
import { listOf, makeTextOf, membersOf, numberOf, placeOf, spanOf, type TextOf } from "./values.ts";

/** Options of `readReport`. */
export type ReadReportOptions = {
  /** Applied to every text of the report, for example to escape it. It must not change harmless text. */
  readonly text?: (text: string) => string;
};

/**
 * Reads a report into values to display. Accepts any input and returns undefined if it is not a report.
 */
export function readReport(value: unknown, options: ReadReportOptions = {}): ReadReport | undefined {
  const { decision, reason, results, context, explanation, ...report } = membersOf(value);
  if (decision !== "PASS" && decision !== "REJECT") return undefined;
  if (typeof results !== "object" || results === null) return undefined;
  const textOf = makeTextOf(options.text ?? ((text) => text));
  const { not_checked: notChecked, confidence, effects: done, calls, ...about } = membersOf(context);
  const { key_issues: issues, summary } = membersOf(explanation);
  const effects = listOf(done).map((one) => effectOf(one, textOf));
  const read = issuesOf(listOf(issues), membersOf(results), textOf);
  const assessment = assessmentOf(report["assessment"], textOf);
  const primary = membersOf(results)[String(report["primary_failure_node"])];
  const outcome = outcomeOf({ decision, assessment, issues: read, primary });
  return {
    decision,
    outcome,
    headline: headlineOf(outcome, read),
    assessment,
    reason: textOf(reason) ?? "",
    summary: textOf(summary) ?? textOf(reason) ?? "",
    confidence: numberOf(confidence),
    chain: chainOf(about["chain"], textOf),
    protocol: textOf(report["protocol"]),
    issues: read,
    checks: checksOf(membersOf(results), listOf(notChecked), textOf),
    notChecked: listOf(notChecked).map((one) => {
      const { node, why } = membersOf(one);
      return { node: textOf(node) ?? "?", why: textOf(why) ?? "No reason was given." };
    }),
    tokens: tokensOf(report["extracted_elements"], textOf),
    described: describedOf(listOf(about["described"]), textOf),
    effects,
    net: netOf(about["net_effect"], textOf),
    calls: callsOf(calls, effects, textOf),
    limit: textOf(about["limit"]),
    state: textOf(membersOf(about["state"])["status"]),
  };
}

/** Null if one of the sentences is not readable: the rest would describe another transaction. */
function describedOf(sentences: readonly unknown[], textOf: TextOf): string | null {
  const texts = sentences.flatMap((sentence) => textOf(sentence) ?? []);
  return texts.length === 0 || texts.length < sentences.length ? null : texts.join(" ");
}

function chainOf(value: unknown, textOf: TextOf): string | null {
  const { name, id } = membersOf(value);
  return textOf(name) ?? (typeof id === "number" && id > 0 ? `chain ${id}` : null);
}

const tokensOf = (extracted: unknown, textOf: TextOf): string =>
  listOf(membersOf(extracted)["tokens"])
    .map((token) => textOf(membersOf(token)["text"]) ?? "")
    .join(" ");

type Members = ReturnType<typeof membersOf>;

/** Falls back to the failed checks if the report has no explanation. */
function issuesOf(issues: readonly unknown[], results: Members, textOf: TextOf): readonly Issue[] {
  if (issues.length === 0)
    return Object.entries(results)
      .filter(([, result]) => membersOf(result)["status"] === "FAIL")
      .map(([node, result]) => issueOf(failureOf(node, result), false, textOf));
  return issues.map((issue) => {
    const { node } = membersOf(issue);
    const { status } = membersOf(typeof node === "string" ? results[node] : undefined);
    return issueOf(issue, status === "SKIP", textOf);
  });
}

function failureOf(node: string, result: unknown): Members {
  const { reasoning, details } = membersOf(result);
  const { observed, fix, remedy, ...rest } = membersOf(details);
  return { ...rest, node, title: null, reasoning, actual: observed, fix: fixOf(fix, remedy) };
}

/** Prefers the fix for this case over the general remedy. */
const fixOf = (fix: unknown, remedy: unknown): unknown =>
  typeof fix === "string" && fix !== "" ? fix : remedy;

function issueOf(value: unknown, isOpen: boolean, textOf: TextOf): Issue {
  const { node, title, severity, reasoning, expected, actual, fix, where, words } = membersOf(value);
  const name = textOf(node) ?? "?";
  return {
    node: name,
    family: familyOf(name),
    title: textOf(title) ?? name,
    severity: textOf(severity) ?? "unknown severity",
    reasoning: textOf(reasoning) ?? "",
    expected: textOf(expected),
    actual: textOf(actual),
    fix: textOf(fix),
    isOpen,
    where: placeOf(where, textOf),
    words: spanOf(words, textOf),
  };
}

/** Returns the first part of `intent_alignment.amount_match`. */
const familyOf = (node: string): string => node.slice(0, Math.max(0, node.indexOf(".")));

function checksOf(results: Members, notChecked: readonly unknown[], textOf: TextOf): readonly Check[] {
  const lacking = new Set(notChecked.map((one) => membersOf(one)["node"]));
  return Object.entries(results).map(([node, result]) => {
    const { confidence, reasoning, details } = membersOf(result);
    const { severity, fix, remedy, where, words } = membersOf(details);
    const name = textOf(node) ?? "?";
    const state = stateOf(result, lacking.has(node));
    return {
      node: name,
      family: familyOf(name),
      name: name.slice(name.indexOf(".") + 1),
      state,
      severity: textOf(severity) ?? "unknown severity",
      confidence: numberOf(confidence),
      reasoning: textOf(reasoning) ?? "",
      fix: state === "failed" ? textOf(fixOf(fix, remedy)) : null,
      where: placeOf(where, textOf),
      words: spanOf(words, textOf),
    };
  });
}

function stateOf(result: unknown, isLacking: boolean): Check["state"] {
  const { status, details } = membersOf(result);
  if (status === "PASS") return "passed";
  if (status === "FAIL") return "failed";
  const { skip_kind: kind } = membersOf(details);
  const isIdle = status === "SKIP" && (kind === undefined || kind === "not_applicable");
  return isIdle && !isLacking ? "idle" : "unchecked";
}
