import type { TransactionView } from "@countersign/sdk";
import type { JSX } from "react";
import { Card } from "../../components/card.tsx";
import { Facts } from "../../components/facts.tsx";
import { Hex } from "../../components/hex.tsx";
import { Text } from "../../components/text.tsx";
import { usableUntil } from "./signature.ts";

type Props = Pick<TransactionView, "signingHash"> & {
  readonly typedData: NonNullable<TransactionView["typedData"]>;
};

/** Shows the data that would be signed, and that a signature can be used later by anyone who holds it. */
export function SignatureCard({ typedData, signingHash }: Props): JSX.Element {
  const { domain, primaryType, message } = typedData;
  const contract = domain["verifyingContract"];
  return (
    <Card title="Signature">
      <div className="space-y-3">
        <p className="text-sm">
          A signature is a deferred transaction: anyone who holds it can use it until it expires. At worst,
          everything it allows is taken.
        </p>
        <Facts
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
            ["Usable until", usableUntil(message)],
            ...(signingHash === null
              ? []
              : [["Hash", <Hex key="hash" value={signingHash} label="hash to sign" full />] as const]),
          ]}
        />
        <pre
          tabIndex={0}
          aria-label="Data to sign"
          className="max-h-64 overflow-auto rounded-lg bg-inset p-3 font-mono text-xs whitespace-pre-wrap wrap-anywhere"
        >
          {JSON.stringify(message, undefined, 2)}
        </pre>
      </div>
    </Card>
  );
}
