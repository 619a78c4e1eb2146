import type { ButtonHTMLAttributes, JSX, ReactNode } from "react";
import { cn } from "../lib/class-names.ts";

const looks = {
  primary: "bg-accent text-on-accent hover:brightness-110",
  plain: "border border-line bg-card text-ink hover:bg-inset",
  danger: "bg-bad text-on-bad hover:brightness-110",
  quiet: "text-accent underline-offset-4 hover:underline",
} as const;

const shape =
  "inline-flex min-h-11 items-center justify-center gap-2 rounded-lg px-4 py-2 text-sm font-semibold transition-[filter,background-color]";

export const buttonClass = (look: keyof typeof looks, className?: string): string =>
  cn(shape, looks[look], className);

type Props = Omit<ButtonHTMLAttributes<HTMLButtonElement>, "type"> & {
  readonly look?: keyof typeof looks;
  readonly type?: "button" | "submit";
  /** Disables the button while its action is pending. */
  readonly isBusy?: boolean;
  readonly children: ReactNode;
};

export function Button({
  look = "plain",
  type = "button",
  isBusy = false,
  disabled = false,
  className,
  children,
  ...rest
}: Props): JSX.Element {
  return (
    <button
      type={type}
      disabled={disabled || isBusy}
      aria-busy={isBusy}
      className={buttonClass(look, cn("disabled:cursor-not-allowed disabled:opacity-60", className))}
      {...rest}
    >
      {children}
    </button>
  );
}
