// Composition of the command `archive`, and of receipts outside a request.
import type { ArchiveParts } from "../admin/archive.ts";
import { watchedChainsOf, type Config } from "../config.ts";
import { makeServiceStore } from "../directory/index.ts";
import type { Db } from "../platform/db/connect.ts";
import { makeOwnTransactionStore } from "../platform/own-wallet/index.ts";
import { makeRetentionStore } from "../retention/index.ts";
import { makeWriteReceipt, withBundle } from "../transactions/attest/receipt.ts";
import { makeFindRegistration } from "../transactions/attest/find-registration.ts";
import {
  makeRegistrationStore,
  makeTransactionStore,
  type Decided,
  type TransactionStore,
} from "../transactions/store/index.ts";
import { domainOf } from "./transactions.ts";

type Parts = { readonly config: Config; readonly db: Db; readonly store: TransactionStore };

/** Returns a function that writes the receipt of a verdict with its inputs, without asking who may read it. */
export function makeWriteWholeReceipt({ config, db, store }: Parts): ReturnType<typeof makeWriteReceipt> {
  const findRegistration = makeFindRegistration({
    registrations: makeRegistrationStore(db),
    ownTransactions: makeOwnTransactionStore(db),
  });
  const writeReceipt = makeWriteReceipt({
    ...{ store, findService: makeServiceStore(db).findService, domain: domainOf(config) },
    findRegistration,
  });
  return async (decided: Decided) =>
    withBundle(await writeReceipt(decided), await store.readBundle(decided.transaction.id));
}

export function makeArchive(config: Config, db: Db): Pick<ArchiveParts, "store" | "readReceipt"> {
  const store = makeTransactionStore({
    ...{ db, watchedChains: watchedChainsOf(config) },
    approvedSeconds: config.APPROVED_SECONDS,
    compactStorage: config.COMPACT_STORAGE,
  });
  const writeReceipt = makeWriteWholeReceipt({ config, db, store });
  return {
    store: makeRetentionStore(db),
    readReceipt: async (requestHash) => {
      const found = await store.findDecided(requestHash);
      if (found === undefined) throw new Error(`${requestHash} was listed and is missing`);
      return writeReceipt(found);
    },
  };
}
