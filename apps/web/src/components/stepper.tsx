import type { JSX } from "react";
import { cn } from "../lib/class-names.ts";

type Props = {
  readonly label: string;
  readonly steps: readonly string[];
  /** The index of the current step. */
  readonly at: number;
};

/** The steps of a dialog, with the current one marked. */
export function Stepper({ label, steps, at }: Props): JSX.Element {
  return (
    <ol aria-label={label} className="flex gap-1.5 text-xs">
      {steps.map((step, index) => (
        <li
          key={step}
          {...(index === at ? { "aria-current": "step" } : {})}
          className={cn(
            "flex-1 border-t-4 pt-1.5",
            index < at
              ? "border-good"
              : index === at
                ? "border-accent font-semibold"
                : "border-line text-soft",
          )}
        >
          {step}
          {index < at ? <span className="sr-only"> (done)</span> : null}
        </li>
      ))}
    </ol>
  );
}
