import { SignJWT } from "jose";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newId } from "@countersign/platform/ids";
import { aTestApiWithKeys, type TestApiWithKeys } from "../test/api-keys.ts";
import { aGrant, aPublicClient } from "../test/oauth.ts";
import { signatureHeaders } from "../test/signed-requests.ts";
import { aWallet, bearer, signIn } from "../test/sign-in.ts";
import { readTokenKeys, tokenKeyPurpose } from "./sign-in/token-keys.ts";

// Every endpoint × every credential, valid and invalid, against one table that is written by hand. `in` means that
// the credential is accepted, whatever the answer.
type Verdict = "in" | 401 | 403;

const credentials = [
  "nothing",
  "an expired JWT",
  "a JWT for MCP",
  "the owner's JWT",
  "another user's JWT",
  "a user key",
  "an agent key",
  "a revoked key",
  "an expired key",
  "an admin key",
  "an orion key",
  "the owner's signature",
  "a stale signature",
  "a replayed signature",
] as const;
type Credential = (typeof credentials)[number];

const everybody = Object.fromEntries(credentials.map((name) => [name, "in"])) as Record<Credential, Verdict>;
const nobody = Object.fromEntries(credentials.map((name) => [name, 401])) as Record<Credential, Verdict>;
const people = { ...nobody, "the owner's JWT": "in", "another user's JWT": "in" } as const;
const inPerson = { ...people, "the owner's signature": "in" } as const;
const keys = {
  ...nobody,
  "a user key": "in",
  "an agent key": "in",
  "an admin key": "in",
  "an orion key": "in",
} as const;

const everyone = {
  ...keys,
  "the owner's JWT": "in",
  "another user's JWT": "in",
  "the owner's signature": "in",
} as const;
/** An owner's programs. Server keys act for no account. */
const programs = {
  ...nobody,
  "a JWT for MCP": "in",
  "a user key": "in",
  "an agent key": "in",
  "an admin key": 403,
  "an orion key": 403,
} as const;
const serverKeys = { ...keys, "a user key": 403, "an agent key": 403 } as const;
/** Server keys belong to no account. */
const ownerOrAgent = { ...everyone, "an admin key": 403, "an orion key": 403 } as const;

