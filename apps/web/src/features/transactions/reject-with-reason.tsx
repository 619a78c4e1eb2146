import type { TransactionView } from "@countersign/sdk";
import { lazy, Suspense, useState, type JSX } from "react";
import { Button } from "../../components/button.tsx";

// Opened rarely, so it is not part of the page's first load.
const RejectOne = lazy(async () => ({ default: (await import("./reject-one.tsx")).RejectOne }));

/** Rejects with the session and a reason for the agent. The wallet is not needed to reject. */
export function RejectWithReason({ transaction }: { readonly transaction: TransactionView }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        look="quiet"
        className="w-full"
        onClick={() => {
          setOpen(true);
        }}
      >
        Reject with a reason
      </Button>
      {isOpen ? (
        <Suspense>
          <RejectOne
            transaction={transaction}
            onClose={() => {
              setOpen(false);
            }}
          />
        </Suspense>
      ) : null}
    </>
  );
}
