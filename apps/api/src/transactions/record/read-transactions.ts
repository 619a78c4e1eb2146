import { isId } from "@countersign/platform/ids";
import type { Account, AccountStore } from "../../accounts/index.ts";
import { mayRead, type Caller } from "../caller.ts";
import { transactionErrors } from "../errors.ts";
import type { Decided, TransactionStore } from "../store/index.ts";
import type { Hex } from "../transaction.ts";

type Owner = { readonly id: string; readonly account: Account };
type Accounts = { readonly accounts: Pick<AccountStore, "find"> };

/** A position in the list. Opaque to clients, so that it can change. */
const writeCursor = (id: string): string => Buffer.from(id).toString("base64url");
function readCursor(cursor: string): string {
  const id = Buffer.from(cursor, "base64url").toString();
  if (!isId(id)) throw transactionErrors.badCursor();
  return id;
}

type Page = {
  readonly owner: Owner;
  readonly found: readonly Decided[];
  /** The cursor of the next page, if there are more. */
  readonly next: string | undefined;
};

type Asked = {
  readonly account: Account;
  readonly caller: Caller;
  readonly limit: number;
  readonly cursor: string | undefined;
};

/** Lists an account's transactions, newest first. */
export const makeListTransactions = ({
  store,
  accounts,
}: Accounts & { readonly store: Pick<TransactionStore, "list"> }) =>
  async function listTransactions({ account, caller, limit, cursor }: Asked): Promise<Page> {
    if (!mayRead(caller, account)) throw transactionErrors.onlyOwn();
    const beforeId = cursor === undefined ? undefined : readCursor(cursor);
    const owner = await accounts.find(account);
    if (owner === undefined) throw transactionErrors.noSuchUser();
    const found = await store.list(account, { limit: limit + 1, beforeId });
    const page = found.slice(0, limit);
    const last = found.length > limit ? page.at(-1) : undefined;
    return { owner, found: page, next: last === undefined ? undefined : writeCursor(last.transaction.id) };
  };

export type ListTransactions = ReturnType<typeof makeListTransactions>;

/** Returns one transaction. Another account's is reported as not found. */
export const makeReadTransaction = ({
  store,
  accounts,
}: Accounts & { readonly store: Pick<TransactionStore, "findDecided"> }) =>
  async function readTransaction(
    requestHash: Hex,
    caller: Caller,
  ): Promise<Decided & { readonly owner: Owner }> {
    const found = await store.findDecided(requestHash);
    if (found === undefined || !mayRead(caller, found.transaction.account))
      throw transactionErrors.notFound();
    const owner = await accounts.find(found.transaction.account);
    if (owner === undefined) throw new Error("a transaction without a user");
    return { ...found, owner };
  };

export type ReadTransaction = ReturnType<typeof makeReadTransaction>;
