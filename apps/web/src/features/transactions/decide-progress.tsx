import type { TransactionView } from "@countersign/sdk";
import type { JSX } from "react";
import { Notice } from "../../components/notice.tsx";
import { Text } from "../../components/text.tsx";
import { clockTime } from "../../lib/format.ts";
import type { Known } from "../../lib/known.ts";
import type { Decision } from "./decide.ts";
import type { Progress } from "./outcome.ts";
import { ownersWord } from "./status.ts";

type Props = {
  readonly progress: Progress;
  readonly decision: Decision;
  readonly known: Known<TransactionView>;
};

const done = { APPROVED: "approved", REJECTED: "rejected" } as const;

/** It was sent and not answered: what the record has says more than we do. */
function Unknown({
  since,
  decision,
  known,
}: Omit<Props, "progress"> & { readonly since: Date }): JSX.Element {
  if (ownersWord(known.value) === decision)
    return (
      <Notice tone="good" live="polite" title={`The record has it: you ${done[decision]} this.`}>
        The answer was lost, the decision was not. Read from the service at {clockTime(known.asOf)}.
      </Notice>
    );
  return (
    <Notice tone="open" live="assertive" title="It is not known whether your decision arrived">
      {known.asOf >= since
        ? `As of ${clockTime(known.asOf)} the record has no such decision of yours. It may still be on its way.`
        : "The service did not answer. The record is being read again."}{" "}
      You can send it again: however often it arrives, it is one decision.
    </Notice>
  );
}

/** How far it is, and nothing that the service has not said. */
export function DecideProgress({ progress, decision, known }: Props): JSX.Element | null {
  switch (progress.kind) {
    case "asked":
      return null;
    case "signing":
      return (
        <Notice tone="waiting" live="polite" title="Waiting for your wallet">
          Compare what it shows with the text above. Nothing has been sent.
        </Notice>
      );
    case "sending":
      return <Notice tone="waiting" live="polite" title="Sending. Not confirmed yet." />;
    case "recorded":
      return (
        <Notice tone="good" live="polite" title={`Recorded: you ${done[progress.approval.decision]} this.`}>
          The service wrote it down at {clockTime(new Date(progress.approval.createdAt))}, by your signature.
        </Notice>
      );
    case "unknown":
      return <Unknown since={progress.since} decision={decision} known={known} />;
    case "refused":
      return (
        <Notice tone="bad" live="assertive" title="Not decided">
          <Text>{progress.sentence}</Text>
          {progress.requestId === undefined ? null : (
            <span className="mt-1 block text-xs text-soft">
              Request <Text className="font-mono">{progress.requestId}</Text>
            </span>
          )}
        </Notice>
      );
  }
}
