import type { Api } from "@countersign/sdk";
import type { JSX } from "react";
import { Badge, type Tone } from "../../components/badge.tsx";
import { verdictWords } from "../../components/verdict-words.ts";

/** The verdict. */
export function VerdictBadge({ decision }: Pick<Api.PublicTransaction, "decision">): JSX.Element {
  if (decision === null) return <Badge tone="waiting">Checking</Badge>;
  const { tone, word } = verdictWords[decision];
  return <Badge tone={tone}>{word}</Badge>;
}

const statuses: Readonly<
  Record<Api.PublicTransaction["status"], { readonly tone: Tone; readonly word: string }>
> = {
  PENDING: { tone: "waiting", word: "Pending" },
  APPROVED: { tone: "good", word: "Approved" },
  REJECTED: { tone: "over", word: "Rejected" },
  EXECUTED: { tone: "good", word: "Executed" },
  FAILED: { tone: "over", word: "Failed" },
};

export function StatusBadge({ status }: Pick<Api.PublicTransaction, "status">): JSX.Element {
  const { tone, word } = statuses[status];
  return <Badge tone={tone}>{word}</Badge>;
}
