import type { JSX } from "react";

/** From so many lines on, more is awaited than a screen holds. */
const longLines = 6;

/**
 * While an answer is awaited: grey where it will stand, and a word for who does not see grey. Where it will be long, what stands
 * after it is kept out of sight, so that nothing jumps away from under somebody's eyes when it comes.
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
