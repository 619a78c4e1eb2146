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
  /** Undefined where there is none that can be read. */
  readonly report: ReadReport | undefined;
  readonly words: string;
  /** Undefined where nobody claims anything: what somebody just typed themselves. */
  readonly provenance?: Provenance;
  /** Null where it is not shown to whoever looks. */
  readonly tx: ProposedTx | null;
  readonly chainId: number;
  /** The verdict has still to come. */
  readonly isAwaited?: boolean;
};

/** A verdict, drawn: whether to sign, what was asked, what it does, what differs, and everything it rests on. */
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
      <Asked words={words} provenance={provenance} flags={flags} />
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
