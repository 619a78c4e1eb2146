import type { ReadReport } from "@countersign/sdk/report";
import { CircleCheckBig, CircleHelp, Clock, OctagonX, TriangleAlert, type LucideIcon } from "lucide-react";
import type { JSX, ReactNode } from "react";
import { cn } from "../../lib/class-names.ts";
import { sentenceCase } from "./plain-words.ts";
import { Said } from "./said.tsx";
import { inShort, verdictOf, type Verdict } from "./verdict.ts";

type Look = {
  readonly Icon: LucideIcon;
  readonly frame: string;
  readonly head: string;
  readonly ink: string;
};

/** Only a difference has a solid ground: nothing else may look as loud. */
const looks: Readonly<Record<Verdict["tone"], Look>> = {
  good: { Icon: CircleCheckBig, frame: "border-good", head: "bg-good-bg", ink: "text-good" },
  bad: { Icon: OctagonX, frame: "border-bad", head: "bg-bad text-on-bad", ink: "text-on-bad" },
  open: { Icon: CircleHelp, frame: "border-open", head: "bg-open-bg", ink: "text-open" },
  risk: { Icon: TriangleAlert, frame: "border-open", head: "bg-open-bg", ink: "text-open" },
};

type Props = {
  readonly report: ReadReport | undefined;
  readonly value: string | null;
  readonly chainId: number;
  readonly isAwaited: boolean;
  /** The request, with its flags. */
  readonly asked: ReactNode;
};

/** The summary a first-time visitor must grasp in ten seconds: the outcome, why, what was asked and what it does. */
export function VerdictLine({ report, value, chainId, isAwaited, asked }: Props): JSX.Element {
  const does =
    report === undefined || value === null ? null : <Does does={inShort(report, value, chainId)} />;
  if (isAwaited)
    return (
      <section aria-label="Verdict" className="overflow-hidden rounded-2xl border border-line bg-card">
        <Awaited />
        {asked}
      </section>
    );
  const { tone, headline, because } = verdictOf(report);
  const { Icon, frame, head, ink } = looks[tone];
  return (
    <section aria-label="Verdict" className={cn("overflow-hidden rounded-2xl border bg-card", frame)}>
      <div className={cn("flex gap-3 p-4 sm:gap-4 sm:px-6 sm:py-5", head)}>
        <Icon aria-hidden strokeWidth={2.25} className={cn("mt-0.5 size-7 shrink-0", ink)} />
        <div className="min-w-0 flex-1">
          <h2 className={cn("text-xl font-bold tracking-tight text-balance sm:text-2xl", ink)}>{headline}</h2>
          <p className="mt-1">
            {because === null ? (
              "It does what you asked, and nothing else."
            ) : (
              <Said brief>{`${sentenceCase(because)}.`}</Said>
            )}
          </p>
        </div>
      </div>
      {asked}
      {does}
    </section>
  );
}

function Awaited(): JSX.Element {
  return (
    <div className="flex gap-3 bg-inset p-4 sm:gap-4 sm:px-6 sm:py-5">
      <Clock aria-hidden className="mt-0.5 size-7 shrink-0 text-soft" />
      <div>
        <h2 className="text-xl font-bold tracking-tight sm:text-2xl">Checking</h2>
        <p className="mt-1 text-soft">
          It’s being compared with your request. What follows hasn’t been checked.
        </p>
      </div>
    </div>
  );
}

const longest = 4;

function Does({ does }: { readonly does: readonly string[] }): JSX.Element {
  const shown = does.slice(0, longest);
  return (
    <div className="grid gap-x-6 gap-y-1 border-t border-line p-4 sm:grid-cols-[5.5rem_1fr] sm:px-6">
      <p className="text-sm font-semibold text-soft sm:pt-1">It does</p>
      <p className="text-lg">
        <Said brief>
          {`${sentenceCase(shown.join("; "))}${does.length > shown.length ? "; and more" : ""}.`}
        </Said>
      </p>
    </div>
  );
}
