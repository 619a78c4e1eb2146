import type { Check, Issue, ReadReport } from "@countersign/sdk/report";
import type { JSX } from "react";
import { counted } from "../../lib/format.ts";
import { Badge, ToneIcon, type Tone } from "../badge.tsx";
import { Disclosure } from "../disclosure.tsx";
import { Facts, type Fact } from "../facts.tsx";
import { Text } from "../text.tsx";
import {
  familyHeading,
  groupChecks,
  stateWords,
  confidenceText,
  type CheckState,
  type Family,
} from "./checks.ts";
import { plainer } from "./differences.ts";
import { Numeral } from "./numeral.tsx";
import { titleOf } from "./flags.ts";
import { sentenceCase } from "./plain-words.ts";
import { Said } from "./said.tsx";

const tones: Readonly<Record<CheckState, Tone>> = {
  failed: "bad",
  unchecked: "open",
  passed: "good",
  idle: "none",
};

type Props = { readonly report: ReadReport; readonly flags: readonly Issue[] };

/** All checks: the most important flag first, then grouped by family. */
export function CheckList({ report, flags }: Props): JSX.Element {
  const [first] = flags;
  return (
    <div className="space-y-5">
      {first === undefined ? null : <Pinned issue={first} />}
      {groupChecks(report.checks).map((family) => (
        <FamilyOfChecks key={family.family} family={family} flags={flags} />
      ))}
    </div>
  );
}

function Pinned({ issue }: { readonly issue: Issue }): JSX.Element {
  return (
    <div className={`rounded-xl border-2 p-3 sm:p-4 ${issue.isOpen ? "border-open" : "border-bad"}`}>
      <p className="mb-1 text-xs font-semibold text-soft">Most important</p>
      <Flag issue={issue} index={0} />
    </div>
  );
}

function Flag({ issue, index }: { readonly issue: Issue; readonly index: number }): JSX.Element {
  const { title, reasoning, expected, actual, fix, severity, isOpen, family } = issue;
  const facts: readonly Fact[] = [
    ...(expected === null ? [] : [["Expected", <Said key="e">{expected}</Said>] as const]),
    ...(actual === null ? [] : [["Found", <Said key="f">{plainer(actual)}</Said>] as const]),
    ...(fix === null ? [] : [["Fix", <Said key="d">{fix}</Said>] as const]),
  ];
  return (
    <div className="space-y-2">
      <div className="flex flex-wrap items-center gap-2">
        <Badge tone={isOpen ? "open" : "bad"}>{isOpen ? stateWords.unchecked : stateWords.failed}</Badge>
        <Numeral of={index} isOpen={isOpen} />
        <span className="font-semibold">
          <Text>{title}</Text>
        </span>
      </div>
      <p>
        <Said>{reasoning}</Said>
      </p>
      {facts.length === 0 ? null : <Facts facts={facts} />}
      <p className="text-xs text-soft">
        <Text>{`${sentenceCase(severity)} · ${familyHeading(family)}`}</Text>
      </p>
    </div>
  );
}

type FamilyProps = { readonly family: Family; readonly flags: readonly Issue[] };

function FamilyOfChecks({ family: { heading, byState }, flags }: FamilyProps): JSX.Element {
  const { failed, unchecked, passed, idle } = byState;
  const told = new Map(flags.map((issue, index) => [issue.node, { issue, index }]));
  return (
    <section className="space-y-2 border-t border-line pt-4">
      <h3 className="font-semibold">
        <Text>{heading}</Text>
      </h3>
      {failed.length === 0 ? null : (
        <ul className="space-y-3">
          {failed.map((check) => (
            <li key={check.node} className="rounded-xl bg-bad-bg p-3">
              <Failed check={check} known={told.get(check.node)} />
            </li>
          ))}
        </ul>
      )}
      {unchecked.length === 0 ? null : (
        <ul className="divide-y divide-line rounded-xl border border-dashed border-open px-3">
          {unchecked.map((check) => (
            <li key={check.node} className="py-2">
              <OneCheck check={check} />
            </li>
          ))}
        </ul>
      )}
      <Folded state="passed" checks={passed} />
      <Folded state="idle" checks={idle} />
    </section>
  );
}

type FailedProps = {
  readonly check: Check;
  readonly known: { readonly issue: Issue; readonly index: number } | undefined;
};

/** The first flag is shown in full at the top of the list. */
function Failed({ check, known }: FailedProps): JSX.Element {
  if (known === undefined) return <OneCheck check={check} />;
  if (known.index > 0) return <Flag {...known} />;
  return (
    <div className="flex flex-wrap items-center gap-2 text-sm">
      <Badge tone="bad">{stateWords.failed}</Badge>
      <Numeral of={0} isOpen={false} />
      <span className="font-semibold">
        <Text>{known.issue.title}</Text>
      </span>
      <span className="text-soft">see above</span>
    </div>
  );
}

function Folded({
  state,
  checks,
}: {
  readonly state: "passed" | "idle";
  readonly checks: readonly Check[];
}): JSX.Element | null {
  if (checks.length === 0) return null;
  const said =
    state === "passed" ? `${counted(checks.length, "check")} passed` : `${checks.length} not applicable`;
  return (
    <Disclosure
      summary={
        <span className="flex items-center gap-2">
          <ToneIcon tone={tones[state]} className={state === "passed" ? "text-good" : "text-soft"} />
          {said}
        </span>
      }
    >
      <ul className="space-y-3">
        {checks.map((check) => (
          <li key={check.node}>
            <OneCheck check={check} />
          </li>
        ))}
      </ul>
    </Disclosure>
  );
}

/** The reasoning of a skipped check says what was missing. */
function OneCheck({ check }: { readonly check: Check }): JSX.Element {
  const { state, name, reasoning, confidence } = check;
  return (
    <div className="text-sm">
      <div className="flex flex-wrap items-center gap-2">
        <Badge tone={tones[state]}>{stateWords[state]}</Badge>
        <span className="font-semibold">
          <Text>{titleOf(name)}</Text>
        </span>
      </div>
      <p className="mt-1">
        {state === "unchecked" ? <span className="font-medium">Why: </span> : null}
        <Said>{reasoning}</Said>
      </p>
      {state === "passed" && confidence !== null && confidence < 0.95 ? (
        <p className="text-soft">{confidenceText(confidence)}</p>
      ) : null}
    </div>
  );
}
