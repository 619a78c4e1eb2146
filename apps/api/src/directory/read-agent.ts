import type { Clock } from "@countersign/platform/clock";
import type { Account, AccountStore } from "../accounts/index.ts";
import { directoryErrors } from "./errors.ts";
import { spanOfPeriod, type Period, type Span } from "./period.ts";
import type { AgentStore, CountName, Named, PublicTransaction } from "./store/agents.ts";

type Hex = `0x${string}`;
type Agent = { readonly account: Account; readonly createdAt: Date };

type Parts = {
  readonly accounts: Pick<AccountStore, "find">;
  readonly store: AgentStore;
  /** Whether the owner lets anyone read the account's results. */
  readonly isPublic: (account: Account) => Promise<boolean>;
  readonly clock: Clock;
};

type Stats = Readonly<Record<CountName, number>> & {
  /** Share of approved verdicts. Null if there are no verdicts. */
  readonly approvalRate: number | null;
  readonly medianVerdictMs: number | null;
};

type Bucket = { readonly start: Date } & Readonly<
  Record<"total" | "approved" | "rejected" | "undecided", number>
>;
type Metrics = Pick<Span, "from" | "to"> & {
  readonly buckets: readonly Bucket[];
  readonly topProtocols: readonly Named[];
  readonly topFailureNodes: readonly Named[];
};

type Page = { readonly found: readonly PublicTransaction[]; readonly next: string | undefined };

const namesShown = 10;

/**
 * A position in the list: the hash of the last transaction shown, which is public. Opaque to clients, so that
 * it can change.
 */
const writeCursor = ({ requestHash }: PublicTransaction): string =>
  Buffer.from(requestHash.slice(2), "hex").toString("base64url");
function readCursor(cursor: string): Hex {
  const bytes = Buffer.from(cursor, "base64url");
  if (bytes.length !== 32 || bytes.toString("base64url") !== cursor) throw directoryErrors.badCursor();
  return `0x${bytes.toString("hex")}`;
}

function statsOf(totals: ReadonlyMap<string, number>, medianVerdictMs: number | null): Stats {
  const count = (name: CountName): number => totals.get(name) ?? 0;
  const [approved, rejected, undecided] = [count("approved"), count("rejected"), count("undecided")];
  const verdicts = approved + rejected + undecided;
  return {
    total: count("total"),
    approved,
    rejected,
    undecided,
    executed: count("executed"),
    failed: count("failed"),
    approvalRate: verdicts === 0 ? null : approved / verdicts,
    medianVerdictMs,
  };
}

/** Includes empty buckets. */
function bucketsOf(
  { starts }: Span,
  counted: Awaited<ReturnType<AgentStore["readBuckets"]>>,
): readonly Bucket[] {
  const counts = new Map(
    counted.map(({ start, metric, count }) => [`${start.toISOString()} ${metric}`, count]),
  );
  return starts.map((start) => {
    const count = (metric: CountName): number => counts.get(`${start.toISOString()} ${metric}`) ?? 0;
    return {
      start,
      total: count("total"),
      approved: count("approved"),
      rejected: count("rejected"),
      undecided: count("undecided"),
    };
  });
}

async function readMetrics(store: AgentStore, account: Account, span: Span): Promise<Metrics> {
  const { from, to } = span;
  const top = { from, limit: namesShown };
  const [counted, topProtocols, topFailureNodes] = await Promise.all([
    store.readBuckets(account, span),
    store.readTop(account, "protocol", top),
    store.readTop(account, "failure", top),
  ]);
  return { from, to, buckets: bucketsOf(span, counted), topProtocols, topFailureNodes };
}

export type AgentReader = {
  readonly readProfile: (account: Account) => Promise<{ readonly since: Date; readonly stats: Stats }>;
  readonly list: (
    account: Account,
    page: { readonly limit: number; readonly cursor: string | undefined },
  ) => Promise<Page>;
  /** Rejects for another agent's transaction. */
  readonly readTransaction: (account: Account, requestHash: string) => Promise<PublicTransaction>;
  readonly readMetrics: (account: Account, period: Period) => Promise<Metrics>;
};

/** Reads the public view of an account's transactions. */
export function makeAgentReader({ accounts, store, isPublic, clock }: Parts): AgentReader {
  /** Rejects for a hidden account as for an unknown one, so that the answer does not reveal it. */
  const find = async (account: Account): Promise<Agent> => {
    const [agent, isShown] = await Promise.all([accounts.find(account), isPublic(account)]);
    if (agent === undefined || !isShown) throw directoryErrors.noSuchAgent();
    return agent;
  };
  return {
    readProfile: async (account) => {
      const { createdAt: since } = await find(account);
      const [totals, median] = await Promise.all([
        store.readTotals(account),
        store.readMedianVerdictMs(account),
      ]);
      return { since, stats: statsOf(totals, median) };
    },
    list: async (account, { limit, cursor }) => {
      const after = cursor === undefined ? undefined : readCursor(cursor);
      await find(account);
      if (after !== undefined && (await store.find(account, after)) === undefined)
        throw directoryErrors.badCursor();
      const found = await store.list(account, { limit: limit + 1, after });
      const page = found.slice(0, limit);
      const last = found.length > limit ? page.at(-1) : undefined;
      return { found: page, next: last === undefined ? undefined : writeCursor(last) };
    },
    readTransaction: async (account, requestHash) => {
      await find(account);
      const hash = requestHash.toLowerCase();
      const found = /^0x[0-9a-f]{64}$/.test(hash) ? await store.find(account, hash as Hex) : undefined;
      if (found === undefined) throw directoryErrors.noSuchTransaction();
      return found;
    },
    readMetrics: async (account, period) => {
      const { createdAt: since } = await find(account);
      return readMetrics(store, account, spanOfPeriod(period, since, clock.now()));
    },
  };
}
