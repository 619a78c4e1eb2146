// The lifecycle of a proposal: propose, wait, decide, and fetch the receipt.
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
  Recipients,
  Status,
  Transaction,
  TransactionView,
  Verdict,
} from "./types.ts";
import { waitUntil, type WaitOptions } from "./wait.ts";

/** Options of `transactions`. */
export type ListOptions = RequestOptions & {
  readonly address?: string;
  /** The page size. Default and maximum: 1,000. */
  readonly limit?: number;
  readonly cursor?: string;
};

/** Options of `receipt`. */
export type ReceiptOptions = RequestOptions & {
  /** Whether to add the inputs of the verdict. Default: false. */
  readonly bundle?: boolean;
};

/** A page of transactions, newest first. */
export type Page = {
  readonly transactions: readonly TransactionView[];
  /** Pass it to get the next page. Undefined on the last page. */
  readonly cursor: string | undefined;
};

/** Calls about transactions. */
export type Transactions = {
  /**
   * Proposes a transaction. Once it returns, the proposal is stored durably and will be processed. Amounts are in wei.
   * Rejects with an InvalidRequestError for invalid input and a PermissionError if the escrow belongs to another account.
   */
  readonly propose: (proposal: Proposal, options?: SendOptions) => Promise<Transaction>;
  /** Returns one transaction. Rejects with a NotFoundError if it is unknown to this account. */
  readonly transaction: (requestHash: string, options?: RequestOptions) => Promise<TransactionView>;
  /** Lists the transactions of an account. */
  readonly transactions: (options?: ListOptions) => Promise<Page>;
  /**
   * Waits for the verdict of the verification service and returns it, whatever the decision: a rejection is not an error.
   * Rejects with a WaitTimeoutError after `timeoutMs`, or a CountersignError if the proposal ended without a verdict.
   */
  readonly waitForVerdict: (requestHash: string, options?: WaitOptions) => Promise<Verdict>;
  /** Waits until the transaction has one of these statuses or a final one. Rejects with a WaitTimeoutError after `timeoutMs`. */
  readonly waitForStatus: (
    requestHash: string,
    statuses: readonly Status[],
    options?: WaitOptions,
  ) => Promise<TransactionView>;
  /** Approves as the owner, with a session. With a key the decision is recorded but has no effect. */
  readonly approve: (requestHash: string, options?: SendOptions) => Promise<Approval>;
  /** Rejects as the owner or with a key. A rejection is final. The agent reads the owner's `reason` in `approvals.user`. */
  readonly reject: (requestHash: string, options?: RejectOptions) => Promise<Approval>;
  /** Withdraws a pending proposal. */
  readonly withdraw: (requestHash: string, options?: RequestOptions) => Promise<TransactionView>;
  /**
   * Records that an approved signature or batch is handed over, which happens once. Let it out only if this resolves.
   * `signingHash` is the hash that was signed. Rejects with a ConflictError if it is not approved or was released before.
   */
  readonly release: (
    requestHash: string,
    signingHash: string,
    options?: RequestOptions,
  ) => Promise<TransactionView>;
  /**
   * Returns everything needed to verify the verdict offline: see `verifyReceipt`. With `bundle` also its inputs, from which
   * `countersign replay` repeats it; they are for the owner of the account. Rejects with a NotFoundError before the verdict.
   */
  readonly receipt: (requestHash: string, options?: ReceiptOptions) => Promise<Receipt>;
  /**
   * Returns who the transaction pays or gives access to, with their names in the owner's address book, how often they were
   * paid before, and known addresses that look alike. Needs a session. Rejects with a NotFoundError if it is unknown.
   */
  readonly recipients: (requestHash: string, options?: RequestOptions) => Promise<Recipients>;
};

/** Options of `reject`. */
export type RejectOptions = SendOptions & {
  /** Why, for the agent. At most 500 characters. Only the owner's counts. */
  readonly reason?: string;
};

/** Final statuses. */
const ends: readonly Status[] = ["REJECTED", "EXECUTED", "FAILED"];
/** LAPSED: the approval expired, and the service does not know whether it was executed. The status stays APPROVED. */
const isOver = ({ status, phase }: TransactionView): boolean => ends.includes(status) || phase === "LAPSED";

export function makeTransactions(
  http: Http,
  address: (options?: RequestOptions) => Promise<Hex>,
): Transactions {
  const read = async <Body>(path: string, ask: Ask): Promise<Body> => (await http<Body>(path, ask)).body;
  const decide =
    (decision: Approval["decision"]): Transactions["reject"] =>
    (requestHash, { reason, ...send } = {}) =>
      read(pathOf(requestHash, "/approvals"), {
        ...keyed(send),
        method: "POST",
        body: { decision, ...(reason === undefined ? {} : { reason }) },
      });
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
    approve: (requestHash, send) => decide("APPROVED")(requestHash, send),
    reject: decide("REJECTED"),
    withdraw: (requestHash, asked = {}) =>
      read<TransactionView>(pathOf(requestHash, "/withdraw"), { ...asked, method: "POST" }),
    release: (requestHash, signingHash, asked = {}) =>
      read<TransactionView>(pathOf(requestHash, "/release"), {
        ...asked,
        ...{ method: "POST", body: { signingHash } },
      }),
    recipients: (requestHash, asked = {}) => read<Recipients>(pathOf(requestHash, "/recipients"), asked),
    receipt: (requestHash, { bundle = false, ...asked } = {}) =>
      read<Receipt>(pathOf(requestHash, "/receipt"), {
        ...asked,
        ...(bundle ? { query: { bundle: "1" } } : {}),
      }),
  };
}

const makeWaits = (http: Http): Pick<Transactions, "waitForVerdict" | "waitForStatus"> => ({
  waitForVerdict: async (requestHash, wait = {}) => {
    const judged = await waitUntil(http, requestHash, isJudged, wait);
    const [verdict] = judged.approvals.orion;
    if (verdict !== undefined) return verdict;
    const why = judged.reason === null ? "" : ` (${judged.reason})`;
    throw new CountersignError(`${requestHash} is ${judged.status}${why}, without a verdict`);
  },
  waitForStatus: (requestHash, statuses, wait = {}) =>
    waitUntil(http, requestHash, (view) => statuses.includes(view.status) || isOver(view), wait),
});

const keyed = ({ signal, idempotencyKey }: SendOptions): Ask => ({
  signal,
  idempotencyKey: idempotencyKey ?? randomText(),
});

const bodyOf = ({ tx, deadline, ...rest }: Proposal, escrowAddress: string): object => ({
  ...writtenOut(rest),
  escrowAddress,
  ...(tx === undefined
    ? {}
    : { tx: { to: tx.to, value: (tx.value ?? 0n).toString(), data: tx.data ?? "0x" } }),
  ...(deadline === undefined ? {} : { deadline: Math.floor(deadline.getTime() / 1000) }),
});

/** JSON has no bigint, and viem's messages have. Leaves out what is not set. */
const writtenOut = (members: object): object =>
  JSON.parse(
    JSON.stringify(members, (_, value: unknown) => (typeof value === "bigint" ? value.toString() : value)),
  ) as object;

const isJudged = ({ approvals, status }: TransactionView): boolean =>
  approvals.orion.length > 0 || ends.includes(status);

/** The cursor in `<…?cursor=…>; rel="next"`. */
function nextOf(link: string | null): string | undefined {
  const [, address] = /<([^>]*)>; *rel="?next"?/.exec(link ?? "") ?? [];
  if (address === undefined || !URL.canParse(address, "http://localhost")) return undefined;
  return new URL(address, "http://localhost").searchParams.get("cursor") ?? undefined;
}
