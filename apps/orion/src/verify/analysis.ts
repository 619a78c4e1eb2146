// The verdict as a text for the owner. It contains external texts, so they are made harmless and kept short.
import type { Report } from "../adapters/validator/index.ts";
import type { Privacy } from "./examine.ts";

const maxBytes = 4 * 1024;

/** Control, format and unassigned characters reverse text or hide it. Line breaks are ours and stay. */
const withoutControls = (text: string): string =>
  text.toWellFormed().replace(/[^\P{C}\n]|[\p{Zl}\p{Zp}]/gu, " ");

/** One line: a reason must not look like several. */
const oneLine = (text: string): string => withoutControls(text).replace(/\s+/g, " ").trim();

/** At most 4 kB of UTF-8, cut between characters. */
function shorten(text: string): string {
  if (Buffer.byteLength(text) <= maxBytes) return text;
  const mark = "…";
  let size = Buffer.byteLength(mark);
  let kept = "";
  for (const character of text) {
    size += Buffer.byteLength(character);
    if (size > maxBytes) break;
    kept += character;
  }
  return kept + mark;
}

/** Joins lines of external text into one analysis. */
export const plainText = (lines: readonly string[]): string =>
  shorten(
    lines
      .map(oneLine)
      .filter((line) => line !== "")
      .join("\n"),
  );

const conclusions = {
  APPROVED: "The transaction does what was asked and nothing else.",
  REJECTED: "The transaction differs from what was asked, or a check refused it.",
  UNDECIDED: "We could not verify that the transaction does what was asked.",
} as const;

type Told = {
  readonly report: Report;
  readonly decision: keyof typeof conclusions;
  readonly privacy: Privacy;
  readonly isSignedByAccount: boolean;
};

/**
 * The reason and the key issues. For a proposal that its sender encrypted, only the names of the checks:
 * their reasons repeat amounts and recipients, which the main service must not learn.
 */
export function analyse({ report, decision, privacy, isSignedByAccount }: Told): string {
  const issues = report.explanation?.key_issues ?? [];
  const isPrivate = privacy === "encrypted by the sender";
  const why = isPrivate ? conclusions[decision] : report.reason;
  return plainText([
    why,
    ...(decision === "UNDECIDED" && report.decision === "PASS"
      ? ["The checks pass, but with too little confidence to approve it without you."]
      : []),
    ...issues.map(({ node, title, reasoning }) => `- ${node}: ${isPrivate ? title : reasoning}`),
    ...(isSignedByAccount ? ["The account itself signed the request."] : []),
  ]);
}
