import { CircleCheckBig, CircleHelp, Clock, OctagonX, type LucideIcon } from "lucide-react";
import type { JSX } from "react";
import type { ReadReport } from "@countersign/sdk/report";
import { cn } from "../../lib/class-names.ts";
import { counted } from "../../lib/format.ts";
import { flagsOf } from "./flags.ts";
import { sentenceCase } from "./plain-words.ts";
import { Said } from "./said.tsx";
import { inShort, verdictOf, type Verdict } from "./verdict.ts";

const looks: Readonly<
  Record<Verdict["tone"], { readonly Icon: LucideIcon; readonly look: string; readonly ink: string }>
> = {
  good: { Icon: CircleCheckBig, look: "border-good bg-good-bg", ink: "text-good" },
  bad: { Icon: OctagonX, look: "border-bad bg-bad-bg", ink: "text-bad" },
  open: { Icon: CircleHelp, look: "border-open bg-open-bg", ink: "text-open" },
};

type Props = {
  readonly report: ReadReport | undefined;
  readonly words: string;
  readonly value: string | null;
  readonly chainId: number;
  readonly isAwaited: boolean;
};

/** The summary a first-time visitor must grasp in ten seconds: the outcome, why, what was asked and what it does. */
export function VerdictLine({ report, words, value, chainId, isAwaited }: Props): JSX.Element {
  if (isAwaited) return <Awaited />;
  const { tone, headline, because } = verdictOf(report);
  const { Icon, look, ink } = looks[tone];
  return (
    <section aria-label="Verdict" className={cn("rounded-2xl border-2 p-4 sm:p-6", look)}>
      <div className="flex gap-3 sm:gap-4">
        <Icon aria-hidden strokeWidth={2.25} className={cn("mt-0.5 size-8 shrink-0 sm:size-10", ink)} />
        <div className="min-w-0 flex-1 space-y-3">
          <div>
            <h2 className={cn("text-xl font-bold tracking-tight text-balance sm:text-2xl", ink)}>
              {headline}
            </h2>
            {because === null ? null : (
              <p className="mt-1 text-lg font-medium text-ink">
                <Said brief>{`${sentenceCase(because)}.`}</Said>
              </p>
            )}
          </div>
          {report === undefined || value === null ? null : (
            <AtAGlance words={words} does={inShort(report, value, chainId)} />
          )}
          {report === undefined ? null : <Counts report={report} />}
        </div>
      </div>
    </section>
  );
}

function Awaited(): JSX.Element {
  return (
    <section
      aria-label="Verdict"
      className="flex gap-3 rounded-2xl border-2 border-line bg-inset p-4 sm:gap-4 sm:p-6"
    >
      <Clock aria-hidden className="mt-0.5 size-8 shrink-0 text-soft sm:size-10" />
      <div>
        <h2 className="text-xl font-bold tracking-tight sm:text-2xl">Checking</h2>
        <p className="mt-1 text-soft">
          It’s being compared with your request. What follows hasn’t been checked.
        </p>
      </div>
    </section>
  );
}

const longest = 200;

function AtAGlance({
  words,
  does,
}: {
  readonly words: string;
  readonly does: readonly string[];
}): JSX.Element {
  const shown = does.slice(0, 4);
  const asked = words.length > longest ? `${words.slice(0, longest)} …` : words;
  return (
    <dl className="grid gap-x-4 gap-y-2 text-ink sm:grid-cols-[max-content_1fr]">
      <dt className="text-sm font-semibold sm:pt-0.5">Asked</dt>
      <dd>
        <Said brief>{asked}</Said>
      </dd>
      <dt className="text-sm font-semibold sm:pt-0.5">Does</dt>
      <dd>
        <Said
          brief
        >{`${sentenceCase(shown.join("; "))}${does.length > shown.length ? "; and more" : ""}.`}</Said>
      </dd>
    </dl>
  );
}

function Counts({ report }: { readonly report: ReadReport }): JSX.Element {
  const { checks, notChecked } = report;
  const flags = flagsOf(report).filter(({ isOpen }) => !isOpen).length;
  const passed = checks.filter(({ state }) => state === "passed").length;
  const told = [
    ...(flags === 0 ? [] : [`${flags.toLocaleString("en")} flagged`]),
    `${counted(passed, "check")} passed`,
    ...(notChecked.length === 0 ? [] : [`${notChecked.length.toLocaleString("en")} couldn’t run`]),
  ];
  return <p className="text-sm text-ink">{`${told.join(". ")}.`}</p>;
}
