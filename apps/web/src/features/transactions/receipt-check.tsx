import type { JSX } from "react";
import { Fold } from "../../components/fold.tsx";
import { loadedWhenOpened } from "../../components/loaded-when-opened.tsx";
import { ProblemNotice } from "../../components/notice.tsx";
import { verdictWords } from "../../components/verdict-words.ts";
import type { ReceiptState } from "./use-checked.ts";
import type { Checked } from "./verification.ts";

const ProofOutcome = loadedWhenOpened(
  "the proof",
  async () => (await import("./proof-outcome.tsx")).ProofOutcome,
);

const isBad = (checked: Checked | undefined): boolean => checked?.isValid === false;

function Summary({ checked }: { readonly checked: Checked | undefined }): JSX.Element {
  if (checked === undefined) return <>Checking…</>;
  if (checked.isValid === undefined) return <>Not checked</>;
  return checked.isValid ? (
    <span className="text-good">{`Verdict is signed: ${verdictWords[checked.decision].word}`}</span>
  ) : (
    <span className="text-bad">Not valid</span>
  );
}

/** Shows which parts of the verdict were verified in this browser. */
export function ReceiptCheck({ checked, error }: Pick<ReceiptState, "checked" | "error">): JSX.Element {
  return (
    <Fold
      key={String(isBad(checked))}
      title="Proof"
      summary={<Summary checked={checked} />}
      defaultOpen={isBad(checked)}
    >
      {checked === undefined ? (
        error === null ? (
          <p className="text-sm text-soft">Checking…</p>
        ) : (
          <ProblemNotice title="Couldn’t load the receipt" error={error} />
        )
      ) : (
        <ProofOutcome checked={checked} />
      )}
    </Fold>
  );
}
