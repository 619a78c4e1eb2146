// A validator's report, read from wherever it was kept. It may come from a file that anybody has written, so nothing of it
// is taken for granted, and every text of it is made harmless before anyone sees it.
import { plainLine } from "../terminal/plain-text.ts";

export type Issue = {
  readonly node: string;
  readonly title: string;
  readonly severity: string;
  readonly reasoning: string;
  readonly expected: string | null;
  readonly actual: string | null;
  /** What would make it pass. */
  readonly fix: string | null;
  /** It had to look and could not, which is not the same as having found something. */
  readonly isOpen: boolean;
};

export type Result = { readonly node: string; readonly status: string; readonly reasoning: string };

export type ReadReport = {
  readonly decision: "PASS" | "REJECT";
  readonly reason: string;
  readonly issues: readonly Issue[];
  readonly notChecked: readonly { readonly node: string; readonly why: string }[];
  readonly results: readonly Result[];
  /** The words, as far as the report itself repeats them. */
  readonly tokens: string;
  readonly confidence: number | null;
  readonly chain: string | null;
  readonly effects: readonly unknown[];
  readonly net: unknown;
};

export type Members = Readonly<Record<string, unknown>>;
export const membersOf = (value: unknown): Members =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Members) : {};
export const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? (value as readonly unknown[]) : [];
export const textOf = (value: unknown): string | null =>
  typeof value === "string" && value !== "" ? plainLine(value) : null;

/** Undefined if it is no report of a validator. */
export function readReport(value: unknown): ReadReport | undefined {
  const { decision, reason, results, context, explanation, extracted_elements: extracted } = membersOf(value);
  if (decision !== "PASS" && decision !== "REJECT") return undefined;
  if (typeof results !== "object" || results === null) return undefined;
  const { not_checked: notChecked, confidence, effects, net_effect: net, chain } = membersOf(context);
  const read = Object.entries(membersOf(results)).map(resultOf);
  const issues = listOf(membersOf(explanation)["key_issues"]);
  return {
    decision,
    reason: textOf(reason) ?? "",
    issues:
      issues.length > 0 ? issues.map((issue) => issueOf(issue, membersOf(results))) : failuresOf(results),
    notChecked: listOf(notChecked).map((one) => {
      const { node, why } = membersOf(one);
      return { node: textOf(node) ?? "?", why: textOf(why) ?? "No reason was given." };
    }),
    results: read,
    tokens: listOf(membersOf(extracted)["tokens"])
      .map((token) => textOf(membersOf(token)["text"]) ?? "")
      .join(" "),
    confidence: typeof confidence === "number" ? confidence : null,
    chain: textOf(membersOf(chain)["name"]) ?? chainNumber(membersOf(chain)["id"]),
    effects: listOf(effects),
    net,
  };
}

const chainNumber = (id: unknown): string | null => (typeof id === "number" && id > 0 ? `chain ${id}` : null);

const resultOf = ([node, result]: readonly [string, unknown]): Result => ({
  node: plainLine(node),
  status: textOf(membersOf(result)["status"]) ?? "?",
  reasoning: textOf(membersOf(result)["reasoning"]) ?? "",
});

function issueOf(value: unknown, results: Members): Issue {
  const { node, title, severity, reasoning, expected, actual, fix } = membersOf(value);
  const name = textOf(node) ?? "?";
  return {
    node: name,
    title: textOf(title) ?? name,
    severity: textOf(severity) ?? "unknown severity",
    reasoning: textOf(reasoning) ?? "",
    expected: textOf(expected),
    actual: textOf(actual),
    fix: textOf(fix),
    isOpen: membersOf(results[name])["status"] === "SKIP",
  };
}

/** A report may come without its explanation; then the checks speak for themselves. */
const failuresOf = (results: unknown): readonly Issue[] =>
  Object.entries(membersOf(results))
    .filter(([, result]) => membersOf(result)["status"] === "FAIL")
    .map(([node, result]) => {
      const { reasoning, details } = membersOf(result);
      const { severity, expected, observed, fix, remedy } = membersOf(details);
      const told = { node, severity, reasoning, expected, actual: observed, fix: textOf(fix) ?? remedy };
      return issueOf(told, {});
    });
