import { NotFoundError, type TransactionView } from "@countersign/sdk";
import type { ReadReport } from "@countersign/sdk/report";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { Bot } from "lucide-react";
import { lazy, Suspense, useDeferredValue, useMemo, type ComponentType, type JSX } from "react";
import { Badge } from "../../components/badge.tsx";
import { buttonClass } from "../../components/button.tsx";
import { Loading } from "../../components/loading.tsx";
import { Notice, ProblemNotice } from "../../components/notice.tsx";
import { Page } from "../../components/page.tsx";
import { effectTitle, subjectOf } from "../../components/report/effects.ts";
import { ReportView } from "../../components/report/report-view.tsx";
import { Said } from "../../components/report/said.tsx";
import { Text } from "../../components/text.tsx";
import { Time } from "../../components/time.tsx";
import { useAgentNames } from "../../lib/agents.ts";
import { chainName } from "../../lib/chains.ts";
import { isHash, shortHex } from "../../lib/format.ts";
import type { Known } from "../../lib/known.ts";
import { sessionQuery } from "../../lib/session.ts";
import { transactionQuery, useFreshness, type Freshness } from "../../lib/transactions.ts";
import { About } from "./about.tsx";
import { AsOf } from "./as-of.tsx";
import { Context } from "./context.tsx";
import { DecidePanel } from "./decide-panel.tsx";
import { Expiry } from "./expiry.tsx";
import { History } from "./history.tsx";
import { ReceiptCheck } from "./receipt-check.tsx";
import { alertOf, flagReasonOf, headlineOf, isForOwnersWallet, statusOf, verdictOf } from "./status.ts";
import { useReceipt, type ReceiptState } from "./use-checked.ts";
import { useSending } from "./use-sending.ts";

// Few transactions need one of these, so they are not part of the page's first load.
const Sealed = lazy(async () => ({ default: (await import("./sealed.tsx")).Sealed }));
const PayloadCard = lazy(async () => ({ default: (await import("./payload-card.tsx")).PayloadCard }));
const ExecutePanel = lazy(async () => ({ default: (await import("./execute-panel.tsx")).ExecutePanel }));
const BalancesPart = lazy(async () => ({ default: (await import("./balances.tsx")).BalancesPart }));
/** On every page, so that a failure to load them must not take the page away. */
const loadRecipients = () => import("./recipients.tsx").catch(() => undefined);
const Recipients = lazy(async () => ({ default: (await loadRecipients())?.Recipients ?? NoRecipients }));
const LookAlikeWarnings = lazy<ComponentType<Pick<OfIt, "transaction">>>(async () => ({
  default: (await loadRecipients())?.LookAlikeWarnings ?? (() => null),
}));
const DecidedBy = lazy(async () => ({ default: (await import("./decided-by.tsx")).DecidedBy }));

function NoRecipients(): JSX.Element {
  return (
    <Notice tone="open" title="Couldn’t check the recipients">
      Compare every character of an address before you approve.
    </Notice>
  );
}

type OfIt = { readonly transaction: TransactionView; readonly receipt: ReceiptState };
type Drawn = { readonly transaction: TransactionView } & Pick<ReceiptState, "report" | "raw" | "isReading">;

/** Alerts and the reason for a block, shown first. */
function Warnings({ transaction, receipt }: OfIt): JSX.Element {
  const alert = alertOf(transaction);
  // Only without a report, which explains it in more detail.
  const hasNoReport = receipt.report === undefined && !receipt.isReading;
  const flag = hasNoReport ? flagReasonOf(transaction) : undefined;
  const { reasonDetail } = transaction;
  return (
    <>
      {alert === undefined ? null : (
        <Notice tone={alert.tone} live="assertive" title={alert.word}>
          {alert.detail}
        </Notice>
      )}
      {flag === undefined ? null : (
        <Notice tone={verdictOf(transaction).tone} title="Why">
          <Text>{flag}</Text>
        </Notice>
      )}
      {reasonDetail === null ? null : (
        <Notice tone="open" title="What we found">
          <Text>{reasonDetail}</Text>
        </Notice>
      )}
    </>
  );
}

