import type { TransactionView } from "@countersign/sdk";
import type { JSX } from "react";
import { Card } from "../../components/card.tsx";
import { Facts } from "../../components/facts.tsx";
import { Hex } from "../../components/hex.tsx";
import { titleOf } from "../../components/report/effects.ts";
import { coinAmount } from "../../components/report/plain-words.ts";
import { Text } from "../../components/text.tsx";

type Props = Pick<TransactionView, "signingHash" | "chainId"> & {
  readonly batch: NonNullable<TransactionView["calls"]>;
};

/** Shows every call of a batch in its order, and whether they are executed together. */
export function BatchCard({ batch, signingHash, chainId }: Props): JSX.Element {
  const { calls, atomicRequired } = batch;
  return (
    <Card title="Batch">
      <div className="space-y-3">
        <p className="text-sm">
          {calls.length === 1 ? "One call" : `${calls.length} calls, in this order`}.{" "}
          {atomicRequired
            ? "The wallet executes all of them or none."
            : "If one fails, the calls before it may still be executed."}
        </p>
        <ol className="space-y-3">
          {calls.map((call, index) => (
            // The list never changes: a proposal is immutable.
            <li key={index} className="space-y-2 rounded-lg bg-inset p-3">
              <p className="text-sm font-semibold wrap-anywhere">
                {index + 1}. <Text>{titleOf(call, chainId)}</Text>
              </p>
              <Facts
                facts={[
                  ["To", <Hex key="to" value={call.to} label="address" full />],
                  ["Value", coinAmount(call.value, chainId)],
                  [
                    "Data",
                    <span key="data" className="font-mono text-xs wrap-anywhere">
                      {call.data}
                    </span>,
                  ],
                ]}
              />
            </li>
          ))}
        </ol>
        {signingHash === null ? null : (
          <Facts facts={[["Hash", <Hex key="hash" value={signingHash} label="hash of the batch" full />]]} />
        )}
      </div>
    </Card>
  );
}
