import type { MandatePreview } from "@countersign/sdk";
import { plainLine } from "../terminal/plain-text.ts";

const outcomes = { allowed: "allowed", asked: "asks you", denied: "denied by policy" } as const;

type Decision = MandatePreview["decisions"][number];

const isChanged = ({ from, outcome }: Decision): boolean => from !== null && from !== outcome;

/** Two lines: the outcome with its reason, and the request. */
function linesOf(decision: Decision): readonly string[] {
  const { at, outcome, from, reason, description } = decision;
  const was = from !== null && isChanged(decision) ? ` (was: ${outcomes[from]})` : "";
  const why = reason === null ? "" : `: ${reason.message}`;
  return [`${at.slice(0, 16).replace("T", " ")}  ${outcomes[outcome]}${was}${why}`, `  ${description}`].map(
    plainLine,
  );
}

const countText = ({ allowed, asked, denied }: MandatePreview["counts"]): string =>
  `${allowed} allowed without you, you are asked about ${asked}${denied === 0 ? "" : `, ${denied} denied by your policy`}`;

/** Renders the counts, the highest use of each limit, and every transaction that is asked about or changes. */
export function previewText(preview: MandatePreview, days: number): string {
  const { transactions, complete, counts, before, limits, decisions } = preview;
  if (transactions === 0) return `No verified transactions of this agent in the last ${days} days.`;
  const listed = decisions.filter((decision) => decision.outcome !== "allowed" || isChanged(decision));
  return [
    `The last ${days} days with this mandate: ${transactions} transactions${complete ? "" : " (only the newest)"}`,
    countText(counts),
    ...(before === null ? [] : [`compared with: ${countText(before)}`]),
    "",
    ...limits.map(({ used, most, measure, span }) =>
      plainLine(`at most ${used} of ${most} used: ${measure}, ${span}`),
    ),
    ...(listed.length === 0 ? [] : ["", ...listed.flatMap(linesOf)]),
  ].join("\n");
}
