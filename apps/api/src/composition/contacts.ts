// Composition of contacts: the owner's address book, and what the account knows about recipients.
import type { Route } from "@countersign/platform/http";
import { makeAccountStore } from "../accounts/index.ts";
import { makeReadRecipients } from "../contacts/read-recipients.ts";
import { contactRoutes } from "../contacts/routes.ts";
import { makeContactStore } from "../contacts/store/contacts.ts";
import { makeRecipientStore } from "../contacts/store/recipients.ts";
import type { Db } from "../platform/db/connect.ts";
import { makeReadTransaction } from "../transactions/record/read-transactions.ts";
import type { TransactionStore } from "../transactions/store/index.ts";

type Parts = {
  readonly db: Db;
  readonly transactions: Pick<TransactionStore, "findDecided" | "readParties">;
};

export const makeContacts = ({ db, transactions }: Parts): { readonly routes: readonly Route[] } => ({
  routes: contactRoutes({
    store: makeContactStore(db),
    readRecipients: makeReadRecipients({
      readTransaction: makeReadTransaction({ store: transactions, accounts: makeAccountStore(db) }),
      readParties: (transaction) => transactions.readParties(transaction),
      store: makeRecipientStore(db),
    }),
  }),
});
