import type { TransactionView } from "@countersign/sdk";
import type { ReadReport } from "@countersign/sdk/report";
import type { JSX } from "react";
import { Card } from "../../components/card.tsx";
import { DataToSign } from "./data-to-sign.tsx";
import { DeferredFacts } from "./deferred-facts.tsx";

type Props = {
  readonly transaction: TransactionView;
  readonly message: string;
  readonly report: ReadReport | undefined;
};

/** Shows the text that would be signed. */
export const MessageCard = ({ transaction, message, report }: Props): JSX.Element => (
  <Card title="Message">
    <DeferredFacts transaction={transaction} report={report} facts={[]}>
      <DataToSign>{message}</DataToSign>
    </DeferredFacts>
  </Card>
);
