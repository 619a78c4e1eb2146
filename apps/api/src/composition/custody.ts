// Composition of custody, where a custodian sends.
import type { Clock } from "@countersign/platform/clock";
import type { Route } from "@countersign/platform/http";
import type { Log } from "@countersign/platform/log";
import { makeAccountStore, makeWalletStore } from "../accounts/index.ts";
import { makeCustodian } from "../adapters/custodian/index.ts";
import type { Config } from "../config.ts";
import { makeComplete } from "../custody/complete.ts";
import type { CustodySenders } from "../custody/index.ts";
import { makeLearnWallet } from "../custody/learn-wallet.ts";
import type { KeyPair } from "../custody/make-csr.ts";
import { makeKeyMaker } from "../custody/make-key.ts";
import { makeOpenAccess } from "../custody/open-access.ts";
import { makeRequestCsr } from "../custody/request-csr.ts";
import { custodyRoutes } from "../custody/routes.ts";
import { makeCustodySenders } from "../custody/senders.ts";
import { makeCustodyStore } from "../custody/store.ts";
import { makeValidate } from "../custody/validate.ts";
import type { Db } from "../platform/db/connect.ts";
import type { SecretStore } from "../platform/secrets/index.ts";

type Parts = {
  readonly config: Config;
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly secrets: SecretStore;
  /** Creates the key pairs that CSRs are made for. Default: RSA with 4096 bits. */
  readonly makeCustodyKey?: (() => Promise<KeyPair>) | undefined;
};

type Custody = { readonly routes: readonly Route[]; readonly offered: CustodySenders };

/** How long a page waits for the custodian. */
const patienceMs = 5_000;

const connectCustodian = ({ config, clock }: Parts, timeoutMs: number) =>
  makeCustodian({
    ...(config.CUSTODIAN_URL === undefined ? {} : { url: config.CUSTODIAN_URL }),
    assets: config.CUSTODIAN_ASSETS,
    timeoutMs,
    clock,
  });

/** The home chain and the chains we have nodes for, if the custodian has an asset id for their native token. */
const chainsOf = ({ HOME_CHAIN_ID, RPC_URLS, CUSTODIAN_ASSETS }: Config): readonly number[] =>
  [...new Set([HOME_CHAIN_ID, ...Object.keys(RPC_URLS).map(Number)])].filter((id) => id in CUSTODIAN_ASSETS);

export function makeCustody(parts: Parts): Custody {
  const { config, db, secrets, log } = parts;
  const store = makeCustodyStore(db);
  const openAccess = makeOpenAccess({ secrets });
  const learnWallet = makeLearnWallet({
    ...{ store, openAccess, log },
    wallets: makeWalletStore(db),
    custodian: connectCustodian(parts, Math.min(patienceMs, config.SENDER_TIMEOUT_MS)),
    chainIds: chainsOf(config),
  });
  return {
    routes: custodyRoutes({
      accounts: makeAccountStore(db),
      store,
      requestCsr: makeRequestCsr({ store, secrets, makeKey: makeKeyMaker(parts.makeCustodyKey) }),
      complete: makeComplete({ store, secrets, learnWallet, log }),
      validate: makeValidate({ store, learnWallet }),
    }),
    offered: makeCustodySenders({
      ...{ store, openAccess },
      custodian: connectCustodian(parts, config.SENDER_TIMEOUT_MS),
    }),
  };
}
