// The life of a proposal: propose, wait, decide, and keep what proves it.
import { CountersignError } from "./errors.ts";
import type { Ask, Http } from "./http.ts";
import type { RequestOptions, SendOptions } from "./options.ts";
import { randomText } from "./pkce.ts";
import { pathOf } from "./transaction-path.ts";
import type {
  Approval,
  Hex,
  Proposal,
  Receipt,
  Status,
  Transaction,
  TransactionView,
  Verdict,
} from "./types.ts";
import { waitUntil, type WaitOptions } from "./wait.ts";

export type ListOptions = RequestOptions & {
  readonly address?: string;
  /** At most and by default 1,000. */
  readonly limit?: number;
  readonly cursor?: string;
};

export type Page = {
  readonly transactions: readonly TransactionView[];
  /** For the next page; undefined on the last. */
  readonly cursor: string | undefined;
};

export type Transactions = {
  /** When this returns, it is written down and will be carried through, whatever fails afterwards. */
  readonly propose: (proposal: Proposal, options?: SendOptions) => Promise<Transaction>;
  readonly transaction: (requestHash: string, options?: RequestOptions) => Promise<TransactionView>;
  readonly transactions: (options?: ListOptions) => Promise<Page>;
  /** What the arbiter says, whatever it is: a rejection is an answer, not an error. */
  readonly waitForVerdict: (requestHash: string, options?: WaitOptions) => Promise<Verdict>;
  /** Until it has one of these, or one that it never leaves. */
  readonly waitForStatus: (
    requestHash: string,
    statuses: readonly Status[],
    options?: WaitOptions,
  ) => Promise<TransactionView>;
  /** As the owner with a session; with a key it is noted, and moves nothing. */
  readonly approve: (requestHash: string, options?: SendOptions) => Promise<Approval>;
  /** As the owner or with a key: it is over. */
  readonly reject: (requestHash: string, options?: SendOptions) => Promise<Approval>;
  readonly withdraw: (requestHash: string, options?: RequestOptions) => Promise<TransactionView>;
  /** All that is needed to check a verdict offline: see `verifyReceipt`. */
  readonly receipt: (requestHash: string, options?: RequestOptions) => Promise<Receipt>;
};

/** What a transaction never leaves. */
const ends: readonly Status[] = ["REJECTED", "EXECUTED", "FAILED"];
/** LAPSED: the approval expired, and the service cannot say whether it was executed. The status stays APPROVED. */
const isOver = ({ status, phase }: TransactionView): boolean => ends.includes(status) || phase === "LAPSED";

export function makeTransactions(
  http: Http,
  address: (options?: RequestOptions) => Promise<Hex>,
): Transactions {
  const read = async <Body>(path: string, ask: Ask): Promise<Body> => (await http<Body>(path, ask)).body;
  const decide =
    (decision: Approval["decision"]): Transactions["approve"] =>
    (requestHash, send = {}) =>
      read(pathOf(requestHash, "/approvals"), { ...keyed(send), method: "POST", body: { decision } });
  return {
    ...makeWaits(http),
    propose: async (proposal, send = {}) =>
      read<Transaction>("/transactions", {
        ...keyed(send),
        method: "POST",
        body: bodyOf(proposal, proposal.escrowAddress ?? (await address(send))),
      }),
    transaction: (requestHash, asked = {}) => read<TransactionView>(pathOf(requestHash), asked),
    transactions: async ({ address: of, limit, cursor, ...asked } = {}) => {
      const path = `/transactions/users/${encodeURIComponent(of ?? (await address(asked)))}`;
      const { headers, body } = await http<TransactionView[]>(path, { ...asked, query: { limit, cursor } });
      return { transactions: body, cursor: nextOf(headers.get("link")) };
    },
    approve: decide("APPROVED"),
    reject: decide("REJECTED"),
    withdraw: (requestHash, asked = {}) =>
      read<TransactionView>(pathOf(requestHash, "/withdraw"), { ...asked, method: "POST" }),
    receipt: (requestHash, asked = {}) => read<Receipt>(pathOf(requestHash, "/receipt"), asked),
  };
}

const makeWaits = (http: Http): Pick<Transactions, "waitForVerdict" | "waitForStatus"> => ({
  waitForVerdict: async (requestHash, wait = {}) => {
    const judged = await waitUntil(http, requestHash, isJudged, wait);
    const [verdict] = judged.approvals.orion;
    if (verdict !== undefined) return verdict;
    const why = judged.reason === null ? "" : ` (${judged.reason})`;
    throw new CountersignError(`${requestHash} is ${judged.status}${why}, and nobody judged it`);
  },
  waitForStatus: (requestHash, statuses, wait = {}) =>
    waitUntil(http, requestHash, (view) => statuses.includes(view.status) || isOver(view), wait),
});

const keyed = ({ signal, idempotencyKey }: SendOptions): Ask => ({
  signal,
  idempotencyKey: idempotencyKey ?? randomText(),
});

const bodyOf = ({ tx, deadline, ...rest }: Proposal, escrowAddress: string): object => ({
  ...rest,
  escrowAddress,
  tx: { to: tx.to, value: (tx.value ?? 0n).toString(), data: tx.data ?? "0x" },
  ...(deadline === undefined ? {} : { deadline: Math.floor(deadline.getTime() / 1000) }),
});

const isJudged = ({ approvals, status }: TransactionView): boolean =>
  approvals.orion.length > 0 || ends.includes(status);

/** The cursor in `<…?cursor=…>; rel="next"`. */
function nextOf(link: string | null): string | undefined {
  const [, address] = /<([^>]*)>; *rel="?next"?/.exec(link ?? "") ?? [];
  if (address === undefined || !URL.canParse(address, "http://localhost")) return undefined;
  return new URL(address, "http://localhost").searchParams.get("cursor") ?? undefined;
}