const table: Readonly<Record<string, Readonly<Record<Credential, Verdict>>>> = {
  "GET /": everybody,
  "GET /health": everybody,
  "GET /ready": everybody,
  // On a public address, without a separate port.
  "GET /metrics": { ...nobody, "an admin key": "in" },
  "GET /.well-known/jwks.json": everybody,
  "POST /auth/siwe/nonce": everybody,
  // Open, but they check the body's credential: their own 401, not the authentication's.
  "POST /auth/siwe/verify": everybody,
  "POST /auth/refresh": everybody,
  "POST /auth/logout": people,
  "POST /auth/logout-all": people,
  "GET /auth/validate": people,
  "GET /auth/me": people,
  "GET /auth/sessions": people,
  "DELETE /auth/sessions/{id}": people,
  "POST /auth/connect/initiate": everybody,
  "GET /auth/connect/status": everybody,
  "GET /auth/connect/info": people,
  "POST /auth/connect/approve": people,
  "GET /.well-known/oauth-protected-resource": everybody,
  "GET /.well-known/oauth-protected-resource/mcp": everybody,
  "GET /.well-known/oauth-authorization-server": everybody,
  "GET /.well-known/oauth-authorization-server/mcp": everybody,
  "POST /oauth/register": everybody,
  "GET /oauth/authorize": everybody,
  "GET /oauth/session-info": everybody,
  "POST /oauth/approve": people,
  "POST /oauth/deny": people,
  // Open, but a client authenticates there: their own 401, not the authentication's.
  "POST /oauth/token": everybody,
  "POST /oauth/revoke": everybody,
  "GET /oauth/grants": people,
  "DELETE /oauth/grants/{id}": people,
  "POST /user-api-keys": people,
  "GET /user-api-keys": people,
  "GET /user-api-keys/self": keys,
  "GET /user-api-keys/profile": people,
  "POST /user-api-keys/register": people,
  "DELETE /user-api-keys/{apiKeyId}": people,
  "GET /settings": people,
  "PUT /settings": inPerson,
  "PATCH /settings": inPerson,
  "GET /settings/by-ethereum/{ethereumAddress}": {
    ...keys,
    "the owner's JWT": "in",
    "another user's JWT": 403,
    "the owner's signature": "in",
  },
  "POST /settings/register-provider-quorum": people,
  "PUT /settings/provider-quorum/{type}": people,
  "GET /settings/provider-quorum/{type}": people,
  "DELETE /settings/provider-quorum/{type}": people,
  "POST /provider-quorum": { ...serverKeys, "the owner's JWT": "in", "another user's JWT": 403 },
  "POST /custody/generate-csr/{type}": people,
  "GET /custody/integration/{type}": people,
  "GET /custody/integrations": people,
  "GET /custody/csr/{type}": people,
  "POST /custody/complete/{type}": people,
  "POST /custody/validate/{type}": people,
  "GET /custody/config/{type}/{ethereumAddress}": {
    ...keys,
    "the owner's JWT": "in",
    "another user's JWT": 403,
    "the owner's signature": "in",
  },
  "POST /custody/admin/transactions": { ...nobody, "an admin key": "in" },
  // Open, but a co-signer authenticates with its body: its own 401, not the authentication's.
  "POST /custody/cosigner/{integrationId}/v2/tx_sign_request": everybody,
  "POST /transactions": {
    ...keys,
    "an orion key": 403,
    "the owner's JWT": "in",
    "another user's JWT": 403,
  },
  "GET /transactions/users/{ethereumAddress}": {
    ...everyone,
    "another user's JWT": 403,
  },
  // A caller who may not read a transaction gets 404, and there is no transaction here.
  "POST /transactions/{requestHash}/approvals": everyone,
  "GET /transactions/{requestHash}/approval-status": everyone,
  "GET /transactions/{requestHash}": everyone,
  "GET /transactions/{requestHash}/receipt": everyone,
  "POST /transactions/{requestHash}/withdraw": everyone,
  "POST /transactions/{requestHash}/release": everyone,
  "GET /events": {
    ...people,
    "a user key": "in",
    "an agent key": "in",
    "an admin key": 403,
    "an orion key": 403,
  },
  "GET /agents": inPerson,
  "GET /agents/{kind}/{id}": inPerson,
  "PUT /agents/{kind}/{id}/pause": inPerson,
  "DELETE /agents/{kind}/{id}/pause": inPerson,
  "GET /export": people,
  "GET /contacts": inPerson,
  "PUT /contacts/{address}": inPerson,
  "DELETE /contacts/{address}": inPerson,
  "GET /transactions/{requestHash}/recipients": inPerson,
  "POST /mandates/draft": inPerson,
  "POST /mandates/preview": inPerson,
  "POST /mandates": inPerson,
  "POST /mandates/requests": keys,
  "GET /mandates/requests": ownerOrAgent,
  "DELETE /mandates/requests/{id}": ownerOrAgent,
  "GET /mandates": ownerOrAgent,
  "GET /mandates/{id}": ownerOrAgent,
  "DELETE /mandates/{id}": ownerOrAgent,
  "POST /channels": inPerson,
  "GET /channels": inPerson,
  "GET /channels/{id}": inPerson,
  "PATCH /channels/{id}": inPerson,
  "DELETE /channels/{id}": inPerson,
  "POST /channels/{id}/test": inPerson,
  "POST /channels/{id}/code": inPerson,
  "POST /channels/{id}/confirm": inPerson,
  "GET /channel-kinds": inPerson,
  "GET /channels/{id}/deliveries": inPerson,
  "POST /channels/{id}/deliveries/{deliveryId}/redeliver": inPerson,
  "POST /webhooks": inPerson,
  "GET /webhooks": inPerson,
  "GET /webhooks/{id}": inPerson,
  "PATCH /webhooks/{id}": inPerson,
  "DELETE /webhooks/{id}": inPerson,
  "POST /webhooks/{id}/rotate-secret": inPerson,
  "POST /webhooks/{id}/test": inPerson,
  "GET /webhooks/{id}/deliveries": inPerson,
  "POST /webhooks/{id}/deliveries/{deliveryId}/redeliver": inPerson,
  "GET /policies/schema": inPerson,
  "POST /policies/check": inPerson,
  "POST /policies/dry-run": inPerson,
  "POST /policies/counterexamples": inPerson,
  "POST /policies/draft": inPerson,
  "POST /policies": inPerson,
  "GET /policies": inPerson,
  "GET /policies/{version}": inPerson,
  "POST /mcp": programs,
  "GET /mcp": programs,
  "DELETE /mcp": programs,
  "PATCH /internal/orion-metadata/{requestHash}/tee-proof": serverKeys,
  "PATCH /internal/orion-metadata/{requestHash}/settlement": serverKeys,
  "GET /internal/proposals/{requestHash}/content": serverKeys,
  "POST /internal/verifications": serverKeys,
  "GET /chains": everybody,
  "GET /prices": everybody,
  "GET /verification-services": everybody,
  "GET /verification-services/active": everybody,
  "GET /verification-services/{id}": everybody,
  "GET /verification-services/inbox/{inbox}": everybody,
  "GET /verification-services/pgp-public-key/{key}": everybody,
  "GET /public/agents/{ethereumAddress}": everybody,
  "GET /public/agents/{ethereumAddress}/transactions": everybody,
  "GET /public/agents/{ethereumAddress}/transactions/{requestHash}": everybody,
  "GET /public/agents/{ethereumAddress}/metrics": everybody,
  "POST /public/validate": everybody,
  "POST /public/describe": everybody,
  "POST /users": { ...keys, "a user key": 403, "an agent key": 403, "the owner's signature": "in" },
  "GET /users/{ethereumAddress}": { ...keys, "the owner's signature": "in" },
};