/** Without a state of the chain there is one line, and nothing to load. */
function Balances({ transaction, report, raw }: Omit<Drawn, "isReading">): JSX.Element | null {
  if (report === undefined) return null;
  if (report.state === null)
    return <p className="text-sm text-soft">Balances are not known: the state of the chain was not read.</p>;
  return (
    <Suspense fallback={<div className="h-28" />}>
      <BalancesPart report={raw} transaction={transaction} />
    </Suspense>
  );
}

/** The report, or what is known without one. */
function Content({ transaction, report, raw, isReading }: Drawn): JSX.Element {
  const { description, intentProvenance, tx, chainId, approvals, status } = transaction;
  const parties = (
    <Suspense>
      <Recipients transaction={transaction} />
    </Suspense>
  );
  if (subjectOf(transaction) === undefined)
    return (
      <Suspense fallback={<Loading what="the transaction" lines={6} />}>
        <Sealed transaction={transaction} />
        {parties}
      </Suspense>
    );
  if (isReading) return <Loading what="the report" lines={6} />;
  return (
    <>
      {tx !== null ? null : (
        <Suspense fallback={<Loading what="the data to sign" lines={6} />}>
          <PayloadCard transaction={transaction} report={report} />
        </Suspense>
      )}
      <ReportView
        report={report}
        words={description}
        provenance={intentProvenance}
        tx={tx}
        chainId={chainId}
        isAwaited={status === "PENDING" && approvals.orion.length === 0}
        balances={<Balances transaction={transaction} report={report} raw={raw} />}
        parties={parties}
      />
    </>
  );
}

type Shown = { readonly known: Known<TransactionView>; readonly hasFailed: boolean };

/** The title says what the transaction does, never what the agent says. */
function titleOf(transaction: TransactionView, report: ReadReport | undefined): string {
  const subject = subjectOf(transaction);
  return subject === undefined ? "Encrypted proposal" : effectTitle(report, subject, transaction.chainId);
}

function Transaction({ known, hasFailed }: Shown): JSX.Element {
  const { value: transaction, asOf, isLatest } = known;
  const freshness = useFreshness({ asOf, isLatest, hasFailed });
  const receipt = useReceipt(transaction);
  const { report, raw, isReading } = receipt;
  // Renders the long report at low priority, so that scrolling and clicks stay responsive.
  const content = useDeferredValue(
    useMemo(
      () => <Content transaction={transaction} report={report} raw={raw} isReading={isReading} />,
      [transaction, report, raw, isReading],
    ),
  );
  const title = titleOf(transaction, report);
  return (
    <Page title={title} shown={<Said brief>{title}</Said>} lead={<Origin transaction={transaction} />}>
      <div className="grid gap-4 sm:gap-5 lg:grid-cols-[minmax(0,1fr)_21rem] lg:items-start">
        <div className="space-y-4 lg:col-start-2 lg:row-start-1 lg:sticky lg:top-4">
          <Rail known={known} freshness={freshness} receipt={receipt} />
        </div>
        <div className="min-w-0 space-y-4 sm:space-y-5 lg:col-start-1 lg:row-start-1">
          <Suspense>
            <LookAlikeWarnings transaction={transaction} />
          </Suspense>
          <Warnings transaction={transaction} receipt={receipt} />
          {content}
          <Folds transaction={transaction} receipt={receipt} />
        </div>
      </div>
      {/* Space for the bar that covers the bottom on phones. */}
      <div aria-hidden className="h-28 lg:hidden" />
    </Page>
  );
}

