import type { TransactionView } from "@countersign/sdk";
import type { ReadReport } from "@countersign/sdk/report";
import type { JSX } from "react";
import { Card } from "../../components/card.tsx";
import { Hex } from "../../components/hex.tsx";
import { Notice } from "../../components/notice.tsx";
import { isRevocation } from "../../components/report/effects.ts";
import { DeferredFacts } from "./deferred-facts.tsx";

type Props = {
  readonly transaction: TransactionView;
  readonly authorization: NonNullable<TransactionView["authorizationList"]>[number];
  readonly report: ReadReport | undefined;
};

/** Shows an EIP-7702 authorization that would be signed. */
export function AuthorizationCard({ transaction, authorization, report }: Props): JSX.Element {
  const { address, nonce } = authorization;
  const isRemoved = isRevocation(address);
  return (
    <Card title="Authorization">
      <div className="space-y-3">
        {isRemoved ? null : (
          <Notice tone="risk" title="Hands your wallet to a contract">
            Your wallet runs the contract’s code from then on, and the code can do everything that you can.
          </Notice>
        )}
        <DeferredFacts
          transaction={transaction}
          report={report}
          facts={[
            [
              "Delegates to",
              isRemoved ? (
                "No contract: the delegation is removed"
              ) : (
                <Hex key="delegate" value={address} label="delegate" full />
              ),
            ],
            ["Nonce", nonce],
          ]}
        />
      </div>
    </Card>
  );
}
