import type { TransactionView } from "@countersign/sdk";
import type { ReadReport } from "@countersign/sdk/report";
import type { JSX } from "react";
import { Card } from "../../components/card.tsx";
import type { Fact } from "../../components/facts.tsx";
import { Hex } from "../../components/hex.tsx";
import { Notice } from "../../components/notice.tsx";
import { coinAmount } from "../../components/report/plain-words.ts";
import { DataToSign } from "./data-to-sign.tsx";
import { DeferredFacts } from "./deferred-facts.tsx";

type SafeTransaction = NonNullable<TransactionView["safeTransaction"]>;

type Props = {
  readonly transaction: TransactionView;
  readonly safeTransaction: SafeTransaction;
  readonly report: ReadReport | undefined;
};

/** The account that executes it is refunded out of the Safe. */
function refundOf({ gasPrice, gasToken, refundReceiver }: SafeTransaction): readonly Fact[] {
  if (gasPrice === "0") return [];
  return [
    ["Refunds gas to", <Hex key="refund" value={refundReceiver} label="refund receiver" full />],
    ["Refunds gas in", <Hex key="gas-token" value={gasToken} label="gas token" full />],
  ];
}

/** Shows everything that the owners of a Safe would confirm. */
export function SafeCard({ transaction, safeTransaction, report }: Props): JSX.Element {
  const { safe, to, value, data, operation, nonce } = safeTransaction;
  return (
    <Card title="Safe transaction">
      <div className="space-y-3">
        {operation === 0 ? null : (
          <Notice tone="risk" title="Runs other code as the Safe">
            The Safe doesn’t call this contract. It runs the contract’s code as its own, and the code can do
            everything that the Safe can.
          </Notice>
        )}
        <DeferredFacts
          transaction={transaction}
          report={report}
          facts={[
            ["Safe", <Hex key="safe" value={safe} label="Safe" full />],
            [operation === 0 ? "Calls" : "Runs code of", <Hex key="to" value={to} label="address" full />],
            ["Value", coinAmount(value, transaction.chainId)],
            ["Nonce", nonce],
            ...refundOf(safeTransaction),
          ]}
        >
          {data === "0x" ? null : <DataToSign>{data}</DataToSign>}
        </DeferredFacts>
      </div>
    </Card>
  );
}
