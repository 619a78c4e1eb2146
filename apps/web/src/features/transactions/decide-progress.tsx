import type { TransactionView } from "@countersign/sdk";
import type { JSX } from "react";
import { Notice } from "../../components/notice.tsx";
import { Text } from "../../components/text.tsx";
import { clockTime } from "../../lib/format.ts";
import { sentenceCase } from "../../components/report/plain-words.ts";
import type { Known } from "../../lib/known.ts";
import type { Decision } from "./decide.ts";
import type { Progress } from "./outcome.ts";
import { ownersDecision } from "./status.ts";

type Props = {
  readonly progress: Progress;
  readonly decision: Decision;
  readonly known: Known<TransactionView>;
};

const done = { APPROVED: "approved", REJECTED: "rejected" } as const;

/** The decision was sent without an answer: the reloaded record shows whether it arrived. */
function Unknown({
  since,
  decision,
  known,
}: Omit<Props, "progress"> & { readonly since: Date }): JSX.Element {
  if (ownersDecision(known.value) === decision)
    return (
      <Notice tone="good" live="polite" title={`Saved: you ${done[decision]} this.`}>
        The answer got lost, but your decision arrived. Confirmed at {clockTime(known.asOf)}.
      </Notice>
    );
  return (
    <Notice tone="open" live="assertive" title="We don’t know if your decision arrived">
      {known.asOf >= since
        ? `At ${clockTime(known.asOf)} it hadn’t arrived. It may still be on its way.`
        : "The service didn’t answer. We’re checking."}{" "}
      You can send it again: it counts once.
    </Notice>
  );
}

/** Shows the progress of a decision, using only what the service confirmed. */
export function DecideProgress({ progress, decision, known }: Props): JSX.Element | null {
  switch (progress.kind) {
    case "asked":
      return null;
    case "checking":
      return <Notice tone="waiting" live="polite" title="Checking that nothing has changed…" />;
    case "signing":
      return (
        <Notice tone="waiting" live="polite" title="Waiting for your wallet">
          It should show the text under Technical details. Nothing has been sent yet.
        </Notice>
      );
    case "sending":
      return <Notice tone="waiting" live="polite" title="Sending your decision. Not confirmed yet." />;
    case "recorded":
      return (
        <Notice tone="good" live="polite" title={`${sentenceCase(done[progress.approval.decision])}.`}>
          Recorded at {clockTime(new Date(progress.approval.createdAt))} with your signature.
        </Notice>
      );
    case "unknown":
      return <Unknown since={progress.since} decision={decision} known={known} />;
    case "refused":
      return (
        <Notice tone="bad" live="assertive" title={`Not ${done[decision]}`}>
          <Text>{progress.sentence}</Text>
          {progress.requestId === undefined ? null : (
            <span className="mt-1 block text-xs text-soft">
              Reference <Text className="font-mono">{progress.requestId}</Text>
            </span>
          )}
        </Notice>
      );
  }
}
