import type { Issue } from "@countersign/sdk/report";
import type { JSX } from "react";
import { cn } from "../../lib/class-names.ts";
import { Badge } from "../badge.tsx";
import { Card } from "../card.tsx";
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

/** The request, with the flagged parts marked. */
export function Asked({ words, provenance, flags, restated }: Props): JSX.Element {
  const origin = provenance === undefined ? undefined : origins[provenance];
  const marked = flags.map((issue, index) => ({ issue, index })).filter(({ issue }) => issue.words !== null);
  return (
    <Card
      title="What you asked"
      aside={origin === undefined ? undefined : <Badge tone={origin.tone}>{origin.badge}</Badge>}
    >
      <blockquote className="border-l-4 border-line pl-3 text-lg">
        {words === "" ? <span className="text-soft">No request given.</span> : null}
        <bdi>
          {markWords(words, flags).map(({ text, by }, index) => (
            <Piece key={index} text={text} by={by} flags={flags} />
          ))}
        </bdi>
      </blockquote>
      {marked.length === 0 ? null : (
        <ul className="mt-3 space-y-1 text-sm" aria-label="Flags in your request">
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
        <p className="mt-3 text-sm">
          We read it as: <Said>{restated}</Said>
        </p>
      )}
      {origin === undefined ? null : <p className="mt-3 text-sm text-soft">{origin.why}</p>}
    </Card>
  );
}

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
