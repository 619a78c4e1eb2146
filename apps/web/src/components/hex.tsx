import { useState, type JSX } from "react";
import { shortHex } from "../lib/format.ts";
import { CopyButton } from "./copy-button.tsx";
import { Text } from "./text.tsx";

type Props = {
  readonly value: string;
  /** The accessible name: "recipient", "proposal ID". */
  readonly label: string;
  /** Shows the full value initially. */
  readonly full?: boolean;
};

/** An address or hash: shortened until clicked, always copied in full. */
export function Hex({ value, label, full = false }: Props): JSX.Element {
  const [isFull, setFull] = useState(full);
  return (
    <span className="inline-flex max-w-full items-center align-middle">
      <button
        type="button"
        title={value}
        aria-label={isFull ? `${label} ${value}, shorten` : `${label} ${shortHex(value)}, show in full`}
        onClick={() => {
          setFull(!isFull);
        }}
        className="min-h-8 text-left font-mono text-[0.92em] decoration-dotted underline-offset-4 hover:underline"
      >
        <Text>{isFull ? value : shortHex(value)}</Text>
      </button>
      <CopyButton value={value} label={`Copy ${label}`} />
    </span>
  );
}
