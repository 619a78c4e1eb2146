import type { JSX } from "react";
import { shortHex } from "../../lib/format.ts";
import { directionOf } from "../../lib/visible-text.ts";
import { Hex } from "../hex.tsx";
import { Text } from "../text.tsx";
import { splitAddresses } from "./addresses.ts";
import { withPlainCalls } from "./plain-words.ts";

type Props = {
  readonly children: string;
  /** Shortens addresses without an expand button, for headings. */
  readonly brief?: boolean;
};

/** A sentence of a report: untrusted text with expandable addresses. */
export function Said({ children, brief = false }: Props): JSX.Element {
  const pieces = splitAddresses(withPlainCalls(children));
  // Drops a full stop after an address, since the copy button would separate the two.
  const isLostStop = !brief && pieces.at(-1)?.text === "." && pieces.at(-2)?.kind === "address";
  return (
    <bdi dir={directionOf(children)} className="wrap-anywhere">
      {(isLostStop ? pieces.slice(0, -1) : pieces).map(({ kind, text }, index) => {
        if (kind === "text") return <Text key={index}>{text}</Text>;
        return brief ? (
          <span key={index} title={text} className="font-mono text-[0.92em] whitespace-nowrap">
            {shortHex(text)}
          </span>
        ) : (
          <Hex key={index} value={text} label="address" />
        );
      })}
    </bdi>
  );
}
