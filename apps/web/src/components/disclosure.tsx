import { ChevronRight } from "lucide-react";
import { useId, useState, type JSX, type ReactNode } from "react";

type Props = {
  readonly summary: ReactNode;
  readonly defaultOpen?: boolean;
  readonly children: ReactNode;
};

/**
 * A collapsible section. Not a library's: pages have many, and libraries measure the height of each on render, which forces a
 * layout per section.
 */
export function Disclosure({ summary, defaultOpen = false, children }: Props): JSX.Element {
  const [isOpen, setOpen] = useState(defaultOpen);
  const id = useId();
  return (
    <div>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => {
          setOpen(!isOpen);
        }}
        className="flex min-h-11 w-full items-center gap-2 rounded-lg text-left text-sm font-semibold hover:bg-inset"
      >
        <ChevronRight
          aria-hidden
          className={`size-4 shrink-0 text-soft transition-transform ${isOpen ? "rotate-90" : ""}`}
        />
        {summary}
      </button>
      <div id={id} hidden={!isOpen} className="pt-2 pb-1 pl-6">
        {isOpen ? children : null}
      </div>
    </div>
  );
}
