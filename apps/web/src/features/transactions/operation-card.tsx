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
import { largestFee } from "./operation-fee.ts";

type UserOperation = NonNullable<TransactionView["userOperation"]>;

type Props = {
  readonly transaction: TransactionView;
  readonly userOperation: UserOperation;
  readonly report: ReadReport | undefined;
};

function payerOf({ paymaster }: UserOperation): readonly Fact[] {
  return paymaster === null
    ? [["Fees paid by", "The smart account"]]
    : [["Fees paid by", <Hex key="paymaster" value={paymaster} label="paymaster" full />]];
}

/** Shows a user operation that would be signed: its account, who creates it, who pays, and the calldata. */
export function OperationCard({ transaction, userOperation, report }: Props): JSX.Element {
  const { sender, nonce, factory, paymaster, callData, entryPointVersion, chainId } = userOperation;
  return (
    <Card title="User operation">
      <div className="space-y-3">
        {factory === null ? null : (
          <Notice tone="risk" title="Creates the smart account first">
            The factory’s code decides who controls the account.
          </Notice>
        )}
        {paymaster === null ? null : (
          <Notice tone="risk" title="Someone else pays the fees">
            The paymaster may collect them from the smart account in a token that the account has approved.
          </Notice>
        )}
        <DeferredFacts
          transaction={transaction}
          report={report}
          facts={[
            ["Smart account", <Hex key="sender" value={sender} label="smart account" full />],
            ...(factory === null
              ? []
              : ([["Created by", <Hex key="factory" value={factory} label="factory" full />]] as const)),
            ...payerOf(userOperation),
            ["Largest fee", coinAmount(largestFee(userOperation), chainId)],
            ["Nonce", nonce],
            ["Entry point", `Version ${entryPointVersion}`],
          ]}
        >
          {callData === "0x" ? null : <DataToSign>{callData}</DataToSign>}
        </DeferredFacts>
      </div>
    </Card>
  );
}
