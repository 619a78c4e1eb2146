import { ChevronRight } from "lucide-react";
import { useId, useState, type JSX, type ReactNode } from "react";

type Props = {
  readonly title: string;
  /** One line that is shown while it is closed, too. */
  readonly summary?: ReactNode;
  readonly defaultOpen?: boolean;
  readonly children: ReactNode;
};

/** A card whose content is folded behind its heading. Content is rendered only while it is open. */
export function Fold({ title, summary, defaultOpen = false, children }: Props): JSX.Element {
  const [isOpen, setOpen] = useState(defaultOpen);
  const id = useId();
  return (
    <section aria-labelledby={`${id}-title`} className="rounded-2xl border border-line bg-card">
      <h2 className="text-base font-semibold">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => {
            setOpen(!isOpen);
          }}
          className="flex min-h-14 w-full items-center gap-3 rounded-2xl px-4 py-2 text-left hover:bg-inset sm:px-5"
        >
          <span id={`${id}-title`}>{title}</span>
          <span className="ml-auto min-w-0 text-right text-sm font-normal text-soft">{summary}</span>
          <ChevronRight
            aria-hidden
            className={`size-4 shrink-0 text-soft transition-transform ${isOpen ? "rotate-90" : ""}`}
          />
        </button>
      </h2>
      <div id={id} hidden={!isOpen} className="px-4 pb-4 sm:px-5 sm:pb-5">
        {isOpen ? children : null}
      </div>
    </section>
  );
}
