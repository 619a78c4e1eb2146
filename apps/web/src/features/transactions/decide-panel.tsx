import type { TransactionView } from "@countersign/sdk";
import type { ReadReport } from "@countersign/sdk/report";
import { useEffect, useState, type JSX } from "react";
import { Button } from "../../components/button.tsx";
import type { Known } from "../../lib/known.ts";
import type { Freshness } from "../../lib/transactions.ts";
import { toAcknowledge } from "./acknowledge.ts";
import { DecideDialog } from "./decide-dialog.tsx";
import { DecideProgress } from "./decide-progress.tsx";
import { useDeciding, type Decision } from "./decide.ts";
import { isOpen } from "./outcome.ts";
import { mayApprove, mayReject } from "./status.ts";

type Props = {
  readonly known: Known<TransactionView>;
  readonly freshness: Freshness;
  readonly account: string;
  readonly report: ReadReport | undefined;
  /** The report is loading, so flags are not known yet. */
  readonly isReading: boolean;
};

/** The panel covers the bottom of the screen on phones: keeps focused elements above it. */
function useRoomBelow(): void {
  useEffect(() => {
    const { style } = document.documentElement;
    style.scrollPaddingBottom = "9rem";
    return () => {
      style.scrollPaddingBottom = "";
    };
  }, []);
}

type ButtonsProps = {
  readonly transaction: TransactionView;
  readonly isReady: boolean;
  readonly onOpen: (decision: Decision) => void;
};

function Buttons({ transaction, isReady, onOpen }: ButtonsProps): JSX.Element {
  const canApprove = mayApprove(transaction);
  return (
    <div className="flex gap-2">
      {canApprove ? (
        <Button
          look="primary"
          className="flex-1 sm:flex-none"
          disabled={!isReady}
          onClick={() => {
            onOpen("APPROVED");
          }}
        >
          Approve
        </Button>
      ) : null}
      {mayReject(transaction) ? (
        <Button
          look="plain"
          className="flex-1 sm:flex-none"
          onClick={() => {
            onOpen("REJECTED");
          }}
        >
          {transaction.phase === "READY" ? "Cancel approval" : "Reject"}
        </Button>
      ) : null}
    </div>
  );
}

const decisions = ["APPROVED", "REJECTED"] as const;

/** The decisions available now. Shows only what the service has confirmed. */
export function DecidePanel({ known, freshness, account, report, isReading }: Props): JSX.Element | null {
  const [decision, setDecision] = useState<Decision>();
  useRoomBelow();
  const { value: transaction } = known;
  const { isConfirmed } = freshness;
  const ways = {
    APPROVED: useDeciding(transaction, "APPROVED"),
    REJECTED: useDeciding(transaction, "REJECTED"),
  };
  // Shows a pending decision whose dialog was closed until its outcome is known.
  const left = decisions.filter((one) => one !== decision && isOpen(ways[one].progress));
  // Keeps an open dialog, which shows the outcome.
  if (!mayReject(transaction) && decision === undefined && left.length === 0) return null;
  return (
    <>
      <div
        role="group"
        aria-label="Your decision"
        className="z-10 space-y-2 border-line bg-card p-3 max-sm:fixed max-sm:inset-x-0 max-sm:bottom-0 max-sm:mb-0! max-sm:border-t sm:rounded-2xl sm:border sm:p-5"
      >
        {isConfirmed ? null : (
          <p className="text-xs text-open sm:text-sm">
            Approving is off until we reconnect. You can still try to reject.
          </p>
        )}
        <Buttons
          transaction={transaction}
          isReady={isConfirmed && !isReading}
          onOpen={(wanted) => {
            ways[wanted].begin();
            setDecision(wanted);
          }}
        />
        {left.map((one) => (
          <DecideProgress key={one} progress={ways[one].progress} decision={one} known={known} />
        ))}
      </div>
      <DecideDialog
        known={known}
        account={account}
        decision={decision}
        deciding={ways[decision ?? "REJECTED"]}
        described={report?.described ?? null}
        acknowledge={decision === "APPROVED" ? toAcknowledge(transaction, report) : undefined}
        onClose={() => {
          setDecision(undefined);
        }}
      />
    </>
  );
}
