import type { TransactionView } from "@countersign/sdk";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Tabs } from "radix-ui";
import type { JSX } from "react";
import { Button, buttonClass } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { Loading } from "../../components/loading.tsx";
import { ProblemNotice } from "../../components/notice.tsx";
import { Page } from "../../components/page.tsx";
import { sessionQuery } from "../../lib/session.ts";
import type { TransactionPage } from "../../lib/known.ts";
import { inboxQuery, useFreshness } from "../../lib/transactions.ts";
import { AsOf } from "./as-of.tsx";
import { InboxRow } from "./inbox-row.tsx";
import { groupOf, inOrder, blockedOrFailed, type Group } from "./status.ts";

const tabs: readonly (readonly [Group, string])[] = [
  ["needs-you", "Needs you"],
  ["in-progress", "In progress"],
  ["decided", "Done"],
];

const nothing: Readonly<Record<Group, string>> = {
  "needs-you": "You’re all caught up. New proposals appear here after they’ve been checked.",
  "in-progress": "Nothing is being checked or sent right now.",
  decided: "No decisions yet.",
};

/** First steps for an account without proposals. */
function FirstSteps(): JSX.Element {
  return (
    <Card title="Connect your first agent">
      <p className="max-w-prose text-sm">
        What it proposes is checked and shown here. Nothing is sent until you approve it.
      </p>
      <div className="mt-4 flex flex-wrap gap-2">
        <Link to="/access" className={buttonClass("primary")}>
          Connect an agent
        </Link>
        <Link to="/try" className={buttonClass("plain")}>
          Try a check
        </Link>
      </div>
    </Card>
  );
}

type ListProps = {
  readonly group: Group;
  readonly rows: readonly TransactionView[];
  readonly hasMore: boolean;
};

function List({ group, rows, hasMore }: ListProps): JSX.Element {
  if (rows.length === 0)
    return (
      <p className="rounded-2xl border border-dashed border-line p-6 text-sm text-soft">
        {nothing[group]}
        {hasMore ? " Older ones aren’t loaded yet." : ""}
      </p>
    );
  return (
    <ul className="space-y-3">
      {inOrder(group, rows).map((transaction) => (
        <InboxRow key={transaction.requestHash} transaction={transaction} />
      ))}
    </ul>
  );
}

/** Blocked and failed transactions need no decision, but the owner should see them. */
function BlockedOrFailed({ rows }: { readonly rows: readonly TransactionView[] }): JSX.Element | null {
  const told = blockedOrFailed(rows);
  if (told.length === 0) return null;
  return (
    <section aria-labelledby="worth-seeing" className="mt-6 space-y-3">
      <h2 id="worth-seeing" className="font-semibold">
        Blocked or failed
      </h2>
      <ul className="space-y-3">
        {told.map((transaction) => (
          <InboxRow key={transaction.requestHash} transaction={transaction} />
        ))}
      </ul>
    </section>
  );
}

function Groups({ rows, hasMore }: Omit<ListProps, "group">): JSX.Element {
  const of = (group: Group): readonly TransactionView[] => rows.filter((row) => groupOf(row) === group);
  return (
    <Tabs.Root defaultValue="needs-you">
      <Tabs.List
        aria-label="Transactions"
        className="mb-3 flex gap-1 overflow-x-auto border-b border-line px-1 pt-1"
      >
        {tabs.map(([group, name]) => (
          <Tabs.Trigger
            key={group}
            value={group}
            className="min-h-11 shrink-0 border-b-2 border-transparent px-3 text-sm font-semibold text-soft data-[state=active]:border-accent data-[state=active]:text-ink"
          >
            {name} <span className="ml-1 rounded-full bg-inset px-2 py-0.5 text-xs">{of(group).length}</span>
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      {tabs.map(([group]) => (
        <Tabs.Content key={group} value={group}>
          <List group={group} rows={of(group)} hasMore={hasMore} />
          {group === "needs-you" ? <BlockedOrFailed rows={rows} /> : null}
        </Tabs.Content>
      ))}
    </Tabs.Root>
  );
}

type InboxProps = {
  readonly pages: readonly TransactionPage[];
  readonly hasFailed: boolean;
  readonly hasMore: boolean;
};

function Inbox({ pages, hasFailed, hasMore }: InboxProps): JSX.Element {
  // The oldest page determines the age of the list.
  const asOf = new Date(Math.min(...pages.map((page) => page.asOf.getTime())));
  const freshness = useFreshness({ asOf, hasFailed, isLatest: pages.every(({ isLatest }) => isLatest) });
  const rows = pages.flatMap(({ value }) => value);
  return (
    <>
      <AsOf {...freshness} />
      {rows.length === 0 ? <FirstSteps /> : <Groups rows={rows} hasMore={hasMore} />}
    </>
  );
}

/** All proposals of the account, grouped by what the owner has to do. */
export function InboxPage(): JSX.Element {
  const account = useQuery(sessionQuery).data?.address ?? "";
  const { data, error, isError, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } =
    useInfiniteQuery({ ...inboxQuery(account), enabled: account !== "" });
  return (
    <Page title="Inbox">
      {data === undefined ? (
        isError ? (
          <ProblemNotice title="Couldn’t load your transactions" error={error} />
        ) : (
          <Loading what="your transactions" lines={6} />
        )
      ) : (
        <Inbox pages={data.pages} hasFailed={isError} hasMore={hasNextPage} />
      )}
      {hasNextPage ? (
        <div className="space-y-2">
          {isFetchNextPageError ? (
            <ProblemNotice title="Couldn’t load older transactions" error={error} />
          ) : null}
          <Button isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show more
          </Button>
        </div>
      ) : null}
    </Page>
  );
}
