import { Check, Copy } from "lucide-react";
import { useState, type JSX } from "react";

type Props = { readonly value: string; readonly label: string };

/** Copies the whole value, even if it is shown shortened. */
export function CopyButton({ value, label }: Props): JSX.Element {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(value);
    setCopied(true);
    setTimeout(() => {
      setCopied(false);
    }, 2000);
  };
  const Icon = isCopied ? Check : Copy;
  return (
    <button
      type="button"
      aria-label={isCopied ? `${label}: copied` : label}
      onClick={() => void copy()}
      className="inline-flex size-8 shrink-0 items-center justify-center rounded-md text-soft hover:bg-inset hover:text-ink"
    >
      <Icon aria-hidden className="size-4" />
    </button>
  );
}
