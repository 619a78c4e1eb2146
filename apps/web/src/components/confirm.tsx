import type { JSX, ReactNode } from "react";
import { Button } from "./button.tsx";
import { Dialog, DialogButtons } from "./dialog.tsx";
import { ProblemNotice } from "./notice.tsx";

type Props = {
  readonly isOpen: boolean;
  readonly title: string;
  /** The label of the confirming button. */
  readonly action: string;
  /** The mutation to run. */
  readonly doing: {
    readonly mutate: () => void;
    readonly reset: () => void;
    readonly isPending: boolean;
    readonly error: unknown;
  };
  readonly onClose: () => void;
  readonly children: ReactNode;
};

/** Asks for confirmation before an irreversible action. Stays open until the service has confirmed it. */
export function Confirm({ isOpen, title, action, doing, onClose, children }: Props): JSX.Element {
  const close = (): void => {
    doing.reset();
    onClose();
  };
  return (
    <Dialog isOpen={isOpen} title={title} onClose={close}>
      <div className="space-y-3 text-sm">{children}</div>
      {doing.error == null ? null : <ProblemNotice title="That didn’t go through" error={doing.error} />}
      <DialogButtons>
        <Button onClick={close}>Cancel</Button>
        <Button
          look="danger"
          isBusy={doing.isPending}
          onClick={() => {
            doing.mutate();
          }}
        >
          {action}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
