import { lazy, Suspense, type JSX } from "react";
import { Button } from "../../components/button.tsx";
import { Dialog, DialogButtons } from "../../components/dialog.tsx";
import { Notice } from "../../components/notice.tsx";
import { OnChain } from "../../components/on-chain.tsx";
import { Stepper } from "../../components/stepper.tsx";
import type { DecideProps } from "./decide-content.tsx";
import { DecideProgress } from "./decide-progress.tsx";
import { stepsOf } from "./decide-steps.ts";
import type { Decision } from "./decide.ts";
import { ExecuteSteps } from "./execute-panel.tsx";
import { headlineOf } from "./status.ts";
import { useSending } from "./use-sending.ts";
import type { Checked } from "./verification.ts";

// Loads the wallet code only when the owner decides.
const DecideContent = lazy(async () => ({ default: (await import("./decide-content.tsx")).DecideContent }));

const titles = {
  Review: "Approve this proposal",
  Sign: "Sign your approval",
  Send: "Send with your wallet",
  Done: "Done",
} as const;

type Props = Omit<DecideProps, "decision"> & {
  readonly decision: Decision | undefined;
  readonly checked: Checked | undefined;
  readonly isConfirmed: boolean;
};

/** Review, sign, send, done: one dialog. Closing it never loses a started decision, and the page shows where it is. */
export function DecideDialog({ decision, checked, isConfirmed, ...rest }: Props): JSX.Element {
  const { value: transaction } = rest.known;
  const sending = useSending(transaction.requestHash);
  const { steps, step } = stepsOf(transaction, rest.deciding.progress, sending?.hash !== undefined);
  const isApproval = decision === "APPROVED";
  return (
    <Dialog
      isOpen={decision !== undefined}
      title={isApproval ? titles[step] : "Reject this proposal"}
      onClose={rest.onClose}
    >
      {isApproval ? <Stepper label="Steps of the approval" steps={steps} at={steps.indexOf(step)} /> : null}
      {decision === undefined ? null : isApproval && (step === "Send" || step === "Done") ? (
        <>
          <DecideProgress progress={rest.deciding.progress} decision={decision} known={rest.known} />
          {step === "Send" ? (
            <ExecuteSteps transaction={transaction} checked={checked} isConfirmed={isConfirmed} />
          ) : (
            <Done {...rest} />
          )}
          <DialogButtons>
            <Button onClick={rest.onClose}>Close</Button>
          </DialogButtons>
        </>
      ) : (
        <Suspense fallback={<p role="status">Looking for your wallet…</p>}>
          <DecideContent decision={decision} {...rest} />
        </Suspense>
      )}
    </Dialog>
  );
}

function Done({ known: { value: transaction } }: Pick<Props, "known">): JSX.Element {
  const { transactionHash, chainId, requestHash } = transaction;
  const sending = useSending(requestHash);
  const hash = transactionHash ?? sending?.hash;
  const { tone, word, detail } = headlineOf(transaction, sending);
  return (
    <Notice tone={tone} live="polite" title={word}>
      {detail}
      {hash === undefined ? null : (
        <span className="mt-1 block">
          <OnChain chainId={chainId} hash={hash} />
        </span>
      )}
    </Notice>
  );
}
