import type { JSX } from "react";
import { cn } from "../lib/class-names.ts";

type Props = {
  /** For screen readers. */
  readonly label: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
  readonly isDisabled?: boolean;
};

/** Turns something on or off at once. */
export function Switch({ label, isOn, onChange, isDisabled = false }: Props): JSX.Element {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isOn}
      aria-label={label}
      disabled={isDisabled}
      onClick={() => {
        onChange(!isOn);
      }}
      className="inline-flex min-h-11 shrink-0 items-center rounded-full disabled:opacity-60"
    >
      <span
        className={cn(
          "flex w-12 rounded-full border-2 p-1",
          isOn ? "justify-end border-accent bg-accent" : "border-soft bg-inset",
        )}
      >
        <span className={cn("size-4 rounded-full", isOn ? "bg-page" : "bg-ink")} />
      </span>
    </button>
  );
}
