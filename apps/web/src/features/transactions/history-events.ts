// The decisions on a transaction, in chronological order.
import type { TransactionView } from "@countersign/sdk";
import type { Tone } from "../../components/badge.tsx";

export type HistoryEvent = {
  readonly key: string;
  readonly at: string;
  readonly tone: Tone;
  readonly who: string;
  readonly what: string;
  /** The credential that was used. */
  readonly how: string | undefined;
  /** The verification service's analysis, or the owner's reason. */
  readonly text: string | undefined;
};

const yesOrNo = {
  APPROVED: { tone: "good", what: "approved" },
  REJECTED: { tone: "bad", what: "rejected" },
} as const;

const judged = {
  APPROVED: { tone: "good", what: "checked it: it matches what you asked" },
  REJECTED: { tone: "bad", what: "checked it: it differs from what you asked" },
  UNDECIDED: { tone: "open", what: "could not verify it" },
} as const;

function keyEvent({
  id,
  createdAt,
  decision,
  type,
  label,
  effective,
}: TransactionView["approvals"]["apiKey"][number]): HistoryEvent {
  const who =
    type === "admin" ? "An administrator" : label === null ? "An agent’s key" : `An agent’s key (${label})`;
  const noted = effective ? "" : " (noted; doesn’t count as an approval)";
  return { key: id, at: createdAt, who, how: `by an API key${noted}`, text: undefined, ...yesOrNo[decision] };
}

export function eventsOf({
  id,
  createdAt,
  intentProvenance,
  approvals,
}: TransactionView): readonly HistoryEvent[] {
  const proposed: HistoryEvent = {
    ...{ key: id, at: createdAt, tone: "none", who: "Proposed", what: "", text: undefined },
    how: intentProvenance === "user-signed" ? "with a request that you signed" : "with the agent’s wording",
  };
  const isUndecided = approvals.orion[0]?.decision === "UNDECIDED";
  const ofOwner = approvals.user.map(
    ({ id: key, createdAt: at, decision, type, verdictSeen, reason }): HistoryEvent => ({
      ...{ key, at, who: "You", ...yesOrNo[decision] },
      text:
        isUndecided && verdictSeen === null
          ? "This approval came before the check result, which couldn’t verify it. It doesn’t count."
          : reason,
      how: type === "user" ? "by wallet signature" : "while signed in, without a signature",
    }),
  );
  const ofArbiter = approvals.orion.map(
    ({ id: key, createdAt: at, decision, confidence, analysis }): HistoryEvent => ({
      ...{
        key,
        at,
        who: "The verifier",
        how: `confidence ${Math.round(confidence * 100)} %`,
        ...judged[decision],
      },
      text: analysis === "" ? undefined : analysis,
    }),
  );
  const all = [proposed, ...ofOwner, ...ofArbiter, ...approvals.apiKey.map(keyEvent)];
  return all.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
}
