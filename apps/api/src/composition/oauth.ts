// Composition of OAuth, through which programs get access: clients, consent, tokens, grants.
import type { Clock } from "@countersign/platform/clock";
import type { Authenticator, Route } from "@countersign/platform/http";
import type { Log } from "@countersign/platform/log";
import { makeReadClientDocument } from "../adapters/client-documents/index.ts";
import { baseUrlOf, type Config } from "../config.ts";
import { makeAccessTokens, type AccessTokens } from "../oauth/access-token.ts";
import { makeApprove, makeDeny } from "../oauth/answer-consent.ts";
import { makeAuthenticateClient } from "../oauth/authenticate-client.ts";
import { makeOAuthAuthenticator } from "../oauth/authenticate.ts";
import { makeAuthorize } from "../oauth/authorize.ts";
import { makeBrowserMark } from "../oauth/browser-mark.ts";
import { makeClear } from "../oauth/clear.ts";
import type { FindClient } from "../oauth/client.ts";
import { makeFindToAnswer } from "../oauth/consent-session.ts";
import { describeResource } from "../oauth/discovery.ts";
import { makeFindClient } from "../oauth/find-client.ts";
import type { OAuthCaller } from "../oauth/index.ts";
import { makeIssueTokens } from "../oauth/issue-tokens.ts";
import { makeReadConsent } from "../oauth/read-consent.ts";
import { makeRegister } from "../oauth/register.ts";
import { makeCheckResource } from "../oauth/resource.ts";
import { makeRevoke } from "../oauth/revoke.ts";
import { authorizeRoutes } from "../oauth/routes-authorize.ts";
import { clientRoutes } from "../oauth/routes-clients.ts";
import { consentRoutes } from "../oauth/routes-consent.ts";
import { discoveryRoutes } from "../oauth/routes-discovery.ts";
import { grantRoutes } from "../oauth/routes-grants.ts";
import { tokenRoutes } from "../oauth/routes-token.ts";
import { makeClientStore, type ClientStore } from "../oauth/store/clients.ts";
import { makeCodeStore } from "../oauth/store/codes.ts";
import { makeGrantStore, type GrantStore } from "../oauth/store/grants.ts";
import { makeRefreshTokenStore, type RefreshTokenStore } from "../oauth/store/refresh-tokens.ts";
import { makeSessionStore, type SessionStore } from "../oauth/store/sessions.ts";
import { askTogether } from "../platform/ask-together.ts";
import type { Db } from "../platform/db/connect.ts";
import type { TokenKeys } from "../sign-in/index.ts";

type Parts = {
  readonly config: Config;
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  /** The same keys as for sign-in: one set signs all tokens. */
  readonly tokenKeys: () => Promise<TokenKeys>;
};

type OAuth = {
  readonly routes: readonly Route[];
  readonly authenticator: Authenticator<OAuthCaller>;
  /** Deletes expired rows. Returns how many. */
  readonly sweep: () => Promise<number>;
};

type Stores = {
  readonly clients: ClientStore;
  readonly sessions: SessionStore;
  readonly grants: GrantStore;
  readonly refreshTokens: RefreshTokenStore;
};

type Asking = Parts & Pick<Stores, "sessions"> & { readonly findClient: FindClient };

/** The routes from the client's authorization request to the owner's decision. */
function routesOfConsent({ config, log, sessions, findClient }: Asking): readonly Route[] {
  const baseUrl = baseUrlOf(config);
  const browserMark = makeBrowserMark({ baseUrl });
  const checkResource = makeCheckResource({ baseUrl });
  const findToAnswer = makeFindToAnswer({
    ...{ sessions, browserMark, log },
    binding: config.OAUTH_BROWSER_BINDING,
  });
  const answering = { findToAnswer, sessions, baseUrl };
  const { resource, resource_name: resourceName } = describeResource(baseUrl);
  return [
    ...authorizeRoutes(
      makeAuthorize({ findClient, checkResource, sessions, browserMark, baseUrl, uiUrl: config.UI_URL }),
    ),
    ...consentRoutes({
      readConsent: makeReadConsent({ sessions, resource, resourceName }),
      approve: makeApprove(answering),
      deny: makeDeny(answering),
    }),
  ];
}

type Giving = Parts &
  Pick<Stores, "grants" | "refreshTokens"> & {
    readonly findClient: FindClient;
    readonly accessTokens: AccessTokens;
  };

/** The routes from the authorization code to tokens and their revocation. */
function routesOfTokens(parts: Giving): readonly Route[] {
  const { config, db, log, grants, refreshTokens, findClient, accessTokens } = parts;
  const baseUrl = baseUrlOf(config);
  const authenticateClient = makeAuthenticateClient({ findClient, realm: baseUrl });
  return tokenRoutes({
    issueTokens: makeIssueTokens({
      ...{ authenticateClient, accessTokens, refreshTokens, log },
      checkResource: makeCheckResource({ baseUrl }),
      codes: makeCodeStore(db),
      refreshPolicy: {
        reuse: config.OAUTH_REFRESH_REUSE,
        graceSeconds: config.OAUTH_REFRESH_GRACE_SECONDS,
      },
    }),
    revoke: makeRevoke({ authenticateClient, accessTokens, grants }),
  });
}

const makeSweep = ({ clients, sessions, grants, refreshTokens }: Stores, clock: Clock) =>
  makeClear(
    [
      { run: (atMost) => sessions.clear(atMost), atMost: 1000 },
      { run: (atMost) => refreshTokens.clear(atMost), atMost: 1000 },
      // Each grant is deleted together with its tokens.
      { run: (atMost) => grants.clear(atMost), atMost: 50 },
      { run: () => clients.clearClients(), atMost: 200 },
    ],
    clock,
  );

export function makeOAuth(parts: Parts): OAuth {
  const { config, db, clock, log, tokenKeys } = parts;
  const baseUrl = baseUrlOf(config);
  const stores = {
    clients: makeClientStore(db),
    sessions: makeSessionStore(db),
    grants: makeGrantStore(db),
    refreshTokens: makeRefreshTokenStore(db),
  };
  const readsDocuments = config.CLIENT_DOCUMENTS;
  const readDocument = readsDocuments ? makeReadClientDocument() : undefined;
  const findClient = makeFindClient({ store: stores.clients, readDocument, clock, log });
  const accessTokens = makeAccessTokens({ issuer: baseUrl, keys: tokenKeys, clock });
  return {
    routes: [
      ...discoveryRoutes({ baseUrl, readsDocuments }),
      ...clientRoutes({
        register: makeRegister({ store: stores.clients }),
        registrationsPerMinutePerIp: config.OAUTH_REGISTRATIONS_PER_MINUTE_PER_IP,
      }),
      ...routesOfConsent({ ...parts, ...stores, findClient }),
      ...routesOfTokens({ ...parts, ...stores, findClient, accessTokens }),
      ...grantRoutes(stores.grants),
    ],
    authenticator: makeOAuthAuthenticator(
      accessTokens,
      askTogether((ids) => stores.grants.findLive(ids)),
    ),
    sweep: makeSweep(stores, clock),
  };
}
