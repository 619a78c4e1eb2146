// Composition of identity: accounts, sign-in, keys, settings.
import type { Clock } from "@countersign/platform/clock";
import type { Flow } from "@countersign/platform/engine";
import { networkOf, type Authenticator, type Route } from "@countersign/platform/http";
import type { Log } from "@countersign/platform/log";
import { makeCreateUser } from "../users/create-user.ts";
import { makeAccountStore, type AccountStore } from "../accounts/index.ts";
import { makeReadUser } from "../users/read-user.ts";
import { userRoutes } from "../users/routes.ts";
import { makeOwnWallet } from "../adapters/own-wallet/index.ts";
import { makeRegistry, type Registry } from "../adapters/registry/index.ts";
import type { LimitedWallets } from "../adapters/wallets/index.ts";
import { makeKeyAuthenticator } from "../api-keys/authenticate.ts";
import { makeIssueKey, type IssueKey } from "../api-keys/issue-key.ts";
import { makePeppers, type Peppers } from "../api-keys/peppers.ts";
import { rememberKeys } from "../api-keys/remember-keys.ts";
import { apiKeyRoutes, makeListKeys } from "../api-keys/routes.ts";
import { makeEnsureServerKeys } from "../api-keys/server-keys.ts";
import { makeApiKeyStore, type ApiKeyStore } from "../api-keys/store.ts";
import { baseUrlOf, keyEnvironmentOf, type Config } from "../config.ts";
import { makeApprove } from "../connect/approve.ts";
import { makeConnectionKeys } from "../connect/connection-keys.ts";
import { makeInitiate } from "../connect/initiate.ts";
import { makePoll } from "../connect/poll.ts";
import { makeReadInfo } from "../connect/read-info.ts";
import { connectRoutes } from "../connect/routes.ts";
import { makeConnectStore } from "../connect/store.ts";
import { makeGrantStore } from "../oauth/store/grants.ts";
import { makePgpKeys, makePgpKeyStore } from "../pgp-keys/index.ts";
import { askTogether } from "../platform/ask-together.ts";
import type { Db } from "../platform/db/connect.ts";
import type { Flows, FlowStore } from "../platform/flows/index.ts";
import { makeIdempotency, makeIdempotencyStore } from "../platform/idempotency/index.ts";
import { makeOwnSigner, makeOwnTransactionStore } from "../platform/own-wallet/index.ts";
import type { SecretStore } from "../platform/secrets/index.ts";
import { makeFindWalletProvider, makeQuorumStore } from "../quorums/index.ts";
import { settingsRoutes } from "../settings/routes.ts";
import { makeChangeSettings, makeReadSettings, makeSetPublicProfile } from "../settings/settings.ts";
import { makeSettingsStore } from "../settings/store.ts";
import { askedFromOf } from "../sign-in/asked-from.ts";
import { makeJwtAuthenticator } from "../sign-in/authenticate.ts";
import { makeIssueNonce } from "../sign-in/issue-nonce.ts";
import { makeRefresh } from "../sign-in/refresh.ts";
import { signInRoutes } from "../sign-in/routes.ts";
import { makeSignInPages } from "../sign-in/sign-in-policy.ts";
import { makeSignInStore, type SignInStore } from "../sign-in/store.ts";
import { makeTokenKeySource, type TokenKeys } from "../sign-in/token-keys.ts";
import { makeTokens, type Tokens } from "../sign-in/tokens.ts";
import { makeVerifySignIn } from "../sign-in/verify-sign-in.ts";
import { makeSignatureAuthenticator, makeSignedRequestStore } from "../signed-requests/index.ts";

const minute = 60;
const day = 24 * 60 * minute;

type Parts = { readonly config: Config; readonly db: Db; readonly clock: Clock; readonly log: Log };
type IdentityParts = Parts & {
  readonly flowStore: FlowStore;
  readonly flows: Flows;
  readonly secrets: SecretStore;
  readonly wallets: LimitedWallets;
};
type Identity = {
  readonly durableFlows: readonly Flow[];
  readonly routes: readonly Route[];
  readonly authenticators: readonly Authenticator[];
  /** The keys that sign all our tokens. */
  readonly tokenKeys: () => Promise<TokenKeys>;
  /** Stores the operator's keys from the environment before the first request. */
  readonly prepare: () => Promise<void>;
};

type ApiKeyParts = Parts & { readonly secrets: SecretStore };
type ApiKeys = { readonly store: ApiKeyStore; readonly peppers: Peppers; readonly issueKey: IssueKey };

/** The operator's command also issues server keys with it. */
export function makeApiKeys({ config, db, secrets, clock, log }: ApiKeyParts): ApiKeys {
  const store = makeApiKeyStore(db);
  const peppers = makePeppers(secrets);
  return {
    store,
    peppers,
    issueKey: makeIssueKey({ store, peppers, environment: keyEnvironmentOf(config), clock, log }),
  };
}

type ConnectParts = ApiKeyParts & { readonly issueKey: IssueKey };

function makeConnect({ config, db, secrets, issueKey, clock }: ConnectParts): readonly Route[] {
  const store = makeConnectStore(db);
  const keys = makeConnectionKeys({ keeper: secrets, environment: keyEnvironmentOf(config) });
  return connectRoutes({
    initiate: makeInitiate({ store, uiUrl: config.UI_URL }),
    poll: makePoll({ store, keys }),
    approve: makeApprove({ store, keys, issueKey, clock }),
    readInfo: makeReadInfo({ store }),
  });
}

