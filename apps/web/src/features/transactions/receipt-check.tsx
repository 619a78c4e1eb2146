import type { JSX } from "react";
import { Card } from "../../components/card.tsx";
import { Facts } from "../../components/facts.tsx";
import { Hex } from "../../components/hex.tsx";
import { Notice, ProblemNotice } from "../../components/notice.tsx";
import { Text } from "../../components/text.tsx";
import { verdictWords } from "../../components/verdict-words.ts";
import { exactTime } from "../../lib/format.ts";
import type { ReceiptState } from "./use-checked.ts";
import type { Checked } from "./verification.ts";

function Outcome({ checked }: { readonly checked: Checked }): JSX.Element {
  if (checked.isValid === undefined)
    return (
      <Notice tone="open" title="Not checked">
        {checked.why}
      </Notice>
    );
  if (!checked.isValid)
    return (
      <Notice tone="bad" title="The signed verdict does not hold">
        <ul className="list-disc space-y-1 pl-5">
          {checked.problems.map((problem) => (
            <li key={problem}>
              <Text>{problem}</Text>
            </li>
          ))}
        </ul>
      </Notice>
    );
  const { decision, signer, issuedAt, validUntil } = checked;
  return (
    <div className="space-y-3">
      <Notice tone="good" title={`Verdict is signed: ${verdictWords[decision].word}`}>
        Computed in this browser: that the request hash is that of this very proposal, that the verdict is
        about these bytes and these words, that the report is the one it was given on, and who signed.
      </Notice>
      <Facts
        facts={[
          ["Signed by", <Hex key="signer" value={signer} label="signer" />],
          ["Signed at", exactTime(issuedAt)],
          ["Holds until", exactTime(validUntil)],
        ]}
      />
      <p className="max-w-prose text-xs text-soft">
        Not checked here: who may sign is taken from this service&apos;s own list, and which installation it
        is from the receipt itself. Whether it was executed is the service&apos;s word. To believe neither,
        check the receipt with the SDK against the registry on the chain.
      </p>
    </div>
  );
}

/** What of the verdict was checked here, and what was not. */
export function ReceiptCheck({ checked, error }: Pick<ReceiptState, "checked" | "error">): JSX.Element {
  return (
    <Card title="The arbiter's signature">
      {checked === undefined ? (
        error === null ? (
          <p className="text-sm text-soft">Being checked …</p>
        ) : (
          <ProblemNotice title="The receipt could not be read" error={error} />
        )
      ) : (
        <Outcome checked={checked} />
      )}
    </Card>
  );
}
