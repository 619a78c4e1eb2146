import type { Agent } from "@countersign/sdk";
import type { JSX } from "react";
import { ToneIcon, type Tone } from "../../components/badge.tsx";
import { Card } from "../../components/card.tsx";
import { Meter } from "../../components/meter.tsx";
import { counted } from "../../lib/format.ts";

type Figures = Agent["figures"];

const outcomes = [
  { member: "matches", word: "Matches", tone: "good", fill: "fill-good", ink: "text-good" },
  { member: "undecided", word: "Could not be verified", tone: "open", fill: "fill-open", ink: "text-open" },
  { member: "differs", word: "Differs", tone: "bad", fill: "fill-bad", ink: "text-bad" },
] as const satisfies readonly {
  readonly member: keyof Figures;
  readonly word: string;
  readonly tone: Tone;
  readonly fill: string;
  readonly ink: string;
}[];

const checkedOf = ({ matches, undecided, differs }: Figures): number => matches + undecided + differs;

/** `131 match, 4 could not be verified, 3 differ`. Outcomes without proposals are left out. */
export function resultWords(figures: Figures): string {
  const said = [
    [figures.matches, figures.matches === 1 ? "matches" : "match"],
    [figures.undecided, "could not be verified"],
    [figures.differs, figures.differs === 1 ? "differs" : "differ"],
  ] as const;
  const some = said.filter(([count]) => count > 0);
  return some.length === 0
    ? "No proposals checked"
    : some.map(([count, word]) => `${count} ${word}`).join(", ");
}

/** The shares of the three outcomes. */
export function ResultMeter({ figures }: { readonly figures: Figures }): JSX.Element | null {
  const checked = checkedOf(figures);
  if (checked === 0) return null;
  return (
    <Meter
      label={resultWords(figures)}
      parts={outcomes.map(({ member, fill }) => ({ share: figures[member] / checked, className: fill }))}
    />
  );
}

/** How the agent's proposals fared. */
export function Results({
  figures,
  days,
}: {
  readonly figures: Figures;
  readonly days: number;
}): JSX.Element {
  const checked = checkedOf(figures);
  return (
    <Card
      title="Results"
      aside={
        <span className="text-sm text-soft">
          {counted(figures.proposals, "proposal")} in {counted(days, "day")}
        </span>
      }
    >
      {checked === 0 ? (
        <p className="text-sm text-soft">Nothing checked in this period.</p>
      ) : (
        <>
          <ResultMeter figures={figures} />
          <dl className="mt-3 divide-y divide-line text-sm">
            {outcomes.map(({ member, word, tone, ink }) => (
              <div key={member} className="flex min-h-11 items-center gap-3">
                <dt className="flex flex-1 items-center gap-2">
                  <ToneIcon tone={tone} className={ink} />
                  {word}
                </dt>
                <dd className="tabular-nums">
                  <strong>{figures[member]}</strong>
                  <span className="ml-2 inline-block w-12 text-right text-soft">
                    {Math.round((figures[member] / checked) * 100)} %
                  </span>
                </dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </Card>
  );
}