const wallet = aWallet();
const account = wallet.address.toLowerCase() as `0x${string}`;
let api: TestApiWithKeys;
let client: pg.Client;
let show: Record<
  Credential,
  (request: { method: string; url: string; body: string }) => Promise<Record<string, string>>
>;

async function mintToken(claims: {
  readonly audience: string;
  readonly expiresInSeconds: number;
}): Promise<string> {
  const { signing } = await readTokenKeys(await api.secrets.listCurrent(tokenKeyPurpose), new Date());
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({ sub: newId(), eth: wallet.address.toLowerCase(), sid: newId() })
    .setProtectedHeader({ alg: "ES256", typ: "at+jwt", kid: signing.kid })
    .setIssuer("https://api.example")
    .setAudience(claims.audience)
    .setIssuedAt(now - 1000)
    .setExpirationTime(now + claims.expiresInSeconds)
    .sign(signing.key);
}

beforeAll(async () => {
  api = await aTestApiWithKeys();
  await signIn(api, wallet);
  // Another owner's, because this owner is signed out everywhere along the way.
  const { access_token: forMcp } = await aGrant(api, await aPublicClient(api));
  client = new pg.Client({ connectionString: api.databaseUrl });
  await client.connect();
  const [user, agent, revoked, expired, admin, orion] = [
    await api.issueKey({ account, type: "user" }),
    await api.issueKey({ account, type: "user", label: "agent" }),
    await api.issueKey({ account, type: "user" }),
    await api.issueKey({ account, type: "user" }),
    await api.issueKey({ type: "admin", label: "agent" }),
    await api.issueKey({ type: "orion" }),
  ];
  await client.query("update api_keys set active = false where id = $1", [revoked.id]);
  await client.query("update api_keys set expires_at = now() where id = $1", [expired.id]);
  const key =
    ({ secret }: { readonly secret: string }) =>
    () =>
      Promise.resolve({ "x-api-key": secret });
  const token = (audience: string, expiresInSeconds: number) => async () =>
    bearer({ accessToken: await mintToken({ audience, expiresInSeconds }) });
  const sign = (
    { method, url, body }: { method: string; url: string; body: string },
    timestamp = Math.floor(Date.now() / 1000),
  ) => signatureHeaders(wallet, { method, target: url, body, timestamp });
  show = {
    nothing: () => Promise.resolve({}),
    "an expired JWT": token("https://api.example", -1),
    "a JWT for MCP": () => Promise.resolve(bearer({ accessToken: forMcp })),
    "the owner's JWT": async () => bearer(await signIn(api, wallet)),
    "another user's JWT": async () => bearer(await signIn(api)),
    "a user key": key(user),
    "an agent key": key(agent),
    "a revoked key": key(revoked),
    "an expired key": key(expired),
    "an admin key": key(admin),
    "an orion key": key(orion),
    "the owner's signature": (request) => sign(request),
    "a stale signature": (request) => sign(request, Math.floor(Date.now() / 1000) - 301),
    "a replayed signature": async (request) => {
      const headers = await sign(request);
      await send(request, headers, "10.3.0.1");
      return headers;
    },
  };
});
afterAll(async () => {
  await client.end();
  await api.close();
});

