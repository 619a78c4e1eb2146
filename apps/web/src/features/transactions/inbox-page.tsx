import type { TransactionView } from "@countersign/sdk";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { Tabs } from "radix-ui";
import { useCallback, useEffect, useMemo, useRef, useState, type JSX } from "react";
import { Button, buttonClass } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { Loading } from "../../components/loading.tsx";
import { ProblemNotice } from "../../components/notice.tsx";
import { Page } from "../../components/page.tsx";
import { useAgentNames } from "../../lib/agents.ts";
import type { TransactionPage } from "../../lib/known.ts";
import { setPendingCount } from "../../lib/pending-count.ts";
import { sessionQuery } from "../../lib/session.ts";
import { timeNow } from "../../lib/time.ts";
import { inboxQuery, useFreshness } from "../../lib/transactions.ts";
import { AsOf } from "./as-of.tsx";
import { BulkReject } from "./bulk-reject.tsx";
import { ExportButtons } from "./export-button.tsx";
import { InboxFilters } from "./inbox-filters.tsx";
import { InboxHelp } from "./inbox-help.tsx";
import { isWanted, itemOf, sectionsOf, type InboxItem, type Section } from "./inbox-items.ts";
import { useInboxKeys, useReturn } from "./inbox-keys.ts";
import { InboxList } from "./inbox-list.tsx";
import { groupOf, mayApprove, mayReject, type Group } from "./status.ts";

const tabs: readonly (readonly [Group, string])[] = [
  ["needs-you", "Needs you"],
  ["in-progress", "In progress"],
  ["blocked", "Blocked"],
  ["decided", "Done"],
];

const nothing: Readonly<Record<Group, string>> = {
  "needs-you": "You’re all caught up. New proposals appear here after they’ve been checked.",
  "in-progress": "Nothing is being checked or sent right now.",
  blocked: "Nothing was blocked.",
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

type View = {
  readonly group: Group;
  readonly filter: { readonly q: string; readonly outcome: string; readonly agent: string };
  readonly change: (next: {
    readonly tab?: string;
    readonly q?: string;
    readonly outcome?: string;
    readonly agent?: string;
  }) => void;
};

/** The tab and the filters, which are in the URL. Changes replace the entry, so that Back leaves the inbox. */
function useView(): View {
  const { tab, q = "", outcome = "", agent = "" } = useSearch({ from: "/transactions" });
  const navigate = useNavigate({ from: "/transactions" });
  const group = tabs.find(([known]) => known === tab)?.[0] ?? "needs-you";
  return {
    group,
    filter: { q, outcome, agent },
    change: (next) =>
      void navigate({ search: (now) => ({ ...now, ...next }), replace: true, resetScroll: false }),
  };
}

function useSelection(items: readonly InboxItem[]) {
  const [hashes, setHashes] = useState<ReadonlySet<string>>(new Set());
  const toggle = useCallback((requestHash: string): void => {
    setHashes((before) => {
      const next = new Set(before);
      if (!next.delete(requestHash)) next.add(requestHash);
      return next;
    });
  }, []);
  const clear = (): void => {
    setHashes(new Set());
  };
  // Only what is in view and can still be rejected.
  const selected = items.filter(
    ({ transaction }) => hashes.has(transaction.requestHash) && mayReject(transaction),
  );
  return { hashes, selected, toggle, clear };
}

const orderOf = (sections: readonly Section[]): readonly InboxItem[] =>
  sections.flatMap(({ items }) => items);

type GroupsProps = { readonly rows: readonly TransactionView[]; readonly hasMore: boolean };

function Groups({ rows, hasMore }: GroupsProps): JSX.Element {
  const { group, filter, change } = useView();
  const nameOf = useAgentNames();
  const items = useMemo(() => rows.map((row) => itemOf(row, nameOf)), [rows, nameOf]);
  const sections = useMemo(
    () =>
      sectionsOf(
        group,
        items.filter((item) => isWanted(item, filter)),
        timeNow().getTime(),
      ),
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the filter is a new object on each render
    [group, items, filter.q, filter.outcome, filter.agent],
  );
  const agents = useMemo(() => [...new Set(items.map(({ agent }) => agent))].sort(), [items]);
  const search = useRef<HTMLInputElement>(null);
  return (
    <Tabs.Root
      value={group}
      onValueChange={(tab) => {
        change({ tab: tab === "needs-you" ? "" : tab });
      }}
    >
      <TabList rows={rows} />
      <Tabs.Content value={group}>
        <InboxFilters filter={filter} agents={agents} search={search} onChange={change} />
        {group === "decided" ? (
          <div className="mb-3">
            <ExportButtons />
          </div>
        ) : null}
        <Listed sections={sections} group={group} hasMore={hasMore} search={search} />
      </Tabs.Content>
    </Tabs.Root>
  );
}

function TabList({ rows }: { readonly rows: readonly TransactionView[] }): JSX.Element {
  const counts = Map.groupBy(rows, groupOf);
  return (
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
          {name}{" "}
          <span className="ml-1 rounded-full bg-inset px-2 py-0.5 text-xs">
            {counts.get(group)?.length ?? 0}
          </span>
        </Tabs.Trigger>
      ))}
    </Tabs.List>
  );
}

