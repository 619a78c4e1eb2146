import type { JSX } from "react";

/** Placeholders with at least this many lines fill the screen. */
const longLines = 6;

/**
 * A loading placeholder with text for screen readers. A long one pushes the following content off screen, so that nothing
 * shifts when the data arrives.
 */
export function Loading({
  what,
  lines = 3,
}: {
  readonly what: string;
  readonly lines?: number;
}): JSX.Element {
  return (
    <div
      role="status"
      className={`space-y-3 rounded-2xl border border-line bg-card p-5 ${lines < longLines ? "" : "min-h-dvh"}`}
    >
      <span className="sr-only">Loading {what}…</span>
      {Array.from({ length: lines }, (_, index) => (
        <div
          key={index}
          className="h-4 animate-pulse rounded bg-inset"
          style={{ width: `${90 - index * 18}%` }}
        />
      ))}
    </div>
  );
}
