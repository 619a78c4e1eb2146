import type { ReadReport } from "@countersign/sdk/report";
import { useMemo, type JSX } from "react";
import { Card } from "../card.tsx";
import { addressesInPlay, lookAlikes } from "./addresses.ts";
import { Asked, type Provenance } from "./asked.tsx";
import { CheckList } from "./check-list.tsx";
import { Differs } from "./differs.tsx";
import { Digests } from "./digests.tsx";
import { Does, type ProposedTx } from "./does.tsx";
import { flagsOf, rangesInData } from "./flags.ts";
import { RawBytes } from "./raw-bytes.tsx";
import { VerdictLine } from "./verdict-line.tsx";

type Props = {
  /** Undefined if there is no readable report. */
  readonly report: ReadReport | undefined;
  readonly words: string;
  /** Undefined if the visitor typed the request. */
  readonly provenance?: Provenance;
  /** Null if the transaction is not visible to this visitor. */
  readonly tx: ProposedTx | null;
  readonly chainId: number;
  /** The verdict is pending. */
  readonly isAwaited?: boolean;
};

/** A report: verdict, request, effect, differences, checks and raw data. */
export function ReportView({
  report,
  words,
  provenance,
  tx,
  chainId,
  isAwaited = false,
}: Props): JSX.Element {
  const flags = useMemo(() => (report === undefined ? [] : flagsOf(report)), [report]);
  const ranges = useMemo(() => (report === undefined ? [] : rangesInData(report, flags)), [report, flags]);
  const to = tx?.to ?? null;
  const alike = useMemo(() => lookAlikes(addressesInPlay(words, to, report)), [words, to, report]);
  return (
    <div className="space-y-4 sm:space-y-5">
      <VerdictLine
        report={report}
        words={words}
        value={tx?.value ?? null}
        chainId={chainId}
        isAwaited={isAwaited && report === undefined}
      />
      <Asked
        words={words}
        provenance={provenance}
        flags={flags}
        restated={report?.assessment?.restated ?? ""}
      />
      <Does report={report} tx={tx} chainId={chainId} alike={alike} />
      {report === undefined ? null : (
        <>
          <Differs flags={flags} outcome={report.outcome} />
          <CheckList report={report} flags={flags} />
        </>
      )}
      {tx === null ? null : (
        <Card title="Compare on a hardware wallet">
          <div className="space-y-3">
            <Digests tx={tx} chainId={chainId} />
            <RawBytes data={tx.data} flags={flags} ranges={ranges} />
          </div>
        </Card>
      )}
    </div>
  );
}
