import type { TransactionView } from "@countersign/sdk";
import { lazy, Suspense, type JSX } from "react";
import { Card } from "../../components/card.tsx";
import { Notice } from "../../components/notice.tsx";
import { Digests } from "../../components/report/digests.tsx";
import { whyNotToSend, type Checked } from "./verification.ts";

const Send = lazy(async () => ({ default: (await import("./send.tsx")).Send }));

type Props = {
  readonly transaction: TransactionView;
  readonly checked: Checked | undefined;
  readonly isConfirmed: boolean;
};

/** Sends an approved transaction with the owner's wallet. */
export function ExecutePanel({ transaction, checked, isConfirmed }: Props): JSX.Element {
  const { tx, chainId } = transaction;
  const why = whyNotToSend(transaction, checked);
  return (
    <Card title="Send with your wallet">
      <div className="space-y-3">
        {isConfirmed ? null : (
          <p className="text-sm text-open">We can’t confirm right now that it may still be sent.</p>
        )}
        {tx === null || why !== undefined ? (
          <Notice tone={checked === undefined ? "waiting" : "bad"} title="Can’t be sent from here">
            {why}
          </Notice>
        ) : (
          <>
            <Digests tx={tx} chainId={chainId} />
            <Suspense fallback={<p role="status">Looking for your wallet…</p>}>
              <Send transaction={transaction} isConfirmed={isConfirmed} />
            </Suspense>
          </>
        )}
      </div>
    </Card>
  );
}
