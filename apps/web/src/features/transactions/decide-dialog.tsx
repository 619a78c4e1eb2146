import { lazy, Suspense, type JSX } from "react";
import { Dialog } from "../../components/dialog.tsx";
import type { DecideProps } from "./decide-content.tsx";
import type { Decision } from "./decide.ts";

// Loads the wallet code only when the owner decides.
const DecideContent = lazy(async () => ({ default: (await import("./decide-content.tsx")).DecideContent }));

const titles = { APPROVED: "Approve this proposal", REJECTED: "Reject this proposal" } as const;

type Props = Omit<DecideProps, "decision"> & { readonly decision: Decision | undefined };

export function DecideDialog({ decision, ...rest }: Props): JSX.Element {
  return (
    <Dialog
      isOpen={decision !== undefined}
      title={decision === undefined ? "" : titles[decision]}
      onClose={rest.onClose}
    >
      {decision === undefined ? null : (
        <Suspense fallback={<p role="status">Looking for your wallet…</p>}>
          <DecideContent decision={decision} {...rest} />
        </Suspense>
      )}
    </Dialog>
  );
}