const send = (
  request: { method: string; url: string; body: string },
  headers: Record<string, string>,
  remoteAddress: string,
) =>
  api.http.send({
    method: request.method,
    url: request.url,
    remoteAddress,
    headers: {
      host: "api.example",
      ...headers,
      ...(request.body === "" ? {} : { "content-type": "application/json" }),
    },
    ...(request.body === "" ? {} : { payload: request.body }),
  });

/** A request to that endpoint that reaches the authentication. The handler may still reject it. */
function requestTo(endpoint: string): { method: string; url: string; body: string } {
  const [method = "", path = ""] = endpoint.split(" ");
  const url = path
    .replace("{ethereumAddress}", wallet.address)
    .replace("{type}", "agent")
    .replace(/\{\w+\}/g, newId());
  const bodies: Readonly<Record<string, object>> = {
    "POST /users": { ethereumAddress: wallet.address },
    "POST /provider-quorum": { displayName: "a", ethereumAddress: wallet.address, providerUserId: "w" },
    "POST /transactions": {
      escrowAddress: wallet.address,
      userPrompt: "Send nothing to me",
      tx: { to: wallet.address, value: "0", data: "0x" },
    },
    "POST /transactions/{requestHash}/approvals": { decision: "APPROVED" },
    "POST /internal/verifications": { requestHashes: [`0x${"5a".repeat(32)}`] },
  };
  const body = method === "GET" || method === "DELETE" ? "" : JSON.stringify(bodies[endpoint] ?? {});
  return { method, url, body };
}

test("the table has every endpoint, and no other", () => {
  expect(Object.keys(table).sort()).toEqual(
    api.app.routes.map(({ method, path }) => `${method} ${path}`).sort(),
  );
});

describe.each(Object.entries(table))("%s", (endpoint, row) => {
  test.each(credentials)("with %s", async (credential) => {
    const request = requestTo(endpoint);
    const address = `10.2.${Object.keys(table).indexOf(endpoint)}.${credentials.indexOf(credential)}`;
    const answer = await send(request, await show[credential](request), address);
    const isTurnedAway =
      answer.headers["x-error-code"] === "request.unauthenticated" || answer.statusCode === 403;
    expect(isTurnedAway ? answer.statusCode : "in").toBe(row[credential]);
    if (answer.statusCode === 401)
      expect(answer.headers["www-authenticate"]).toMatch(/^(Bearer|Basic|ApiKey|EthereumSignature)\b/);
  });
});