/** Who proposed it, when, on which network. */
function Origin({ transaction }: { readonly transaction: TransactionView }): JSX.Element {
  const { agent, createdAt, chainId, escrowAddress } = transaction;
  const nameOf = useAgentNames();
  return (
    <span className="flex flex-wrap gap-x-3 gap-y-1 text-sm">
      <span className="inline-flex items-center gap-1.5 font-medium text-ink">
        <Bot aria-hidden className="size-4 text-accent" />
        <Text>{nameOf(agent)}</Text>
      </span>
      <Time at={createdAt} />
      <span>{chainName(chainId)}</span>
      <span title={escrowAddress}>
        from <span className="font-mono">{shortHex(escrowAddress)}</span>
      </span>
    </span>
  );
}

type RailProps = {
  readonly known: Known<TransactionView>;
  readonly freshness: Freshness;
  readonly receipt: ReceiptState;
};

/** The state and the decision: next to the content on a desktop, above it and in a bottom bar on a phone. */
function Rail({ known, freshness, receipt }: RailProps): JSX.Element {
  const account = useQuery(sessionQuery).data?.address ?? "";
  const { value: transaction } = known;
  const sending = useSending(transaction.requestHash);
  const headline = headlineOf(transaction, sending);
  const status = statusOf(transaction);
  return (
    <>
      <section aria-label="Status" className="space-y-3 rounded-2xl border border-line bg-card p-4 sm:p-5">
        <div className="flex flex-wrap items-start justify-between gap-2">
          <h2 className="text-base font-semibold">{headline.word}</h2>
          <Badge tone={status.tone}>{status.word}</Badge>
        </div>
        <p className="text-sm text-soft">{headline.detail}</p>
        {(transaction.needsOwner ?? transaction.mandateId ?? transaction.policyDecision) === null ? null : (
          <Suspense fallback={<div className="h-28" />}>
            <DecidedBy transaction={transaction} />
          </Suspense>
        )}
        <DecidePanel
          known={known}
          freshness={freshness}
          account={account}
          report={receipt.report}
          checked={receipt.checked}
          isReading={receipt.isReading}
        />
        {transaction.expiresAt === null ? null : (
          <p className="text-sm text-soft">
            Expires: <Expiry at={transaction.expiresAt} />
          </p>
        )}
      </section>
      {isForOwnersWallet(transaction) ? (
        <Suspense fallback={<Loading what="how to send it" lines={3} />}>
          <ExecutePanel
            transaction={transaction}
            checked={receipt.checked}
            isConfirmed={freshness.isConfirmed}
          />
        </Suspense>
      ) : null}
      <AsOf {...freshness} />
    </>
  );
}

/** One line each until opened. */
function Folds({ transaction, receipt }: OfIt): JSX.Element {
  const isJudged = transaction.approvals.orion.length > 0;
  return (
    <>
      {isJudged ? <ReceiptCheck checked={receipt.checked} error={receipt.error} /> : null}
      <History transaction={transaction} />
      <Context contextLogs={transaction.contextLogs} />
      <About transaction={transaction} />
    </>
  );
}

function NotHere(): JSX.Element {
  return (
    <Page title="Transaction not found" lead="It doesn’t exist, or it belongs to another account.">
      <Link to="/transactions" className={buttonClass("primary")}>
        Go to inbox
      </Link>
    </Page>
  );
}

/** One transaction: state, decision, report, proof and history. */
export function TransactionPage(): JSX.Element {
  const { requestHash } = useParams({ from: "/transactions/$requestHash" });
  const { data, error, isError } = useQuery({
    ...transactionQuery(requestHash),
    enabled: isHash(requestHash),
  });
  if (!isHash(requestHash)) return <NotHere />;
  if (data !== undefined) return <Transaction key={requestHash} known={data} hasFailed={isError} />;
  if (error instanceof NotFoundError) return <NotHere />;
  if (!isError)
    return (
      <Page title="Transaction">
        <Loading what="the transaction" lines={6} />
      </Page>
    );
  return (
    <Page
      title="Couldn’t load this transaction"
      lead="Its status isn’t known right now. Trying again every few seconds."
    >
      <ProblemNotice error={error} />
    </Page>
  );
}
