import type { JSX } from "react";
import { visiblePieces } from "../lib/visible-text.ts";

type Props = {
  readonly children: string;
  /** Keeps line breaks. */
  readonly lines?: boolean;
  readonly className?: string;
};

/**
 * Untrusted text, rendered as text only. Invisible and direction-changing characters are shown by code point, and its direction
 * is isolated.
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
