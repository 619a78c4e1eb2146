import type { Issue } from "@countersign/sdk/report";
import type { JSX } from "react";
import { Card } from "../card.tsx";
import { differencesOf } from "./differences.ts";
import { sentenceCase } from "./plain-words.ts";
import { Said } from "./said.tsx";

type Props = { readonly objections: readonly Issue[]; readonly isPassed: boolean };

/** Pairs of what was asked and what would happen: side by side, or one under the other on a phone. */
export function Differs({ objections, isPassed }: Props): JSX.Element {
  const pairs = differencesOf(objections);
  return (
    <Card title="What differs">
      {pairs.length === 0 ? (
        <p>
          {isPassed
            ? "Nothing."
            : "No part of the words and of the transaction stand against each other. What speaks against it is told by the checks."}
        </p>
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
