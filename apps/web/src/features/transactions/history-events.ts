// What has been decided about a transaction, in the order in which it was.
import type { TransactionView } from "@countersign/sdk";
import type { Tone } from "../../components/badge.tsx";

export type HistoryEvent = {
  readonly key: string;
  readonly at: string;
  readonly tone: Tone;
  readonly who: string;
  readonly what: string;
  /** By what it was said. */
  readonly how: string | undefined;
  /** The arbiter's own words. */
  readonly text: string | undefined;
};

const yesOrNo = {
  APPROVED: { tone: "good", what: "approved it" },
  REJECTED: { tone: "bad", what: "rejected it" },
} as const;

const judged = {
  APPROVED: { tone: "good", what: "checked it: it matches" },
  REJECTED: { tone: "bad", what: "checked it: it differs" },
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
    type === "admin"
      ? "An administrator"
      : label === null
        ? "A key of the account"
        : `A key of the account (${label})`;
  const noted = effective ? "" : "; recorded without effect";
  return { key: id, at: createdAt, who, how: `by an API key${noted}`, text: undefined, ...yesOrNo[decision] };
}

export function eventsOf({
  id,
  createdAt,
  intentProvenance,
  approvals,
}: TransactionView): readonly HistoryEvent[] {
  const proposed: HistoryEvent = {
    ...{ key: id, at: createdAt, tone: "none", who: "It", what: "was proposed", text: undefined },
    how:
      intentProvenance === "user-signed"
        ? "with words that you signed"
        : "with words as the agent reports them",
  };
  const isUndecided = approvals.orion[0]?.decision === "UNDECIDED";
  const ofOwner = approvals.user.map(
    ({ id: key, createdAt: at, decision, type, verdictSeen }): HistoryEvent => ({
      ...{ key, at, who: "You", ...yesOrNo[decision] },
      text:
        isUndecided && verdictSeen === null
          ? "This approval came before the check result, which could not verify the transaction. It does not count."
          : undefined,
      how: type === "user" ? "by a signature of your wallet" : "signed in, without a signature of its own",
    }),
  );
  const ofArbiter = approvals.orion.map(
    ({ id: key, createdAt: at, decision, confidence, analysis }): HistoryEvent => ({
      ...{
        key,
        at,
        who: "The arbiter",
        how: `confidence ${Math.round(confidence * 100)} %`,
        ...judged[decision],
      },
      text: analysis === "" ? undefined : analysis,
    }),
  );
  const all = [proposed, ...ofOwner, ...ofArbiter, ...approvals.apiKey.map(keyEvent)];
  return all.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
}
