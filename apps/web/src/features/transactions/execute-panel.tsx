import type { TransactionView } from "@countersign/sdk";
import { lazy, Suspense, type JSX } from "react";
import { Card } from "../../components/card.tsx";
import { Disclosure } from "../../components/disclosure.tsx";
import { Notice } from "../../components/notice.tsx";
import { Digests } from "../../components/report/digests.tsx";
import type { Checked } from "./verification.ts";
import { whyNotToSend } from "./why-not-to-send.ts";

const Send = lazy(async () => ({ default: (await import("./send.tsx")).Send }));

type Props = {
  readonly transaction: TransactionView;
  readonly checked: Checked | undefined;
  readonly isConfirmed: boolean;
};

/** Shows the transaction and the button that sends it from the wallet. */
export function ExecuteSteps({ transaction, checked, isConfirmed }: Props): JSX.Element {
  const { tx, chainId } = transaction;
  const why = whyNotToSend(transaction, checked);
  if (tx === null || why !== undefined)
    return (
      <Notice tone={checked === undefined ? "waiting" : "bad"} title="Can’t be sent from here">
        {why}
      </Notice>
    );
  return (
    <div className="space-y-3">
      {isConfirmed ? null : (
        <p className="text-sm text-open">We can’t confirm right now that it may still be sent.</p>
      )}
      <p className="text-sm text-soft">
        {tx.data === "0x" ? "Your wallet shows the amount and the recipient." : forContracts}
      </p>
      <Suspense fallback={<p role="status">Looking for your wallet…</p>}>
        <Send transaction={transaction} isConfirmed={isConfirmed} />
      </Suspense>
      <Disclosure summary="Compare on a hardware wallet">
        <Digests tx={tx} chainId={chainId} />
      </Disclosure>
    </div>
  );
}

const forContracts =
  "Your wallet may show the contract and 0 ETH. That’s normal for token payments: the contract moves the tokens.";

/** Sends an approved transaction with the owner's wallet. */
export const ExecutePanel = (props: Props): JSX.Element => (
  <Card title="Send with your wallet">
    <ExecuteSteps {...props} />
  </Card>
);
