// Composition of policies: rules as code that narrow what agents do without their owner.
import type { Clock } from "@countersign/platform/clock";
import type { Route } from "@countersign/platform/http";
import type { Log } from "@countersign/platform/log";
import type { LimitedWallets } from "../adapters/wallets/index.ts";
import type { Config } from "../config.ts";
import type { Db } from "../platform/db/connect.ts";
import { loadCedar } from "../policies/cedar.ts";
import { makeSearcher } from "../policies/counterexamples/searcher.ts";
import { makePreviewPolicy } from "../policies/preview.ts";
import { policyRoutes } from "../policies/routes.ts";
import { makeDraftPolicy, makeSetPolicy } from "../policies/sign.ts";
import { makePolicyStore } from "../policies/store/policies.ts";
import { domainOf } from "./transactions.ts";

type Parts = {
  readonly config: Config;
  readonly db: Db;
  readonly clock: Clock;
  readonly wallets: LimitedWallets;
  readonly log: Log;
};

type Policies = {
  readonly routes: readonly Route[];
  /** Loads Cedar, so that the first decision does not load it while the account's ledger is locked. */
  readonly prepare: () => Promise<void>;
  readonly close: () => Promise<void>;
};

export function makePolicies({ config, db, clock, wallets, log }: Parts): Policies {
  const searcher = makeSearcher({ log });
  const store = makePolicyStore(db);
  const domain = domainOf(config);
  return {
    routes: policyRoutes({
      store,
      draftPolicy: makeDraftPolicy({ store, domain }),
      setPolicy: makeSetPolicy({ store, wallets, domain }),
      previewPolicy: makePreviewPolicy({ store, clock }),
      searcher,
    }),
    prepare: async () => {
      if (await store.isUsed()) await loadCedar();
    },
    close: searcher.close,
  };
}
