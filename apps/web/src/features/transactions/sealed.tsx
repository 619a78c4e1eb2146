import type { TransactionView } from "@countersign/sdk";
import type { JSX } from "react";
import { Card } from "../../components/card.tsx";
import { Text } from "../../components/text.tsx";
import { verdictOf } from "./status.ts";

/** A proposal that the agent encrypted: only the agent and the verifier can read it. */
export function Sealed({ transaction }: { readonly transaction: TransactionView }): JSX.Element {
  const [verdict] = transaction.approvals.orion;
  return (
    <Card title="Encrypted by the agent">
      <div className="max-w-prose space-y-2 text-sm">
        <p>
          The request and the transaction are encrypted, so this page can’t show them. Only the verifier has
          read them. Ask the agent what they say.
        </p>
        <p>
          Result: <strong>{verdictOf(transaction).word}</strong>
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
