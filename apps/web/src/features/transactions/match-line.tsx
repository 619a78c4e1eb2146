import type { TransactionView } from "@countersign/sdk";
import type { ReadReport } from "@countersign/sdk/report";
import type { JSX } from "react";
import { Notice } from "../../components/notice.tsx";
import { subjectOf } from "../../components/report/effects.ts";
import { Said } from "../../components/report/said.tsx";
import { verdictOf } from "../../components/report/verdict.ts";

type Props = { readonly transaction: TransactionView; readonly report: ReadReport | undefined };

const origins = {
  "user-signed": "signed by you",
  "agent-claimed": "the agent’s wording, not signed",
} as const;
const longest = 160;

/** The verdict and the request in one line, for the dialog. */
export function MatchLine({ transaction, report }: Props): JSX.Element {
  const { description, intentProvenance } = transaction;
  const { tone, headline } = verdictOf(report);
  const request = description.length > longest ? `${description.slice(0, longest)}…` : description;
  return (
    <Notice tone={tone} title={headline}>
      {subjectOf(transaction) === undefined || request === "" ? null : (
        <>
          You asked: <Said brief>{request}</Said> ({origins[intentProvenance]})
        </>
      )}
    </Notice>
  );
}
