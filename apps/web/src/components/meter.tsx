import type { JSX } from "react";
import { cn } from "../lib/class-names.ts";

type MeterPart = { readonly share: number; readonly className: string };

type Props = {
  /** The same in words, for screen readers. */
  readonly label: string;
  readonly parts: readonly MeterPart[];
  readonly className?: string;
};

const width = 100;

/** A horizontal bar of shares, from 0 to 1. Small shares stay visible. */
export function Meter({ label, parts, className }: Props): JSX.Element {
  const widths = parts.map(({ share }) => (share <= 0 ? 0 : Math.max(1.5, Math.min(1, share) * width)));
  return (
    <svg
      viewBox={`0 0 ${width} 8`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
      className={cn("h-2 w-full rounded-full bg-inset", className)}
    >
      {parts.map((part, index) => (
        <rect
          key={index}
          x={Math.min(
            width - (widths[index] ?? 0),
            widths.slice(0, index).reduce((sum, one) => sum + one, 0),
          )}
          width={widths[index]}
          height="8"
          className={part.className}
        />
      ))}
    </svg>
  );
}
