import type { TransactionView } from "@countersign/sdk";
import type { ReadReport } from "@countersign/sdk/report";
import type { JSX } from "react";
import { Card } from "../../components/card.tsx";
import { Hex } from "../../components/hex.tsx";
import { Text } from "../../components/text.tsx";
import { DataToSign } from "./data-to-sign.tsx";
import { DeferredFacts } from "./deferred-facts.tsx";

type Props = {
  readonly transaction: TransactionView;
  readonly typedData: NonNullable<TransactionView["typedData"]>;
  readonly report: ReadReport | undefined;
};

/** Shows the data that would be signed, and that a signature can be used later by anyone who holds it. */
export function SignatureCard({ transaction, typedData, report }: Props): JSX.Element {
  const { domain, primaryType, message } = typedData;
  const contract = domain["verifyingContract"];
  return (
    <Card title="Signature">
      <DeferredFacts
        transaction={transaction}
        report={report}
        facts={[
          ["Signs", <Text key="type">{primaryType}</Text>],
          [
            "Contract",
            typeof contract === "string" ? (
              <Hex key="contract" value={contract} label="contract" full />
            ) : (
              "Not limited to one contract"
            ),
          ],
        ]}
      >
        <DataToSign>{JSON.stringify(message, undefined, 2)}</DataToSign>
      </DeferredFacts>
    </Card>
  );
}
