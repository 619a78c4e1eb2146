import type { JSX } from "react";

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
      className="group inline-flex h-11 shrink-0 items-center rounded-full disabled:opacity-60"
    >
      <span className="flex h-7 w-12 items-center rounded-full border-2 border-soft bg-inset p-0.5 transition-colors group-aria-checked:border-accent group-aria-checked:bg-accent">
        <span className="size-5 rounded-full bg-soft transition-transform group-aria-checked:translate-x-5 group-aria-checked:bg-on-accent" />
      </span>
    </button>
  );
}
