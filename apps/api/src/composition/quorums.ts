// Composition of quorums: wallets at the wallet provider and who may move their funds.
import type { Route } from "@countersign/platform/http";
import type { Log } from "@countersign/platform/log";
import { makeAccountStore, makeWalletStore } from "../accounts/index.ts";
import { makeWalletProvider, type WalletProvider } from "../adapters/wallet-provider/index.ts";
import type { LimitedWallets } from "../adapters/wallets/index.ts";
import type { Config } from "../config.ts";
import type { Db } from "../platform/db/connect.ts";
import type { SecretStore } from "../platform/secrets/index.ts";
import { makeAgentKey, type AgentKey } from "../quorums/agent-key.ts";
import { askProvider, withoutProvider } from "../quorums/at-provider.ts";
import { makeDeleteQuorum, makePutQuorum, makeRegisterQuorum } from "../quorums/change-quorum.ts";
import { makeFindWalletToSendFrom, makeOpenSender, makeQuorumStore } from "../quorums/index.ts";
import { makeRegisterWallet } from "../quorums/register-wallet.ts";
import { quorumRoutes } from "../quorums/routes.ts";
import { makeUseAgentQuorum } from "../quorums/use-agent-quorum.ts";

type Parts = {
  readonly config: Config;
  readonly db: Db;
  readonly log: Log;
  readonly secrets: SecretStore;
  readonly wallets: LimitedWallets;
};

type Quorums = {
  readonly routes: readonly Route[];
  readonly offered: {
    readonly findWalletToSendFrom: ReturnType<typeof makeFindWalletToSendFrom>;
    readonly openSender: ReturnType<typeof makeOpenSender>;
  };
};

/** Returns the wallet provider if its URL and our credentials are configured. */
function chooseProvider({ config, log }: Parts, agentKey: AgentKey): WalletProvider | undefined {
  const { WALLET_PROVIDER_URL: url, WALLET_PROVIDER_APP_ID: appId } = config;
  const { WALLET_PROVIDER_APP_SECRET: appSecret, SENDER_TIMEOUT_MS: timeoutMs } = config;
  if (url === undefined) return undefined;
  if (appId === undefined || appSecret === undefined) {
    log.warn("WALLET_PROVIDER_URL is set without an app id and secret: quorums are stored locally only");
    return undefined;
  }
  return makeWalletProvider({ url, appId, appSecret, authorizationKey: agentKey.privateKey, timeoutMs });
}

export function makeQuorums(parts: Parts): Quorums {
  const { config, db, secrets } = parts;
  const store = makeQuorumStore(db);
  const wallets = makeWalletStore(db);
  const agentKey = makeAgentKey(secrets);
  const provider = chooseProvider(parts, agentKey);
  const atProvider = provider === undefined ? withoutProvider : askProvider(provider);
  return {
    routes: quorumRoutes({
      store,
      accounts: makeAccountStore(db),
      findWallet: wallets.find,
      useAgentQuorum: makeUseAgentQuorum({ store, atProvider, agentKey }),
      registerQuorum: makeRegisterQuorum({ store, atProvider }),
      putQuorum: makePutQuorum({ store, atProvider }),
      deleteQuorum: makeDeleteQuorum({ store, atProvider }),
      registerWallet: makeRegisterWallet({
        wallets,
        verifyText: parts.wallets.verifyText,
        chainId: config.HOME_CHAIN_ID,
      }),
    }),
    offered: {
      findWalletToSendFrom: makeFindWalletToSendFrom({ store, wallets, provider }),
      openSender: makeOpenSender({ store, wallets, provider }),
    },
  };
}
