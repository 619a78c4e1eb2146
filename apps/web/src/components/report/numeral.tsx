import type { JSX } from "react";
import { cn } from "../../lib/class-names.ts";

/** The number that links a mark to its flag. Excluded from text selection. */
export function Numeral({ of, isOpen }: { readonly of: number; readonly isOpen: boolean }): JSX.Element {
  return (
    <span
      className={cn(
        "mx-0.5 inline-flex h-4 min-w-4 shrink-0 items-center justify-center self-center rounded-full border px-1 align-[0.2em] font-sans text-[0.65rem] leading-none font-bold select-none",
        isOpen ? "border-open text-open" : "border-bad text-bad",
      )}
    >
      <span className="sr-only">{isOpen ? " question " : " flag "}</span>
      {of + 1}
    </span>
  );
}
