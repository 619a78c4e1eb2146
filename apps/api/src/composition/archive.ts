// Composition of the command `archive`.
import type { ArchiveParts } from "../admin/archive.ts";
import { watchedChainsOf, type Config } from "../config.ts";
import { makeServiceStore } from "../directory/index.ts";
import type { Db } from "../platform/db/connect.ts";
import { makeOwnTransactionStore } from "../platform/own-wallet/index.ts";
import { makeRetentionStore } from "../retention/index.ts";
import { makeWriteReceipt, withBundle } from "../transactions/attest/receipt.ts";
import { makeFindRegistration } from "../transactions/attest/find-registration.ts";
import { makeRegistrationStore, makeTransactionStore } from "../transactions/store/index.ts";
import { domainOf } from "./transactions.ts";

export function makeArchive(config: Config, db: Db): Pick<ArchiveParts, "store" | "readReceipt"> {
  const store = makeTransactionStore({
    ...{ db, watchedChains: watchedChainsOf(config) },
    approvedSeconds: config.APPROVED_SECONDS,
    compactStorage: config.COMPACT_STORAGE,
  });
  const findRegistration = makeFindRegistration({
    registrations: makeRegistrationStore(db),
    ownTransactions: makeOwnTransactionStore(db),
  });
  const writeReceipt = makeWriteReceipt({
    ...{ store, findService: makeServiceStore(db).findService, domain: domainOf(config) },
    findRegistration,
  });
  return {
    store: makeRetentionStore(db),
    readReceipt: async (requestHash) => {
      const found = await store.findDecided(requestHash);
      if (found === undefined) throw new Error(`${requestHash} was listed and is missing`);
      return withBundle(await writeReceipt(found), await store.readBundle(found.transaction.id));
    },
  };
}
