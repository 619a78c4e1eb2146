import type { Issue } from "@countersign/sdk/report";
import { useId, type JSX } from "react";
import { cn } from "../../lib/class-names.ts";
import { directionOf } from "../../lib/visible-text.ts";
import { Badge } from "../badge.tsx";
import { Text } from "../text.tsx";
import { Numeral } from "./numeral.tsx";
import { markWords } from "./flags.ts";
import { Said } from "./said.tsx";

export type Provenance = "user-signed" | "agent-claimed" | undefined;

const origins = {
  "user-signed": {
    tone: "good",
    badge: "Signed by you",
    why: "Unchanged since you signed it.",
  },
  "agent-claimed": {
    tone: "open",
    badge: "Agent’s wording, not signed",
    why: "The agent may have changed it. Check that this is what you said.",
  },
} as const;

type Props = {
  readonly words: string;
  readonly provenance: Provenance;
  readonly flags: readonly Issue[];
  /** The request as the validator read it. Empty if it was not read. */
  readonly restated: string;
};

/** A sentence without capitals and its full stop: such differences are not worth showing. */
const bare = (text: string): string => text.trim().replace(/\.$/, "").toLowerCase();

/** The request, with the flagged parts marked. Its first sentence decides the direction of all its pieces. */
export function Asked({ words, provenance, flags, restated }: Props): JSX.Element {
  const origin = provenance === undefined ? undefined : origins[provenance];
  const marked = flags.map((issue, index) => ({ issue, index })).filter(({ issue }) => issue.words !== null);
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="grid gap-x-6 gap-y-1 border-t border-line p-4 sm:grid-cols-[5.5rem_1fr] sm:px-6"
    >
      <h3 id={id} className="text-sm font-semibold text-soft sm:pt-1">
        <span className="sr-only">What you asked</span>
        <span aria-hidden>You asked</span>
      </h3>
      <div className="min-w-0 space-y-3">
        <blockquote
          dir={directionOf(words)}
          className="max-h-80 overflow-y-auto pb-1 text-lg"
          tabIndex={isLong(words) ? 0 : -1}
        >
          {words === "" ? <span className="text-soft">No request given.</span> : null}
          {markWords(words, flags).map(({ text, by }, index) => (
            <Piece key={index} text={text} by={by} flags={flags} />
          ))}
        </blockquote>
        {marked.length === 0 ? null : (
          <ul className="space-y-1 text-sm" aria-label="Flags in your request">
            {marked.map(({ issue, index }) => (
              <li key={index} className="flex gap-2">
                <Numeral of={index} isOpen={issue.isOpen} />
                <span className="min-w-0">
                  <Said>{issue.reasoning}</Said>
                </span>
              </li>
            ))}
          </ul>
        )}
        {restated === "" || bare(restated) === bare(words) ? null : (
          <p className="text-sm">
            We read it as: <Said>{restated}</Said>
          </p>
        )}
        {origin === undefined ? null : (
          <p className="flex flex-wrap items-center gap-2 text-sm text-soft">
            <Badge tone={origin.tone}>{origin.badge}</Badge>
            {origin.why}
          </p>
        )}
      </div>
    </section>
  );
}

const isLong = (words: string): boolean => words.length > 600;

type PieceProps = {
  readonly text: string;
  readonly by: readonly number[];
  readonly flags: readonly Issue[];
};

function Piece({ text, by, flags }: PieceProps): JSX.Element {
  if (by.length === 0) return <Text lines>{text}</Text>;
  const isOpen = by.every((one) => flags[one]?.isOpen === true);
  return (
    <mark
      className={cn(
        "rounded-sm underline decoration-2 underline-offset-4",
        isOpen ? "bg-open-bg text-open decoration-dotted" : "bg-bad-bg text-bad decoration-wavy",
      )}
    >
      <Text lines>{text}</Text>
      {by.map((one) => (
        <Numeral key={one} of={one} isOpen={isOpen} />
      ))}
    </mark>
  );
}
