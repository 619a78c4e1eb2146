import type { ReadReport } from "@countersign/sdk/report";
import type { TransactionView } from "@countersign/sdk";
import type { JSX, ReactNode } from "react";
import { Facts, type Fact } from "../../components/facts.tsx";
import { effectLines, subjectOf } from "../../components/report/effects.ts";
import { Hex } from "../../components/hex.tsx";
import { Said } from "../../components/report/said.tsx";
import { deferredOf } from "./deferred.ts";

type Props = {
  readonly transaction: TransactionView;
  readonly report: ReadReport | undefined;
  /** Facts of the shape, before those that every signature has. */
  readonly facts: readonly Fact[];
  readonly children?: ReactNode;
};

/** Shows what a signature allows, until when, and what could be taken at worst. */
export function DeferredFacts({ transaction, report, facts, children }: Props): JSX.Element {
  const { signingHash, chainId } = transaction;
  const deferred = deferredOf(transaction, report);
  const subject = subjectOf(transaction);
  const allows = subject === undefined ? [] : effectLines(report, subject, chainId);
  return (
    <div className="space-y-3">
      {deferred === undefined ? null : <p className="text-sm">{deferred.what}</p>}
      <Facts
        facts={[
          ...facts,
          [
            "Allows",
            <ul key="allows">
              {allows.map(({ text }, index) => (
                <li key={index}>
                  <Said>{text}</Said>
                </li>
              ))}
            </ul>,
          ],
          ...(deferred === undefined
            ? []
            : ([
                ["Usable until", deferred.until],
                ["At worst", <strong key="worst">{deferred.worst}</strong>],
              ] as const)),
          ...(signingHash === null
            ? []
            : ([["Hash", <Hex key="hash" value={signingHash} label="hash to sign" full />]] as const)),
        ]}
      />
      {children}
    </div>
  );
}
