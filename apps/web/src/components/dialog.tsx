import { useEffect, useId, useRef, type JSX, type ReactNode } from "react";

type Props = {
  readonly isOpen: boolean;
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
};

/** Uses the native dialog element: it traps focus, closes on Escape, and needs no inline style, which the CSP forbids. */
export function Dialog({ isOpen, title, onClose, children }: Props): JSX.Element {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = ref.current;
    if (dialog === null) return;
    if (isOpen && !dialog.open) dialog.showModal();
    if (!isOpen && dialog.open) dialog.close();
  }, [isOpen]);
  return (
    <dialog
      ref={ref}
      aria-labelledby={id}
      onClose={onClose}
      className="m-auto w-[min(34rem,calc(100vw-2rem))] rounded-2xl border border-line bg-card p-5 text-ink backdrop:bg-black/50"
    >
      {isOpen ? (
        <div className="space-y-4">
          <h2 id={id} className="text-lg font-semibold">
            {title}
          </h2>
          {children}
        </div>
      ) : null}
    </dialog>
  );
}
