import { Ban, Check, CircleDashed, CircleHelp, Clock, TriangleAlert, X, type LucideIcon } from "lucide-react";
import type { JSX, ReactNode } from "react";
import { cn } from "../lib/class-names.ts";

/** A state, conveyed by icon and text; color is only a hint. */
export type Tone = "good" | "bad" | "open" | "risk" | "waiting" | "none" | "over";

const tones: Readonly<Record<Tone, { readonly Icon: LucideIcon; readonly look: string }>> = {
  good: { Icon: Check, look: "bg-good-bg text-good" },
  bad: { Icon: X, look: "bg-bad-bg text-bad" },
  open: { Icon: CircleHelp, look: "bg-open-bg text-open" },
  risk: { Icon: TriangleAlert, look: "bg-open-bg text-open" },
  waiting: { Icon: Clock, look: "bg-inset text-ink" },
  none: { Icon: CircleDashed, look: "bg-inset text-soft" },
  over: { Icon: Ban, look: "bg-inset text-soft" },
};

export function ToneIcon({
  tone,
  className,
}: {
  readonly tone: Tone;
  readonly className?: string;
}): JSX.Element {
  const { Icon } = tones[tone];
  return <Icon aria-hidden className={cn("size-4 shrink-0", className)} strokeWidth={2.5} />;
}

type Props = { readonly tone: Tone; readonly children: ReactNode; readonly className?: string };

export function Badge({ tone, children, className }: Props): JSX.Element {
  return (
    <span
      className={cn(
        "inline-flex items-center gap-1.5 rounded-full px-2.5 py-1 text-xs font-semibold",
        tones[tone].look,
        className,
      )}
    >
      <ToneIcon tone={tone} className="size-3.5" />
      {children}
    </span>
  );
}
