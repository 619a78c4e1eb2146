import { lazy, Suspense, type JSX } from "react";
import { Dialog } from "../../components/dialog.tsx";
import { Notice } from "../../components/notice.tsx";
import { TermFacts } from "./limits.tsx";
import type { Chosen } from "./mandate-words.ts";
import { worstCase } from "./mandate-words.ts";
import type { Signing } from "./sign-mandate.tsx";

// Loads the wallet code only when there is something to sign.
const SignMandate = lazy(async () => ({ default: (await import("./sign-mandate.tsx")).SignMandate }));

const PreviewSummary = lazy(async () => ({
  default: (await import("./mandate-preview.tsx")).PreviewSummary,
}));

/** The draft as its terms are shown. */
export const chosenOf = ({ draft }: Signing): Chosen => ({
  ...draft,
  limits: draft.limits.map((limit) => ({
    ...limit,
    seconds: limit.seconds ?? 0,
    decimals: limit.decimals ?? 0,
  })),
});

type Props = {
  readonly signing: Signing | undefined;
  readonly onClose: () => void;
  readonly onGranted: () => void;
};

/** Shows everything that the wallet will sign, then asks it to. */
export function MandateReview({ signing, onClose, onGranted }: Props): JSX.Element {
  return (
    <Dialog isOpen={signing !== undefined} title="Review and sign" onClose={onClose}>
      {signing === undefined ? null : (
        <>
          <TermFacts chosen={chosenOf(signing)} validUntil={signing.draft.validUntil} />
          <Notice tone="risk" title="The most you can lose if this agent is taken over">
            {worstCase(chosenOf(signing))}
          </Notice>
          <Suspense fallback={null}>
            <PreviewSummary draft={signing.draft} against={signing.replaces} />
          </Suspense>
          {signing.replaces === undefined ? null : (
            <p className="text-sm">It replaces the present mandate, which ends in the same step.</p>
          )}
          <Suspense fallback={<p role="status">Looking for your wallet…</p>}>
            <SignMandate {...signing} onClose={onClose} onGranted={onGranted} />
          </Suspense>
        </>
      )}
    </Dialog>
  );
}
