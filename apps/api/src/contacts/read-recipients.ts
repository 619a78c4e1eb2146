import type { Account } from "../accounts/index.ts";
import type { Parties, ReadTransaction, Transaction } from "../transactions/index.ts";
import { looksLike } from "./look-alike.ts";
import type { LookAlike, Party, PartyHistory } from "./recipient.ts";
import type { RecipientStore } from "./store/recipients.ts";

type Parts = {
  readonly readTransaction: ReadTransaction;
  readonly readParties: (transaction: Transaction) => Promise<Parties>;
  readonly store: RecipientStore;
};

export type Recipient = PartyHistory &
  Pick<Party, "role"> & {
    /** Whether it is the account's own address. */
    readonly isOwn: boolean;
    readonly lookAlikes: readonly (LookAlike & { readonly isOwn: boolean })[];
  };

export type Recipients = {
  readonly isComplete: boolean;
  /** Earlier transactions that may have paid anyone. */
  readonly uncounted: number;
  readonly recipients: readonly Recipient[];
};

/** A page with more would not be read, and each costs a lookup. */
const recipientsAtMost = 200;

type Ask = Parameters<ReadTransaction>;

/** Returns what the account knows about those whom a transaction pays. Another account's is reported as not found. */
export const makeReadRecipients = ({ readTransaction, readParties, store }: Parts) =>
  async function readRecipients(...ask: Ask): Promise<Recipients> {
    const { transaction } = await readTransaction(...ask);
    const { parties: all, isComplete } = await readParties(transaction);
    const parties = all.slice(0, recipientsAtMost);
    const { account, escrow, id: transactionId } = transaction;
    const of = { account, transactionId, parties };
    const [histories, alike, uncounted] = await Promise.all([
      store.readHistory(of),
      store.findLookAlikes(of),
      store.countUnknown(of),
    ]);
    const own = new Set<Account>([account, escrow]);
    const lookAlikesOf = (address: Account): Recipient["lookAlikes"] => [
      ...[...own].filter((one) => looksLike(one, address)).map(ownLookAlike),
      ...(alike.get(address) ?? [])
        .filter((one) => !own.has(one.address))
        .map((one) => ({ ...one, isOwn: false })),
    ];
    return {
      isComplete: isComplete && parties.length === all.length,
      uncounted,
      recipients: parties.flatMap(({ role, address }, index) => {
        const history = histories[index];
        if (history === undefined) return [];
        return [{ ...history, role, isOwn: own.has(address), lookAlikes: lookAlikesOf(address) }];
      }),
    };
  };

const ownLookAlike = (address: Account) => ({ address, name: null, executed: 0, isOwn: true });