/** Returns the registry for OpenPGP keys if its address and a node for its chain are configured. */
function chooseRegistry(config: Config, secrets: SecretStore, log: Log): Registry | undefined {
  const { HOME_CHAIN_ID: chainId, ACCOUNT_REGISTRY_ADDRESS: address } = config;
  const rpcUrls = config.RPC_URLS[chainId];
  if (address === undefined) return undefined;
  if (rpcUrls === undefined) {
    log.warn(
      "RPC_URLS has no node for the home chain: OpenPGP keys are stored, but not recorded on the chain",
    );
    return undefined;
  }
  const wallet = makeOwnWallet({ chainId, rpcUrls, signer: makeOwnSigner("registrar", config, secrets) });
  return makeRegistry({ wallet, address: address as `0x${string}` });
}

type PgpKeyParts = IdentityParts & { readonly keys: ApiKeyStore };

function wirePgpKeys({
  config,
  db,
  secrets,
  keys,
  log,
  ...parts
}: PgpKeyParts): ReturnType<typeof makePgpKeys> {
  return makePgpKeys({
    ...parts,
    store: makePgpKeyStore(db, parts.flowStore),
    ownTransactions: makeOwnTransactionStore(db),
    registry: chooseRegistry(config, secrets, log),
    listApiKeys: makeListKeys(keys),
    homeChainId: config.HOME_CHAIN_ID,
  });
}

type SigningInParts = ApiKeyParts & { readonly accounts: AccountStore; readonly wallets: LimitedWallets };
type SigningIn = {
  readonly routes: readonly Route[];
  readonly signIn: SignInStore;
  readonly tokens: Tokens;
  readonly tokenKeys: () => Promise<TokenKeys>;
};

function makeSigningIn({ config, db, secrets, accounts, wallets, clock, log }: SigningInParts): SigningIn {
  const baseUrl = baseUrlOf(config);
  const tokenKeys = makeTokenKeySource({ keeper: secrets, clock });
  const tokens = makeTokens({
    issuer: baseUrl,
    keys: tokenKeys,
    clock,
    accessSeconds: 15 * minute,
    refreshSeconds: 30 * day,
  });
  const store = makeSignInStore(db);
  const pages = makeSignInPages({ baseUrl, others: [config.UI_URL, ...config.SIGN_IN_URLS] });
  const sessionSeconds = 180 * day;
  const routes = signInRoutes({
    issueNonce: makeIssueNonce({ store }),
    verifySignIn: makeVerifySignIn({ store, accounts, wallets, tokens, pages, clock, sessionSeconds }),
    refresh: makeRefresh({ store, tokens, log }),
    tokens,
    store,
    tokenKeys,
    endGrants: (account) => makeGrantStore(db).endAllOf(account),
  });
  return { routes, signIn: store, tokens, tokenKeys };
}

/** Accepts the operator's keys from the environment, for an unattended first start. */
async function acceptServerKeys(
  { BOOTSTRAP_ADMIN_KEY: admin, BOOTSTRAP_ORION_KEY: orion }: Config,
  parts: Parameters<typeof makeEnsureServerKeys>[0],
): Promise<void> {
  await makeEnsureServerKeys(parts)({
    ...(admin === undefined ? {} : { admin }),
    ...(orion === undefined ? {} : { orion }),
  });
}

function wireSettings(
  { config, db }: Pick<Parts, "config" | "db">,
  accounts: AccountStore,
): readonly Route[] {
  const settings = { store: makeSettingsStore(db) };
  return settingsRoutes({
    accounts,
    readSettings: makeReadSettings(settings),
    changeSettings: makeChangeSettings(settings),
    setPublicProfile: makeSetPublicProfile(settings),
    findWalletProvider: makeFindWalletProvider({
      store: makeQuorumStore(db),
      name: config.WALLET_PROVIDER_NAME,
    }),
  });
}

export function makeIdentity({ config, db, clock, log, ...parts }: IdentityParts): Identity {
  const { flowStore, flows, secrets, wallets } = parts;
  const accounts = makeAccountStore(db);
  const baseUrl = baseUrlOf(config);

  const common = { config, db, secrets, clock, log };
  const { signIn, tokens, tokenKeys, ...signingIn } = makeSigningIn({ ...common, accounts, wallets });

  const { store, peppers, issueKey } = makeApiKeys(common);
  const keys = rememberKeys(store, clock);
  const pgpKeys = wirePgpKeys({ ...common, keys, wallets, flowStore, flows });

  const findPgpKey = makePgpKeyStore(db, flowStore).findCurrent;

  return {
    tokenKeys,
    routes: [
      ...signingIn.routes,
      ...apiKeyRoutes({ issueKey, store: keys }),
      ...pgpKeys.routes,
      ...makeConnect({ ...common, issueKey }),
      ...userRoutes({
        createUser: makeCreateUser({ accounts }),
        readUser: makeReadUser({ accounts, findPgpKey }),
        idempotency: makeIdempotency({ store: makeIdempotencyStore(db) }),
      }),
      ...wireSettings(common, accounts),
    ],
    durableFlows: pgpKeys.durableFlows,
    prepare: async () => {
      await acceptServerKeys(config, { store: keys, peppers, log });
      await pgpKeys.prepare();
    },
    authenticators: [
      makeJwtAuthenticator(
        tokens,
        askTogether((ids) => signIn.findLive(ids)),
      ),
      makeKeyAuthenticator({ store: keys, peppers }),
      makeSignatureAuthenticator({
        audience: baseUrl,
        store: makeSignedRequestStore(db),
        listIssuedNonces: ({ account, ip, atMost }) =>
          signIn.listNonces({ account, askedFrom: askedFromOf(account, networkOf(ip)), atMost }),
        consumeIssuedNonce: (nonce, account) => signIn.consumeNonce(nonce, account),
        ...{ wallets, clock, accounts },
      }),
    ],
  };
}
