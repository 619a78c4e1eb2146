// Composition of the export: an owner's own data as a file.
import type { Clock } from "@countersign/platform/clock";
import type { Route } from "@countersign/platform/http";
import type { Log } from "@countersign/platform/log";
import { makeAccountStore } from "../accounts/index.ts";
import type { Config } from "../config.ts";
import { makeOpenExport } from "../export/open-export.ts";
import { exportRoutes } from "../export/routes.ts";
import { makeExportStore } from "../export/store.ts";
import type { Db } from "../platform/db/connect.ts";
import { makeReadProposals } from "../transactions/read/read-proposals.ts";
import type { TransactionStore } from "../transactions/store/index.ts";
import { makeWriteWholeReceipt } from "./archive.ts";

type Parts = {
  readonly config: Config;
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly transactions: TransactionStore;
};

export function makeExport({ config, db, clock, log, transactions: store }: Parts): {
  readonly routes: readonly Route[];
} {
  const readProposals = makeReadProposals({
    ...{ store, accounts: makeAccountStore(db), writeReceipt: makeWriteWholeReceipt({ config, db, store }) },
  });
  const openExport = makeOpenExport({ store: makeExportStore(db), readProposals, clock, log });
  return { routes: exportRoutes({ openExport }) };
}
