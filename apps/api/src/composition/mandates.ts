// Composition of mandates: what owners allow their agents to do without them.
import type { Clock } from "@countersign/platform/clock";
import type { Route } from "@countersign/platform/http";
import type { Account } from "../accounts/index.ts";
import type { LimitedWallets } from "../adapters/wallets/index.ts";
import { makeApiKeyStore } from "../api-keys/index.ts";
import type { Config } from "../config.ts";
import { makeAskForMandate } from "../mandates/ask.ts";
import { makeCreateMandate } from "../mandates/create.ts";
import { makeDraftMandate } from "../mandates/draft.ts";
import { makeEndMandate, type ApprovedUnder } from "../mandates/end.ts";
import { makeMandateRequestStore } from "../mandates/store/requests.ts";
import { makePreviewMandate } from "../mandates/preview.ts";
import { mandateRoutes } from "../mandates/routes.ts";
import { makeMandateStore } from "../mandates/store/mandates.ts";
import { makeGrantStore } from "../oauth/store/grants.ts";
import type { Db } from "../platform/db/connect.ts";
import { domainOf } from "./transactions.ts";

type Parts = {
  readonly config: Config;
  readonly db: Db;
  readonly clock: Clock;
  readonly wallets: LimitedWallets;
  readonly approvedUnder: ApprovedUnder;
};

/** Whether the agent can propose for the account now. */
const makeHasAgent =
  (db: Db, clock: Clock) =>
  async (account: Account, agent: string): Promise<boolean> => {
    const [kind, id] = agent.split(":");
    if (kind === "oauth") return (await makeGrantStore(db).listOf(account)).some((grant) => grant.id === id);
    const keys = await makeApiKeyStore(db).list(account);
    return keys.some(
      (key) => key.id === id && key.active && (key.expiresAt === null || key.expiresAt > clock.now()),
    );
  };

export function makeMandates(parts: Parts): { readonly routes: readonly Route[] } {
  const { config, db, clock, wallets, approvedUnder } = parts;
  const [store, requests] = [makeMandateStore(db), makeMandateRequestStore(db)];
  const common = { domain: domainOf(config), clock, hasAgent: makeHasAgent(db, clock) };
  const endMandate = makeEndMandate({ store, approvedUnder });
  const draftMandate = makeDraftMandate(common);
  return {
    routes: mandateRoutes({
      ...{ store, requests, endMandate, askForMandate: makeAskForMandate({ requests }) },
      draftMandate,
      previewMandate: makePreviewMandate({ store, draftMandate, clock }),
      createMandate: makeCreateMandate({ ...common, store, requests, wallets, endMandate }),
    }),
  };
}
