import type { Account, AccountStore } from "../../accounts/index.ts";
import { transactionView } from "../record/views.ts";
import type { Decided, TransactionStore } from "../store/index.ts";

type Parts = {
  readonly store: Pick<TransactionStore, "list">;
  readonly accounts: Pick<AccountStore, "find">;
  /** Returns the receipt of a verdict, with its inputs if they are stored. */
  readonly writeReceipt: (decided: Decided) => Promise<object>;
};

type Read = { readonly proposal: object; readonly receipt: object | undefined };

const pageSize = 20;

const hasVerdict = ({ approvals }: Decided): boolean => approvals.some(({ kind }) => kind === "orion");

/** Yields all proposals of an account, newest first, each with its receipt if it has one. Reads a page at a time. */
export const makeReadProposals = ({ store, accounts, writeReceipt }: Parts) =>
  async function* readProposals(account: Account): AsyncGenerator<Read> {
    const owner = await accounts.find(account);
    if (owner === undefined) return;
    let beforeId: string | undefined;
    do {
      const page = await store.list(account, { limit: pageSize, beforeId });
      for (const decided of page) {
        const receipt = hasVerdict(decided) ? await writeReceipt(decided) : undefined;
        yield { proposal: transactionView(decided, owner), receipt };
      }
      beforeId = page.length < pageSize ? undefined : page.at(-1)?.transaction.id;
    } while (beforeId !== undefined);
  };
