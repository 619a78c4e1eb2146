import { NotFoundError, type TransactionView } from "@countersign/sdk";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useDeferredValue, useMemo, type JSX } from "react";
import { Badge } from "../../components/badge.tsx";
import { buttonClass } from "../../components/button.tsx";
import { Loading } from "../../components/loading.tsx";
import { Notice, ProblemNotice } from "../../components/notice.tsx";
import { Page } from "../../components/page.tsx";
import { ReportView } from "../../components/report/report-view.tsx";
import { Text } from "../../components/text.tsx";
import { sessionQuery } from "../../lib/session.ts";
import type { Known } from "../../lib/known.ts";
import { transactionQuery, useFreshness } from "../../lib/transactions.ts";
import { About } from "./about.tsx";
import { AsOf } from "./as-of.tsx";
import { Context } from "./context.tsx";
import { DecidePanel } from "./decide-panel.tsx";
import { ExecutePanel } from "./execute-panel.tsx";
import { Expiry } from "./expiry.tsx";
import { History } from "./history.tsx";
import { ReceiptCheck } from "./receipt-check.tsx";
import { Sealed } from "./sealed.tsx";
import { alertOf, headlineOf, isForOwnersWallet, flagReasonOf, statusOf, verdictOf } from "./status.ts";
import { useReceipt, type ReceiptState } from "./use-checked.ts";

type OfIt = { readonly transaction: TransactionView; readonly receipt: ReceiptState };
type Drawn = { readonly transaction: TransactionView } & Pick<ReceiptState, "report" | "isReading">;

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

/** Why the owner is asked about a payment that could have been approved without them. */
function Asked({ transaction }: { readonly transaction: TransactionView }): JSX.Element | null {
  const { needsOwner, phase } = transaction;
  if (needsOwner === null || phase !== "AWAITING") return null;
  const { message, repeats } = needsOwner;
  return (
    <Notice tone="open" title="Needs you because">
      <Text>{message}</Text>.{" "}
      {repeats === null ? null : (
        <Link
          to="/transactions/$requestHash"
          params={{ requestHash: repeats.requestHash }}
          className="font-semibold text-accent underline-offset-4 hover:underline"
        >
          See the earlier payment
        </Link>
      )}
    </Notice>
  );
}

/** The report, or what is known without one. */
function Content({ transaction, report, isReading }: Drawn): JSX.Element {
  const { description, intentProvenance, tx, chainId, approvals, status } = transaction;
  if (tx === null) return <Sealed transaction={transaction} />;
  if (isReading) return <Loading what="the report" lines={6} />;
  return (
    <ReportView
      report={report}
      words={description}
      provenance={intentProvenance}
      tx={tx}
      chainId={chainId}
      isAwaited={status === "PENDING" && approvals.orion.length === 0}
    />
  );
}

type Shown = { readonly known: Known<TransactionView>; readonly hasFailed: boolean };

function Transaction({ known, hasFailed }: Shown): JSX.Element {
  const account = useQuery(sessionQuery).data?.address ?? "";
  const { value: transaction, asOf, isLatest } = known;
  const freshness = useFreshness({ asOf, isLatest, hasFailed });
  const receipt = useReceipt(transaction);
  const { report, isReading } = receipt;
  // Renders the long report at low priority, so that scrolling and clicks stay responsive.
  const content = useDeferredValue(
    useMemo(
      () => <Content transaction={transaction} report={report} isReading={isReading} />,
      [transaction, report, isReading],
    ),
  );
  const headline = headlineOf(transaction);
  const [verdict, status] = [verdictOf(transaction), statusOf(transaction)];
  const isJudged = transaction.approvals.orion.length > 0;
  return (
    <Page
      title={headline.word}
      lead={headline.detail}
      aside={
        <span className="flex flex-wrap items-center gap-2">
          <Badge tone={verdict.tone}>{verdict.word}</Badge>
          <Badge tone={status.tone}>{status.word}</Badge>
          {transaction.expiresAt === null ? null : (
            <span className="text-sm text-soft">
              <Expiry at={transaction.expiresAt} />
            </span>
          )}
        </span>
      }
    >
      <AsOf {...freshness} />
      <Warnings transaction={transaction} receipt={receipt} />
      <Asked transaction={transaction} />
      {isForOwnersWallet(transaction) ? (
        <ExecutePanel
          transaction={transaction}
          checked={receipt.checked}
          isConfirmed={freshness.isConfirmed}
        />
      ) : null}
      <DecidePanel
        known={known}
        freshness={freshness}
        account={account}
        report={report}
        isReading={isReading}
      />
      {content}
      {isJudged ? <ReceiptCheck checked={receipt.checked} error={receipt.error} /> : null}
      <History transaction={transaction} />
      <Context contextLogs={transaction.contextLogs} />
      <About transaction={transaction} />
      {/* Space for the panel that covers the bottom on phones. */}
      <div aria-hidden className="h-28 sm:hidden" />
    </Page>
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
  const { data, error, isError } = useQuery(transactionQuery(requestHash));
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
