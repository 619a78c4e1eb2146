import type { JSX } from "react";
import { visiblePieces } from "../lib/visible-text.ts";

type Props = {
  readonly children: string;
  /** Line ends are kept. */
  readonly lines?: boolean;
  readonly className?: string;
};

/**
 * Whatever a stranger wrote. It is text and nothing else: what would hide, turn or take no room is shown by its number, and
 * its direction ends where it ends.
 */
export function Text({ children, lines = false, className = "" }: Props): JSX.Element {
  return (
    <bdi className={`${lines ? "whitespace-pre-wrap" : ""} wrap-anywhere ${className}`}>
      {visiblePieces(children).map(({ kind, text }, index) =>
        kind === "plain" ? (
          text
        ) : (
          <span
            key={index}
            title="Hidden character"
            className="mx-0.5 rounded bg-open-bg px-1 font-mono text-[0.75em] text-open"
          >
            {text}
          </span>
        ),
      )}
    </bdi>
  );
}
