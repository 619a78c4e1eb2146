import type { JSX, ReactNode } from "react";
import { cn } from "../lib/class-names.ts";
import { problemOf } from "../lib/errors.ts";
import { ToneIcon, type Tone } from "./badge.tsx";
import { Text } from "./text.tsx";

const looks: Partial<Record<Tone, string>> = {
  good: "border-good bg-good-bg text-good",
  bad: "border-bad bg-bad-bg text-bad",
  open: "border-open bg-open-bg text-open",
  risk: "border-open bg-open-bg text-open",
};

type Props = {
  readonly tone: Tone;
  readonly title?: ReactNode;
  /** Announces the notice to screen readers when it appears. */
  readonly live?: "polite" | "assertive";
  readonly children?: ReactNode;
};

/** A highlighted message. */
export function Notice({ tone, title, live, children }: Props): JSX.Element {
  return (
    <div
      {...(live === undefined ? {} : { role: live === "assertive" ? "alert" : "status" })}
      className={cn(
        "flex gap-3 rounded-xl border p-3 text-sm sm:p-4",
        looks[tone] ?? "border-line bg-inset text-ink",
      )}
    >
      <ToneIcon tone={tone} className="mt-0.5 size-5" />
      <div className="min-w-0 flex-1 space-y-1">
        {title === undefined ? null : <p className="font-semibold">{title}</p>}
        {children === undefined ? null : <div className="text-ink">{children}</div>}
      </div>
    </div>
  );
}

/** Shows an error with the request ID that operators can search for. */
export function ProblemNotice({
  error,
  title,
}: {
  readonly error: unknown;
  readonly title?: string;
}): JSX.Element {
  const { sentence, requestId } = problemOf(error);
  return (
    <Notice tone="bad" live="assertive" {...(title === undefined ? {} : { title })}>
      <Text>{sentence}</Text>
      {requestId === undefined ? null : (
        <span className="mt-1 block text-xs text-soft">
          Reference <Text className="font-mono">{requestId}</Text>
        </span>
      )}
    </Notice>
  );
}