type ListedProps = {
  readonly sections: readonly Section[];
  readonly group: Group;
  readonly hasMore: boolean;
  readonly search: React.RefObject<HTMLInputElement | null>;
};

function Listed({ sections, group, hasMore, search }: ListedProps): JSX.Element {
  const items = useMemo(() => orderOf(sections), [sections]);
  const { hashes, selected, toggle, clear } = useSelection(items);
  const [rejecting, setRejecting] = useState<readonly InboxItem[]>();
  const [isHelp, setHelp] = useState(false);
  const navigate = useNavigate();
  const order = useMemo(() => items.map(({ transaction }) => transaction.requestHash), [items]);
  useReturn(order);
  const find = (requestHash: string): InboxItem | undefined =>
    items.find(({ transaction }) => transaction.requestHash === requestHash);
  useInboxKeys({
    order,
    onSelect: toggle,
    onClear: clear,
    onSearch: () => search.current?.focus(),
    onHelp: () => {
      setHelp(true);
    },
    onApprove: (requestHash) => {
      const item = find(requestHash);
      if (item !== undefined && mayApprove(item.transaction))
        void navigate({
          to: "/transactions/$requestHash",
          params: { requestHash },
          search: { do: "approve" },
        });
    },
    onReject: (requestHash) => {
      const item = find(requestHash);
      if (selected.length > 0) setRejecting(selected);
      else if (item !== undefined && mayReject(item.transaction)) setRejecting([item]);
    },
  });
  return (
    <>
      {items.length === 0 ? (
        <p className="rounded-2xl border border-dashed border-line p-6 text-sm text-soft">
          {nothing[group]}
          {hasMore ? " Older ones aren’t loaded yet." : ""}
        </p>
      ) : (
        <InboxList sections={sections} selected={hashes} onSelect={toggle} />
      )}
      {selected.length === 0 ? null : (
        <SelectionBar
          count={selected.length}
          onClear={clear}
          onReject={() => {
            setRejecting(selected);
          }}
        />
      )}
      {rejecting === undefined ? null : (
        <BulkReject
          items={rejecting}
          onClose={() => {
            setRejecting(undefined);
            clear();
          }}
        />
      )}
      <InboxHelp
        isOpen={isHelp}
        onClose={() => {
          setHelp(false);
        }}
      />
    </>
  );
}

type BarProps = {
  readonly count: number;
  readonly onClear: () => void;
  readonly onReject: () => void;
};

function SelectionBar({ count, onClear, onReject }: BarProps): JSX.Element {
  return (
    <div
      role="group"
      aria-label="Selection"
      className="sticky bottom-3 z-10 mx-auto mt-3 flex w-fit flex-wrap items-center gap-3 rounded-2xl border border-line bg-card p-2 pl-4 shadow-lg"
    >
      <p role="status" className="text-sm font-semibold">
        {count} selected
      </p>
      <Button look="quiet" onClick={onClear}>
        Clear
      </Button>
      <Button look="danger" onClick={onReject}>
        Reject {count}
      </Button>
    </div>
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
  const rows = useMemo(() => pages.flatMap(({ value }) => value), [pages]);
  const pending = useMemo(() => rows.filter((row) => groupOf(row) === "needs-you").length, [rows]);
  useEffect(() => {
    setPendingCount(pending);
  }, [pending]);
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
