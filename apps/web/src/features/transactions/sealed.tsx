import type { TransactionView } from "@countersign/sdk";
import type { JSX } from "react";
import { Card } from "../../components/card.tsx";
import { Text } from "../../components/text.tsx";
import { verdictOf } from "./status.ts";

/** Its sender has sealed it: only they and the arbiter know what it is. */
export function Sealed({ transaction }: { readonly transaction: TransactionView }): JSX.Element {
  const [verdict] = transaction.approvals.orion;
  return (
    <Card title="Sealed by its sender">
      <div className="max-w-prose space-y-2 text-sm">
        <p>
          Words and call were encrypted before they came here, so this page cannot show them, and no report of
          them is kept. Whoever proposed it can tell you; only the arbiter has read it.
        </p>
        <p>
          The arbiter: <strong>{verdictOf(transaction).word}</strong>
          {verdict === undefined || verdict.analysis === "" ? null : (
            <>
              . <Text lines>{verdict.analysis}</Text>
            </>
          )}
        </p>
      </div>
    </Card>
  );
}
