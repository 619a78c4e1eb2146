import type { TransactionView } from "@countersign/sdk";
import type { ReadReport } from "@countersign/sdk/report";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useRef, useState, type JSX } from "react";
import { Button } from "../../components/button.tsx";
import { cn } from "../../lib/class-names.ts";
import { isPlainKey } from "../../lib/keys.ts";
import type { Known } from "../../lib/known.ts";
import type { Freshness } from "../../lib/transactions.ts";
import { toAcknowledge } from "./acknowledge.ts";
import { useDeciding, type Decision } from "./decide.ts";
import { isOpen } from "./outcome.ts";
import { RejectWithReason } from "./reject-with-reason.tsx";
import { mayApprove, mayReject } from "./status.ts";
import type { Checked } from "./verification.ts";

type Props = {
  readonly known: Known<TransactionView>;
  readonly freshness: Freshness;
  readonly account: string;
  readonly report: ReadReport | undefined;
  readonly checked: Checked | undefined;
  /** The report is loading, so flags are not known yet. */
  readonly isReading: boolean;
};

/** The bar covers the bottom of the screen on phones: keeps focused elements above it. */
function useRoomBelow(): void {
  useEffect(() => {
    const { style } = document.documentElement;
    style.scrollPaddingBottom = "9rem";
    return () => {
      style.scrollPaddingBottom = "";
    };
  }, []);
}

/** The first letter of each decision opens its dialog. It never decides. */
const keys: Readonly<Record<string, Decision>> = { a: "APPROVED", r: "REJECTED" };

function useDecisionKeys(may: (decision: Decision) => boolean, onOpen: (decision: Decision) => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const decision = isPlainKey(event) ? keys[event.key] : undefined;
      if (decision === undefined || !may(decision)) return;
      event.preventDefault();
      onOpen(decision);
    };
    document.addEventListener("keydown", press);
    return () => {
      document.removeEventListener("keydown", press);
    };
  });
}

/** Opens the approval dialog once if the URL asks for it, and removes that from the URL. It never approves. */
function useApproveLink(isReady: boolean, onOpen: () => void): void {
  const isAsked = useSearch({ from: "/transactions/$requestHash" }).do === "approve";
  const navigate = useNavigate({ from: "/transactions/$requestHash" });
  // The navigation ends after further renders.
  const hasOpened = useRef(false);
  useEffect(() => {
    if (!isAsked || !isReady || hasOpened.current) return;
    hasOpened.current = true;
    void navigate({ search: {}, replace: true });
    onOpen();
  });
}

type ButtonsProps = {
  readonly transaction: TransactionView;
  readonly isReady: boolean;
  /** Not verified, or a match that gives access: the careful choice comes first. */
  readonly isCareful: boolean;
  readonly onOpen: (decision: Decision) => void;
};

function Buttons({ transaction, isReady, isCareful, onOpen }: ButtonsProps): JSX.Element {
  const wide = "w-full max-lg:flex-1";
  return (
    <div className={cn("flex gap-2 lg:flex-col", isCareful ? "lg:flex-col-reverse" : "flex-row-reverse")}>
      {mayApprove(transaction) ? (
        <Button
          look={isCareful ? "plain" : "primary"}
          className={wide}
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
          look={isCareful ? "primary" : "plain"}
          className={wide}
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

// Not part of the page's first load.
const DecideProgress = lazy(async () => ({
  default: (await import("./decide-progress.tsx")).DecideProgress,
}));
const DecideDialog = lazy(async () => ({ default: (await import("./decide-dialog.tsx")).DecideDialog }));

/** The decisions available now. Shows only what the service has confirmed. */
export function DecidePanel(props: Props): JSX.Element | null {
  const { known, freshness, account, report, checked, isReading } = props;
  const [decision, setDecision] = useState<Decision>();
  const [hasOpened, setHasOpened] = useState(false);
  useRoomBelow();
  const { value: transaction } = known;
  const { isConfirmed } = freshness;
  const ways = {
    APPROVED: useDeciding(transaction, "APPROVED"),
    REJECTED: useDeciding(transaction, "REJECTED"),
  };
  const isReady = isConfirmed && !isReading;
  const acknowledge = isReading ? undefined : toAcknowledge(transaction, report);
  const open = (wanted: Decision): void => {
    ways[wanted].begin();
    setDecision(wanted);
    setHasOpened(true);
  };
  useDecisionKeys(
    (wanted) =>
      decision === undefined &&
      (wanted === "APPROVED" ? isReady && mayApprove(transaction) : mayReject(transaction)),
    open,
  );
  useApproveLink(isReady && mayApprove(transaction), () => {
    open("APPROVED");
  });
  // Shows a pending decision whose dialog was closed until its outcome is known.
  const left = decisions.filter((one) => one !== decision && isOpen(ways[one].progress));
  // Keeps an open dialog, which shows the outcome.
  if (!mayReject(transaction) && decision === undefined && left.length === 0) return null;
  return (
    <>
      <div
        role="group"
        aria-label="Your decision"
        className="z-10 space-y-2 border-line bg-card max-lg:fixed max-lg:inset-x-0 max-lg:bottom-0 max-lg:mb-0! max-lg:border-t max-lg:p-3"
      >
        {isConfirmed ? null : (
          <p className="text-xs text-open sm:text-sm">
            Approving is off until we reconnect. You can still try to reject.
          </p>
        )}
        <Buttons
          transaction={transaction}
          isReady={isReady}
          isCareful={acknowledge !== undefined}
          onOpen={open}
        />
        {transaction.status === "PENDING" ? <RejectWithReason transaction={transaction} /> : null}
        <Suspense>
          {left.map((one) => (
            <DecideProgress key={one} progress={ways[one].progress} decision={one} known={known} />
          ))}
        </Suspense>
      </div>
      {hasOpened ? (
        <Suspense>
          <DecideDialog
            known={known}
            account={account}
            decision={decision}
            deciding={ways[decision ?? "REJECTED"]}
            report={report}
            checked={checked}
            isConfirmed={isConfirmed}
            acknowledge={decision === "APPROVED" ? acknowledge : undefined}
            onClose={() => {
              setDecision(undefined);
            }}
          />
        </Suspense>
      ) : null}
    </>
  );
}
