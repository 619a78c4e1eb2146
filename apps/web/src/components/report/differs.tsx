import type { Issue, Outcome } from "@countersign/sdk/report";
import type { JSX } from "react";
import { Card } from "../card.tsx";
import { differencesOf } from "./differences.ts";
import { sentenceCase } from "./plain-words.ts";
import { Said } from "./said.tsx";

type Props = { readonly flags: readonly Issue[]; readonly outcome: Outcome };

const nothingDiffers = {
  matches: "Nothing.",
  differs: "Your request and the transaction agree. See Checks for why it’s flagged.",
  unverified: "We found no difference, but not every check could run. See Checks for what’s missing.",
} as const satisfies Readonly<Record<Outcome, string>>;

/** Shows asked and does in two columns, stacked on a phone. */
export function Differs({ flags, outcome }: Props): JSX.Element {
  const pairs = differencesOf(flags.filter(({ isOpen }) => !isOpen));
  return (
    <Card title="What differs">
      {pairs.length === 0 ? (
        <p>{nothingDiffers[outcome]}</p>
      ) : (
        <ul className="space-y-3">
          {pairs.map(({ asked, does }) => (
            <li
              key={`${asked}\n${does}`}
              className="grid overflow-hidden rounded-xl border border-line sm:grid-cols-2"
            >
              <Side heading="Asked" said={asked} className="bg-inset" />
              <Side
                heading="Does"
                said={does}
                className="border-t border-line bg-bad-bg sm:border-t-0 sm:border-l"
              />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

type SideProps = { readonly heading: string; readonly said: string; readonly className: string };

function Side({ heading, said, className }: SideProps): JSX.Element {
  return (
    <div className={`p-3 ${className}`}>
      <p className="text-xs font-semibold text-soft">{heading}</p>
      <p className="text-base font-medium">
        <Said>{sentenceCase(said)}</Said>
      </p>
    </div>
  );
}
