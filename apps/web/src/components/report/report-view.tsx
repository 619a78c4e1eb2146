import type { Issue, ReadReport } from "@countersign/sdk/report";
import { useMemo, type JSX, type ReactNode } from "react";
import { Fold } from "../fold.tsx";
import { loadedWhenOpened } from "../loaded-when-opened.tsx";
import { addressesInPlay, lookAlikes } from "./addresses.ts";
import { Asked, type Provenance } from "./asked.tsx";
import { CheckList } from "./check-list.tsx";
import { summaryOfChecks } from "./checks-summary.ts";
import { Differs } from "./differs.tsx";
import { Does, type ProposedTx } from "./does.tsx";
import { flagsOf, rangesInData } from "./flags.ts";
import { VerdictLine } from "./verdict-line.tsx";

// It needs a hash function.
const TransactionData = loadedWhenOpened(
  "the data",
  async () => (await import("./transaction-data.tsx")).TransactionData,
);

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
  /** Balances before and after, or why they are not known. */
  readonly balances?: ReactNode;
  /** Shown after what it does. */
  readonly parties?: ReactNode;
};

/** A report: verdict, request, effect, differences, checks and raw data. */
export function ReportView({
  report,
  words,
  provenance,
  tx,
  chainId,
  isAwaited = false,
  balances,
  parties,
}: Props): JSX.Element {
  const flags = useMemo(() => (report === undefined ? [] : flagsOf(report)), [report]);
  const to = tx?.to ?? null;
  const alike = useMemo(() => lookAlikes(addressesInPlay(words, to, report)), [words, to, report]);
  return (
    <div className="space-y-4 sm:space-y-5">
      <VerdictLine
        report={report}
        value={tx?.value ?? null}
        chainId={chainId}
        isAwaited={isAwaited && report === undefined}
        asked={
          <Asked
            words={words}
            provenance={provenance}
            flags={flags}
            restated={report?.assessment?.restated ?? ""}
          />
        }
      />
      <Differences report={report} flags={flags} />
      <Does report={report} tx={tx} chainId={chainId} alike={alike} balances={balances} />
      {parties}
      <Checks report={report} flags={flags} />
      {tx === null ? null : <Data tx={tx} chainId={chainId} flags={flags} report={report} />}
    </div>
  );
}

type FlaggedProps = Pick<Props, "report"> & { readonly flags: readonly Issue[] };

function Differences({ report, flags }: FlaggedProps): JSX.Element | null {
  if (report === undefined || report.outcome === "matches") return null;
  return <Differs flags={flags} outcome={report.outcome} />;
}

function Checks({ report, flags }: FlaggedProps): JSX.Element | null {
  if (report === undefined) return null;
  return (
    <Fold title="Checks" summary={summaryOfChecks(report)} defaultOpen={report.outcome !== "matches"}>
      <CheckList report={report} flags={flags} />
    </Fold>
  );
}

type DataProps = FlaggedProps & Pick<Props, "chainId"> & { readonly tx: ProposedTx };

function Data({ tx, chainId, flags, report }: DataProps): JSX.Element {
  const ranges = useMemo(() => (report === undefined ? [] : rangesInData(report, flags)), [report, flags]);
  return (
    <Fold title="Compare on a hardware wallet" summary="Data and hashes">
      <TransactionData tx={tx} chainId={chainId} flags={flags} ranges={ranges} />
    </Fold>
  );
}
