import type { JSX } from "react";
import { Facts } from "../../components/facts.tsx";
import { Hex } from "../../components/hex.tsx";
import { Notice } from "../../components/notice.tsx";
import { Text } from "../../components/text.tsx";
import { exactTime } from "../../lib/format.ts";
import type { Checked } from "./verification.ts";

/** Shows the result of verifying a receipt in this browser. */
export function ProofOutcome({ checked }: { readonly checked: Checked }): JSX.Element {
  if (checked.isValid === undefined)
    return (
      <Notice tone="open" title="Not checked">
        {checked.why}
      </Notice>
    );
  if (!checked.isValid)
    return (
      <Notice tone="bad" title="The signed verdict isn’t valid">
        <ul className="list-disc space-y-1 pl-5">
          {checked.problems.map((problem) => (
            <li key={problem}>
              <Text>{problem}</Text>
            </li>
          ))}
        </ul>
      </Notice>
    );
  const { signer, issuedAt, validUntil } = checked;
  return (
    <div className="space-y-3">
      <Notice tone="good" title="Signature checked in this browser">
        Checked in this browser: who signed, and that the verdict covers this exact request, transaction and
        report.
      </Notice>
      <Facts
        facts={[
          ["Signed by", <Hex key="signer" value={signer} label="signer" />],
          ["Signed at", exactTime(issuedAt)],
          ["Valid until", exactTime(validUntil)],
        ]}
      />
      <p className="max-w-prose text-xs text-soft">
        Not checked here: the signers and the execution status come from this service, the installation from
        the receipt. To check the signer against the on-chain registry, use “countersign verify”.
      </p>
    </div>
  );
}
