import { X } from "lucide-react";
import { useEffect, useId, useRef, type JSX, type ReactNode } from "react";

type Props = {
  readonly isOpen: boolean;
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
};

/**
 * Uses the native dialog element: it traps focus, closes on Escape, and needs no inline style, which the CSP forbids. Fills the
 * screen on phones. Focus starts on the heading, not on a button that signs.
 */
export function Dialog({ isOpen, title, onClose, children }: Props): JSX.Element {
  const ref = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = ref.current;
    if (dialog === null) return;
    if (isOpen && !dialog.open) {
      dialog.showModal();
      heading.current?.focus();
    }
    if (!isOpen && dialog.open) dialog.close();
  }, [isOpen]);
  return (
    <dialog
      ref={ref}
      aria-labelledby={id}
      onClose={onClose}
      className="m-auto w-[min(34rem,100vw)] overflow-y-auto border-line bg-card p-0 text-ink backdrop:bg-black/50 max-sm:h-dvh max-sm:max-h-none max-sm:max-w-none sm:max-h-[min(52rem,calc(100dvh-2rem))] sm:rounded-2xl sm:border"
    >
      {isOpen ? (
        <div className="flex min-h-full flex-col">
          <header className="flex items-center justify-between gap-3 border-b border-line px-5 py-3">
            <h2 ref={heading} id={id} tabIndex={-1} className="text-lg font-semibold outline-none">
              {title}
            </h2>
            <button
              type="button"
              aria-label="Close dialog"
              onClick={() => ref.current?.close()}
              className="inline-flex size-10 shrink-0 items-center justify-center rounded-lg text-soft hover:bg-inset hover:text-ink"
            >
              <X aria-hidden className="size-5" />
            </button>
          </header>
          <div className="flex flex-1 flex-col gap-4 p-5 pb-0">{children}</div>
        </div>
      ) : null}
    </dialog>
  );
}

/** The buttons of a dialog, always in view. */
export function DialogButtons({ children }: { readonly children: ReactNode }): JSX.Element {
  return (
    <div className="sticky bottom-0 z-1 -mx-5 mt-auto flex flex-wrap justify-end gap-2 border-t border-line bg-card p-4 max-sm:[&>*]:flex-1">
      {children}
    </div>
  );
}
