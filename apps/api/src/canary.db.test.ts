// Calls every endpoint correctly, incorrectly in many ways, and while the database is down; each time with secrets in
// its credentials, URL, headers and body: real ones, and generated canaries. Then searches everything that was
// stored, logged, traced and answered for them.
import { createHash, generateKeyPairSync, randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Route } from "@countersign/platform/http";
import { makeLog } from "@countersign/platform/log";
import { mandateTypedData, policyTypedData, type Mandate, type Policy } from "@countersign/wire";
import { chatAddresses } from "../test/channels.ts";
import { aMailServer, type MailServer } from "../../../tools/stand-ins/mail/stand-in.ts";
import { recordHere } from "../../../tools/stand-ins/collector/record-here.ts";
import { startCollector, type Collector } from "../../../tools/stand-ins/collector/stand-in.ts";
import { signToken } from "../../../tools/stand-ins/custodian/tokens.ts";
import { makeKey } from "./api-keys/key-format.ts";
import { aTestApiWithKeys, type TestApiWithKeys } from "../test/api-keys.ts";
import { aDraft } from "../test/mandates.ts";
import { aPolicyText } from "../test/policies.ts";
import { aToken, initialize } from "../test/mcp/over-http.ts";
import {
  aConsentSession,
  aGrant,
  approve,
  aPublicClient,
  authorizeUrl,
  type TestClient,
} from "../test/oauth.ts";
import { aKeyPair } from "../test/pgp-keys.ts";
import { signatureHeaders } from "../test/signed-requests.ts";
import { aMessage, askNonce, aWallet, bearer, signIn, type SignedIn } from "../test/sign-in.ts";
import type { TestApi } from "../test/test-api.ts";
import { aQuestion } from "../test/transactions/execute/cosign.ts";
import { aValidator, type TestValidator } from "../test/adapters/validator.ts";

type Ask = {
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly payload?: object | string;
};

/** A correct call of an endpoint. Missing members are empty, or the owner's. */
type Call = {
  readonly path?: string;
  readonly body?: Record<string, unknown>;
  /** Instead of a JSON body. */
  readonly text?: string;
  readonly who?: SignedIn;
  readonly wallet?: ReturnType<typeof aWallet>;
  /** Instead of the administrator's. */
  readonly key?: string;
  readonly headers?: Record<string, string>;
};

/** The answers that are meant to show a secret, each once, and where it is in them. */
const reveals: Readonly<Record<string, readonly string[]>> = {
  "POST /auth/siwe/verify": ["accessToken", "refreshToken"],
  "POST /auth/refresh": ["accessToken", "refreshToken"],
  "POST /auth/connect/initiate": ["code"],
  "GET /auth/connect/status": ["apiKey"],
  "POST /user-api-keys": ["secret"],
  "POST /webhooks": ["secret"],
  "POST /webhooks/{id}/rotate-secret": ["secret"],
  "POST /oauth/register": ["client_secret"],
  "POST /oauth/approve": ["redirectUrl"],
  "POST /oauth/token": ["access_token", "refresh_token"],
};
/** In a URL only the code is secret. */
const secretIn = (value: string | undefined): string | undefined =>
  value?.includes("://") === true ? (new URL(value).searchParams.get("code") ?? undefined) : value;

/** Values that are stored to be read, by others or the sender: no place for a secret. */
const readByOthers = new Set([
  "POST /user-api-keys name",
  "POST /oauth/register client_name",
  "POST /transactions userPrompt",
  ...["/mandates/draft", "/mandates/requests"].map((path) => `POST ${path} purpose`),
  ...["POST /webhooks", "PATCH /webhooks/{id}", "POST /channels", "PATCH /channels/{id}"].map(
    (endpoint) => `${endpoint} description`,
  ),
  ...["name", "note"].map((member) => `PUT /contacts/{address} ${member}`),
  "PATCH /internal/orion-metadata/{requestHash}/tee-proof format",
  "PATCH /internal/orion-metadata/{requestHash}/settlement status",
  ...["commonName", "organization"].map((name) => `POST /custody/generate-csr/{type} ${name}`),
  "POST /custody/complete/{type} vaultAccountId",
  "POST /settings/register-provider-quorum displayName",
  "POST /settings/register-provider-quorum message",
  "PUT /settings/provider-quorum/{type} displayName",
  "POST /provider-quorum displayName",
  "POST /provider-quorum providerUserId",
  // A client's own id for its request, which the answer repeats.
  "POST /mcp id",
]);
/** Bodies that reject unknown members, or store every one. */
const withoutStrays = new Set([
  "POST /transactions",
  "POST /public/validate",
  "POST /public/describe",
  "POST /mcp",
  "PATCH /internal/orion-metadata/{requestHash}/tee-proof",
  "PATCH /internal/orion-metadata/{requestHash}/settlement",
]);

/** Columns that store browsers and addresses, so that owners recognise what they connected. No others do. */
const ofBrowsers = ["sessions.user_agent", "connections.user_agent"];
const ofAddresses = [
  "sessions.address",
  "api_keys.last_used_address",
  "connections.initiator_ip",
  "connections.approver_ip",
];
/** Endpoints that return addresses: to their owner, and to the holder of a code. */
const tellAddresses = new Set([
  "GET /auth/sessions",
  "GET /user-api-keys",
  "GET /user-api-keys/profile",
  "GET /auth/connect/info",
  "GET /export",
]);

let api: TestApiWithKeys;
let validator: TestValidator;
let mails: MailServer;
let collector: Collector;
/** The same, with every answer recorded. */
let watched: TestApi;
const wallet = aWallet();
let owner: SignedIn;
let adminKey: string;
let orionKey: string;
let agentKey: string;
let agentId: string;
let agentToken: string;
let client: TestClient;
let publicKey: string;
const logged: string[] = [];
const answers: { readonly endpoint: string; readonly status: number; readonly text: string }[] = [];
/** By name, with the one endpoint that may show it. */
const secrets = new Map<string, { readonly value: string; readonly shownBy?: string }>();
const hide = (name: string, value: string): string => {
  secrets.set(`${name} #${secrets.size}`, { value });
  return value;
};
/** A generated secret without a recognisable form. */
const browser = "what a browser called itself";
const mark = (where: string): string => hide(where, randomBytes(20).toString("hex"));

let asked = 0;
const anId = /[0-9a-f]{8}-[0-9a-f-]{27}/;
const anAddress = /\b10\.6\.\d{1,3}\.\d{1,3}\b/;
async function send(given: Parameters<TestApi["http"]["send"]>[0]): ReturnType<TestApi["http"]["send"]> {
  const request = typeof given === "string" ? { url: given } : given;
  const remoteAddress = `10.6.${++asked >> 8}.${asked & 255}`;
  const headers = { host: "api.example", ...request.headers };
  const answer = await api.http.send({ remoteAddress, ...request, headers });
  const endpoint = `${request.method ?? "GET"} ${request.url.split("?")[0] ?? ""}`;
  const { statusCode: status, body } = answer;
  answers.push({ endpoint, status, text: `${JSON.stringify(answer.headers)}\n${body}` });
  for (const name of status < 300 ? (reveals[endpoint.replace(anId, "{id}")] ?? []) : []) {
    const value = secretIn(answer.json<Record<string, string | undefined>>()[name]);
    if (value !== undefined) secrets.set(`${name} #${secrets.size}`, { value, shownBy: endpoint });
  }
  for (const cookie of answer.headers["set-cookie"] ?? []) {
    const value = /=([^;]+)/.exec(cookie)?.[1] ?? "";
    secrets.set(`a cookie of ours #${secrets.size}`, { value, shownBy: endpoint });
  }
  return answer;
}

const post = (url: string, payload: object, headers: Record<string, string> = {}) =>
  send({ method: "POST", url, payload, headers });
const aCode = async (body: object = {}): Promise<string> =>
  (await post("/auth/connect/initiate", body)).json<{ code: string }>().code;
const sessionsOf = async (who: SignedIn) =>
  (await send({ url: "/auth/sessions", headers: bearer(who) })).json<{ id: string; current: boolean }[]>();

async function aSignIn(): Promise<Call> {
  const { address, signMessage } = aWallet();
  const message = aMessage(address, await askNonce(watched, address));
  return { body: { message, signature: hide("a sign-in signature", await signMessage({ message })) } };
}

async function aReadyCode(): Promise<Call> {
  const verifier = mark("a code verifier") + "abc";
  const codeChallenge = createHash("sha256").update(verifier).digest("base64url");
  const code = await aCode({ codeChallenge });
  await post("/auth/connect/approve", { code }, bearer(await signIn(watched)));
  return { path: `/auth/connect/status?code=${code}&codeVerifier=${verifier}` };
}

async function aSessionToEnd(): Promise<Call> {
  const who = await signIn(watched);
  const { id = "" } = (await sessionsOf(who))[0] ?? {};
  return { path: `/auth/sessions/${id}`, who };
}

async function aKeyToRevoke(): Promise<Call> {
  const { apiKey } = (await post("/user-api-keys", { name: "a" }, bearer(owner))).json<{
    apiKey: { id: string };
  }>();
  return { path: `/user-api-keys/${apiKey.id}` };
}

/** An agent of its own, so that a pause stops no other call. */
const anAgentTo = (suffix: string) => async (): Promise<Call> => {
  const { path = "" } = await aKeyToRevoke();
  return { path: `${path.replace("/user-api-keys", "/agents/key")}${suffix}` };
};

const aMandateDraft = () => aDraft({ agent: { id: agentId } });

/** Terms for the agent, signed by the owner's wallet. */
async function aSignedMandate() {
  const drafted = await post("/mandates/draft", aMandateDraft(), bearer(owner));
  const { terms } = drafted.json<{ terms: Mandate }>();
  return { terms, signature: await wallet.signTypedData(mandateTypedData(terms)) };
}

const aPolicyDraft = { text: aPolicyText, timeZone: "UTC" };

/** The next version, signed by the owner's wallet. */
async function aSignedPolicy() {
  const drafted = await post("/policies/draft", aPolicyDraft, bearer(owner));
  const { terms } = drafted.json<{ terms: Policy }>();
  return { terms, signature: await wallet.signTypedData(policyTypedData(terms)) };
}

async function aStoredPolicy(): Promise<Call> {
  const { terms, signature } = await aSignedPolicy();
  await post("/policies", { terms, signature }, bearer(owner));
  return { path: `/policies/${terms.version}` };
}

/** An agent's key sees its own mandates; the owner sees all of them. */
const byAgent = (scheme: string): Call => (scheme === "apiKey" ? { key: agentKey } : {});

async function aMandate(scheme: string): Promise<Call> {
  const granted = await post("/mandates", await aSignedMandate(), bearer(owner));
  return { path: `/mandates/${granted.json<{ id: string }>().id}`, ...byAgent(scheme) };
}

async function aMandateRequest(scheme: string): Promise<Call> {
  const asked = await post("/mandates/requests", aMandateDraft(), { "x-api-key": agentKey });
  return { path: `/mandates/requests/${asked.json<{ id: string }>().id}`, ...byAgent(scheme) };
}

const aReceiver = { url: "http://127.0.0.1:9/hook", description: "a" };

/** A chat whose address is a secret. */
const aChat = () => {
  const { secret, ...address } = chatAddresses.slack();
  hide("the address of a chat", secret);
  return { ...address, description: "a" };
};

/** A webhook or another channel of a new owner, because an owner may have few of them. */
const onTarget =
  (path: "/webhooks" | "/channels") =>
  (rest = "", body?: Record<string, unknown>) =>
  async (): Promise<Call> => {
    const newcomer = aWallet();
    const who = await signIn(watched, newcomer);
    const made = await post(path, path === "/webhooks" ? aReceiver : aChat(), bearer(who));
    const created = made.json<{ id?: string; webhook?: { id: string } }>();
    const id = created.webhook?.id ?? created.id ?? "";
    const call = { path: `${path}/${id}${rest}`, who, wallet: newcomer };
    return body === undefined ? call : { ...call, body };
  };

/** An unconfirmed e-mail address of a new owner. */
async function onMail(rest: string): Promise<Call> {
  const newcomer = aWallet();
  const who = await signIn(watched, newcomer);
  const mail = { kind: "email", address: `${randomBytes(8).toString("hex")}@example.org` };
  const made = await post("/channels", mail, bearer(who));
  return { path: `/channels/${made.json<{ id: string }>().id}${rest}`, who, wallet: newcomer };
}

async function aMailedCode(): Promise<Call> {
  const call = await onMail("");
  const { path = "", who = owner } = call;
  await send({ method: "POST", url: `${path}/code`, headers: bearer(who) });
  const code = /\b\d{8}\b/.exec(mails.received.at(-1)?.plain ?? "")?.[0] ?? "";
  return { ...call, path: `${path}/confirm`, body: { code } };
}
const onWebhook = onTarget("/webhooks");
const onChannel = onTarget("/channels");

async function aDelivery(on = onWebhook): Promise<Call> {
  const call = await on()();
  const test = await send({
    ...{ method: "POST", url: `${call.path ?? ""}/test`, headers: bearer(call.who ?? owner) },
  });
  return { ...call, path: `${call.path ?? ""}/deliveries/${test.json<{ id: string }>().id}/redeliver` };
}

const aProposal = () => ({
  escrowAddress: wallet.address,
  userPrompt: "Send nothing to me",
  tx: { to: wallet.address, value: "0", data: "0x" },
});

/** Proposed by the administrator's key. */
const propose = async (): Promise<string> =>
  (await post("/transactions", aProposal(), { "x-api-key": adminKey })).json<{ requestHash: string }>()
    .requestHash;

const onProposal =
  (rest = "", body?: Record<string, unknown>) =>
  async (): Promise<Call> => ({
    path: `/transactions/${await propose()}${rest}`,
    ...(body === undefined ? {} : { body }),
  });

const setExecutionType = (executionType: number) =>
  send({ method: "PUT", url: "/settings", payload: { executionType }, headers: bearer(owner) });

async function anUnsealed(): Promise<Call> {
  await setExecutionType(0);
  const proposal = { ...aProposal(), encrypted: false };
  const proposed = await post("/transactions", proposal, { "x-api-key": adminKey });
  await setExecutionType(1);
  return { path: `/internal/proposals/${proposed.json<{ requestHash: string }>().requestHash}/content` };
}

/** Names are unique. */
let contacts = 0;

async function aContactToDelete(): Promise<Call> {
  const path = `/contacts/${aWallet().address}`;
  const payload = { name: `A shop ${++contacts}` };
  await send({ method: "PUT", url: path, payload, headers: bearer(owner) });
  return { path };
}

async function aVerdict(): Promise<Call> {
  const requestHash = await propose();
  await post(
    `/transactions/${requestHash}/approvals`,
    // Once a service is registered, any other verdict needs its signature.
    { decision: "REJECTED", confidence: 0.1, analysis: "nothing to say" },
    { "x-api-key": orionKey },
  );
  return { path: `/transactions/${requestHash}/receipt` };
}

/** A signature that its owner has approved. */
async function aReleasable(): Promise<Call> {
  const { tx: _tx, ...terms } = aProposal();
  const typedData = {
    domain: { name: "Letters", version: "1", chainId: 11_155_111, verifyingContract: wallet.address },
    types: { Letter: [{ name: "text", type: "string" }] },
    ...{ primaryType: "Letter", message: { text: "nothing to say" } },
  };
  const proposed = await post("/transactions", { ...terms, typedData }, { "x-api-key": adminKey });
  const { requestHash, signingHash } = proposed.json<{ requestHash: string; signingHash: string }>();
  await inDatabase(async (database) => {
    await database.query(
      `update transactions set phase = 'READY', orion = 'UNDECIDED', "user" = 'APPROVED' where request_hash = $1`,
      [Buffer.from(requestHash.slice(2), "hex")],
    );
  });
  return { path: `/transactions/${requestHash}/release`, body: { signingHash } };
}

/** The agent, with the given kind of credential. */
const agentBy = (scheme: string): Record<string, string> =>
  scheme === "oauth" ? { authorization: agentToken } : { "x-api-key": agentKey };

async function anMcpSession(scheme: string): Promise<Call> {
  const { headers } = await post("/mcp", initialize, agentBy(scheme));
  const session = String(headers["mcp-session-id"]);
  return { key: agentKey, headers: { "mcp-session-id": session, accept: "text/event-stream" } };
}

async function aCodeToRedeem(): Promise<Call> {
  const verifier = mark("a code verifier") + "abc";
  const code_challenge = createHash("sha256").update(verifier).digest("base64url");
  const answer = await approve(watched, owner, await aConsentSession(watched, client, { code_challenge }));
  const code = secretIn(answer.json<{ redirectUrl: string }>().redirectUrl);
  const { client_id } = client;
  return { body: { grant_type: "authorization_code", code, code_verifier: verifier, client_id } };
}

async function aGrantToEnd(): Promise<Call> {
  const who = await signIn(watched);
  await aGrant(watched, client, { who });
  const grants = await send({ url: "/oauth/grants", headers: bearer(who) });
  return { path: `/oauth/grants/${grants.json<{ id: string }[]>()[0]?.id ?? ""}`, who };
}

const onConsent = async (): Promise<Call> => ({
  body: { sessionId: await aConsentSession(watched, client) },
});

const onMetadata = (kind: string, body: Record<string, unknown>) => async (): Promise<Call> => ({
  path: `/internal/orion-metadata/${await propose()}/${kind}`,
  body,
});

/** A vault of the owner, and a transaction from it that waits to be sent. */
const vault = aWallet().address.toLowerCase();
async function aSendable(): Promise<Call> {
  const proposed = await post(
    "/transactions",
    { ...aProposal(), escrowAddress: vault },
    { "x-api-key": adminKey },
  );
  const { requestHash } = proposed.json<{ requestHash: string }>();
  await inDatabase(async (database) => {
    await database.query("delete from executions");
    await database.query(
      `with ready as (
         update transactions set phase = 'READY', orion = 'APPROVED', "user" = 'APPROVED'
         where request_hash = $1 returning id, account)
       insert into snapshots (transaction_id, account, taken) select id, account, '{}' from ready`,
      [Buffer.from(requestHash.slice(2), "hex")],
    );
  });
  const { tx } = aProposal();
  return { body: { ...tx, escrowAddress: vault, requestHash, type: "execution" } };
}

const aCompletion = async (): Promise<Call> => ({
  path: "/custody/complete/execution",
  body: {
    apiKey: mark("the custodian's API key"),
    ...{ vaultAccountId: "7", environment: "sandbox", region: "EU" },
  },
});

const cosigner = generateKeyPairSync("rsa", { modulusLength: 2048 });

/** A request of the custodian's co-signer about the owner's vault. */
async function aCosignersQuestion(): Promise<Call> {
  const { rows } = await inDatabase((database) =>
    database.query<{ id: string }>(
      "select id from custody_integrations where cosigner_public_key is not null",
    ),
  );
  const token = signToken(aQuestion({ vaultAccountId: "7" }), cosigner.privateKey);
  return {
    path: `/custody/cosigner/${rows[0]?.id ?? ""}/v2/tx_sign_request`,
    text: hide("a co-signer's question", token),
  };
}

/** Sets up the owner's custody: a key, its credential, and the vault's address. */
async function setUpCustody(): Promise<void> {
  const subject = { commonName: "a", organization: "b", country: "CH" };
  await post("/custody/generate-csr/execution", subject, bearer(owner));
  const cosignerPublicKey = cosigner.publicKey.export({ format: "pem", type: "spki" }).toString();
  const { body } = await aCompletion();
  await post("/custody/complete/execution", { ...body, cosignerPublicKey }, bearer(owner));
  await inDatabase(async (database) => {
    const account = wallet.address.toLowerCase();
    await database.query("update custody_integrations set wallet = $1", [vault]);
    await database.query(
      `insert into wallets (address, id, account, kept_by, display_name)
       values ($1, gen_random_uuid(), $2, 'custodian', 'a vault')`,
      [vault, account],
    );
  });
}

const p256PublicKey = generateKeyPairSync("ec", { namedCurve: "P-256" })
  .publicKey.export({ type: "spki", format: "pem" })
  .toString();

const inbox = aWallet().address.toLowerCase();
const fingerprint = "ab".repeat(20);

/** How each endpoint is called. One that is missing here fails the first test. */
const calls: Readonly<Record<string, (scheme: string) => Promise<Call>>> = {
  "GET /": async () => ({}),
  "GET /health": async () => ({}),
  "GET /ready": async () => ({}),
  "GET /metrics": async () => ({}),
  "GET /.well-known/jwks.json": async () => ({}),
  "POST /auth/siwe/nonce": async () => ({ body: { walletAddress: wallet.address } }),
  "POST /auth/siwe/verify": aSignIn,
  "POST /auth/refresh": async () => ({ body: { refreshToken: (await signIn(watched)).refreshToken } }),
  "POST /auth/logout": async () => ({ body: { refreshToken: (await signIn(watched)).refreshToken } }),
  "POST /auth/logout-all": async () => ({ who: await signIn(watched) }),
  "GET /auth/validate": async () => ({}),
  "GET /auth/me": async () => ({}),
  "GET /auth/sessions": async () => ({}),
  "DELETE /auth/sessions/{id}": aSessionToEnd,
  "POST /auth/connect/initiate": async () => ({ body: {} }),
  "GET /auth/connect/status": aReadyCode,
  "GET /auth/connect/info": async () => ({ path: `/auth/connect/info?code=${await aCode()}` }),
  "POST /auth/connect/approve": async () => ({
    body: { code: await aCode() },
    who: await signIn(watched),
  }),
  "GET /.well-known/oauth-protected-resource": async () => ({}),
  "GET /.well-known/oauth-protected-resource/mcp": async () => ({}),
  "GET /.well-known/oauth-authorization-server": async () => ({}),
  "GET /.well-known/oauth-authorization-server/mcp": async () => ({}),
  "POST /oauth/register": async () => ({
    body: {
      redirect_uris: ["https://app.example/cb"],
      client_name: "a",
      token_endpoint_auth_method: "client_secret_post",
    },
  }),
  "GET /oauth/authorize": async () => ({ path: authorizeUrl(client) }),
  "GET /oauth/session-info": async () => ({
    path: `/oauth/session-info?session=${await aConsentSession(watched, client)}`,
  }),
  "POST /oauth/approve": onConsent,
  "POST /oauth/deny": onConsent,
  "POST /oauth/token": aCodeToRedeem,
  "POST /oauth/revoke": async () => ({
    body: { client_id: client.client_id, token: (await aGrant(watched, client)).refresh_token },
  }),
  "GET /oauth/grants": async () => ({}),
  "DELETE /oauth/grants/{id}": aGrantToEnd,
  "POST /user-api-keys": async () => ({ body: { name: "a" }, who: await signIn(watched) }),
  "GET /user-api-keys": async () => ({}),
  "GET /user-api-keys/self": async () => ({}),
  "GET /user-api-keys/profile": async () => ({}),
  "POST /user-api-keys/register": async () => ({
    body: { pgpPublicKey: publicKey, signature: await wallet.signMessage({ message: publicKey }) },
  }),
  "DELETE /user-api-keys/{apiKeyId}": aKeyToRevoke,
  "GET /agents": async () => ({}),
  "GET /agents/{kind}/{id}": anAgentTo(""),
  "PUT /agents/{kind}/{id}/pause": anAgentTo("/pause"),
  "DELETE /agents/{kind}/{id}/pause": anAgentTo("/pause"),
  "GET /export": async () => ({}),
  "GET /contacts": async () => ({}),
  "PUT /contacts/{address}": async () => ({
    path: `/contacts/${aWallet().address}`,
    body: { name: `A shop ${++contacts}`, note: "a note" },
  }),
  "DELETE /contacts/{address}": aContactToDelete,
  "POST /mandates/draft": async () => ({ body: aMandateDraft() }),
  "POST /mandates/preview": async () => ({ body: aMandateDraft() }),
  "POST /mandates": async () => ({ body: await aSignedMandate() }),
  "GET /mandates": async (scheme) => byAgent(scheme),
  "GET /mandates/{id}": aMandate,
  "DELETE /mandates/{id}": aMandate,
  "POST /mandates/requests": async () => ({ body: aMandateDraft(), key: agentKey }),
  "GET /mandates/requests": async (scheme) => byAgent(scheme),
  "DELETE /mandates/requests/{id}": aMandateRequest,
  "GET /policies/schema": async () => ({}),
  "POST /policies/check": async () => ({ body: { text: aPolicyText } }),
  "POST /policies/dry-run": async () => ({ body: aPolicyDraft }),
  "POST /policies/counterexamples": async () => ({ body: { ...aPolicyDraft, builtIn: ["control"] } }),
  "POST /policies/draft": async () => ({ body: aPolicyDraft }),
  "POST /policies": async () => ({ body: await aSignedPolicy() }),
  "GET /policies": async () => ({}),
  "GET /policies/{version}": aStoredPolicy,
  "POST /webhooks": async () => {
    const newcomer = aWallet();
    return { body: aReceiver, who: await signIn(watched, newcomer), wallet: newcomer };
  },
  "GET /webhooks": async () => ({}),
  "GET /webhooks/{id}": onWebhook(),
  "PATCH /webhooks/{id}": onWebhook("", { description: "b" }),
  "DELETE /webhooks/{id}": onWebhook(),
  "POST /webhooks/{id}/rotate-secret": onWebhook("/rotate-secret", { graceHours: 1 }),
  "POST /webhooks/{id}/test": onWebhook("/test"),
  "GET /webhooks/{id}/deliveries": onWebhook("/deliveries"),
  "POST /webhooks/{id}/deliveries/{deliveryId}/redeliver": () => aDelivery(),
  "POST /channels": async () => {
    const newcomer = aWallet();
    return { body: aChat(), who: await signIn(watched, newcomer), wallet: newcomer };
  },
  "GET /channels": async () => ({}),
  "GET /channels/{id}": onChannel(),
  "PATCH /channels/{id}": onChannel("", { description: "b" }),
  "DELETE /channels/{id}": onChannel(),
  "POST /channels/{id}/test": onChannel("/test"),
  "POST /channels/{id}/code": () => onMail("/code"),
  "POST /channels/{id}/confirm": aMailedCode,
  "GET /channel-kinds": async () => ({}),
  "GET /channels/{id}/deliveries": onChannel("/deliveries"),
  "POST /channels/{id}/deliveries/{deliveryId}/redeliver": () => aDelivery(onChannel),
  "GET /settings": async () => ({}),
  "PUT /settings": async () => ({ body: { executionType: 1 } }),
  "PATCH /settings": async () => ({ body: { publicProfile: true } }),
  "GET /settings/by-ethereum/{ethereumAddress}": async () => ({
    path: `/settings/by-ethereum/${wallet.address}`,
  }),
  "POST /settings/register-provider-quorum": async () => ({
    body: { type: "agent", displayName: "a", p256PublicKey, message: "b" },
  }),
  "PUT /settings/provider-quorum/{type}": async () => ({
    path: "/settings/provider-quorum/agent",
    body: { displayName: "a", p256PublicKeys: [p256PublicKey], threshold: 1 },
  }),
  "GET /settings/provider-quorum/{type}": async () => ({ path: "/settings/provider-quorum/agent" }),
  "DELETE /settings/provider-quorum/{type}": async () => ({ path: "/settings/provider-quorum/agent" }),
  "POST /provider-quorum": async (scheme) => ({
    body: {
      ...{ displayName: "a", ethereumAddress: wallet.address, providerUserId: "w" },
      ...(scheme === "apiKey" ? { account: wallet.address } : {}),
    },
  }),
  "POST /custody/generate-csr/{type}": async () => ({
    path: "/custody/generate-csr/agent",
    body: { commonName: "a", organization: "b", country: "CH", recreate: true },
  }),
  "GET /custody/integration/{type}": async () => ({ path: "/custody/integration/execution" }),
  "GET /custody/integrations": async () => ({}),
  "GET /custody/csr/{type}": async () => ({ path: "/custody/csr/execution" }),
  "POST /custody/complete/{type}": aCompletion,
  "POST /custody/validate/{type}": async () => ({ path: "/custody/validate/agent" }),
  "GET /custody/config/{type}/{ethereumAddress}": async () => ({
    path: `/custody/config/execution/${wallet.address}`,
  }),
  "POST /custody/admin/transactions": aSendable,
  "POST /custody/cosigner/{integrationId}/v2/tx_sign_request": aCosignersQuestion,
  "POST /transactions": async () => ({ body: aProposal() }),
  "GET /transactions/users/{ethereumAddress}": async () => ({
    path: `/transactions/users/${wallet.address}`,
  }),
  "GET /transactions/{requestHash}": onProposal(),
  "GET /transactions/{requestHash}/approval-status": onProposal("/approval-status"),
  "POST /transactions/{requestHash}/approvals": onProposal("/approvals", { decision: "APPROVED" }),
  "GET /transactions/{requestHash}/receipt": aVerdict,
  "GET /transactions/{requestHash}/recipients": onProposal("/recipients"),
  "POST /transactions/{requestHash}/withdraw": onProposal("/withdraw"),
  "POST /transactions/{requestHash}/release": aReleasable,
  "GET /events": async (scheme) => (scheme === "apiKey" ? { key: agentKey } : {}),
  "POST /mcp": async () => ({ body: initialize, key: agentKey }),
  "GET /mcp": anMcpSession,
  "DELETE /mcp": anMcpSession,
  "PATCH /internal/orion-metadata/{requestHash}/tee-proof": onMetadata("tee-proof", { format: "none" }),
  "PATCH /internal/orion-metadata/{requestHash}/settlement": onMetadata("settlement", { status: "none" }),
  "GET /internal/proposals/{requestHash}/content": anUnsealed,
  "POST /internal/verifications": async () => ({ body: { requestHashes: [await propose()] } }),
  "GET /chains": async () => ({}),
  "GET /prices": async () => ({}),
  "GET /verification-services": async () => ({}),
  "GET /verification-services/active": async () => ({}),
  "GET /verification-services/{id}": async () => ({ path: "/verification-services/1" }),
  "GET /verification-services/inbox/{inbox}": async () => ({ path: `/verification-services/inbox/${inbox}` }),
  "GET /verification-services/pgp-public-key/{key}": async () => ({
    path: `/verification-services/pgp-public-key/${fingerprint}`,
  }),
  "GET /public/agents/{ethereumAddress}": async () => ({ path: `/public/agents/${wallet.address}` }),
  "GET /public/agents/{ethereumAddress}/transactions": async () => ({
    path: `/public/agents/${wallet.address}/transactions`,
  }),
  "GET /public/agents/{ethereumAddress}/transactions/{requestHash}": async () => ({
    path: `/public/agents/${wallet.address}/transactions/${await propose()}`,
  }),
  "GET /public/agents/{ethereumAddress}/metrics": async () => ({
    path: `/public/agents/${wallet.address}/metrics`,
  }),
  "POST /public/describe": async () => ({
    body: {
      tx: { to: wallet.address, value: "1", data: `0x${mark("bytes that were described")}` },
      chainId: 1,
      from: wallet.address,
    },
  }),
  "POST /public/validate": async () => ({
    body: {
      intent: mark("an intent that was tried"),
      tx: { to: wallet.address, value: "1", data: `0x${mark("bytes that were tried")}` },
      chainId: 1,
      from: wallet.address,
    },
  }),
  "POST /users": async () => {
    const newcomer = aWallet();
    return { body: { ethereumAddress: newcomer.address }, wallet: newcomer };
  },
  "GET /users/{ethereumAddress}": async () => ({ path: `/users/${wallet.address}` }),
};

const endpointOf = ({ method, path }: Pick<Route, "method" | "path">): string => `${method} ${path}`;

/** The credentials that the endpoint accepts. */
const schemesOf = ({ auth }: Route): readonly string[] =>
  auth.accepts.length === 0 ? ["nothing"] : auth.accepts.map(({ scheme }) => scheme);

/** Unexpected headers, with a canary in each. */
const strayHeaders = (): Record<string, string> => ({
  cookie: `session=${mark("a cookie")}`,
  "proxy-authorization": `Basic ${mark("a proxy's password")}`,
  "user-agent": `Browser/1.0 ${mark(browser)}`,
  referer: `https://ui.example/?code=${mark("a referer")}`,
  "x-connect-verifier": mark("a stray verifier"),
  "x-auth-token": mark("a stray token"),
});

const withQuery = (url: string, more: string): string => `${url}${url.includes("?") ? "&" : "?"}${more}`;

async function credentialsFor(scheme: string, call: Call, ask: Ask): Promise<Record<string, string>> {
  if (scheme === "jwt") return bearer(call.who ?? owner);
  if (scheme === "oauth") return { authorization: agentToken };
  if (scheme === "apiKey") return { "x-api-key": call.key ?? adminKey };
  if (scheme !== "signature") return {};
  const { method, url: target, payload } = ask;
  const body = payload === undefined ? "" : JSON.stringify(payload);
  const headers = await signatureHeaders(call.wallet ?? wallet, { method, target, body });
  hide("the signature of a request", headers["x-ethereum-signature"] ?? "");
  return headers;
}

/** A correct request with canaries in places that are not read. */
async function rightly(route: Route, scheme: string): Promise<{ readonly ask: Ask; readonly call: Call }> {
  const call = (await calls[endpointOf(route)]?.(scheme)) ?? {};
  // A verifier in the header would take precedence over the one in the query.
  const { "x-connect-verifier": stray = "", ...headers } = strayHeaders();
  const stays = withoutStrays.has(endpointOf(route)) ? {} : { plant: mark("a stray member of the body") };
  const body =
    call.text === undefined ? call.body && { payload: { ...call.body, ...stays } } : { payload: call.text };
  const url = withQuery(call.path ?? route.path, `plant=${mark("a stray part of the query")}`);
  const takesVerifier = url.includes("codeVerifier=");
  const ask: Ask = {
    method: route.method,
    url,
    headers: { ...headers, ...call.headers, ...(takesVerifier ? {} : { "x-connect-verifier": stray }) },
    ...body,
  };
  return { call, ask: { ...ask, headers: { ...ask.headers, ...(await credentialsFor(scheme, call, ask)) } } };
}

const wrongCredentials = (good: Record<string, string>): readonly Record<string, string>[] => [
  { authorization: `Bearer ${mark("a token")}.${mark("a token")}.${mark("a token")}` },
  { authorization: `Basic ${mark("a password")}` },
  { authorization: mark("a bare token") },
  { "x-api-key": mark("a malformed key") },
  { "x-api-key": hide("an unknown key", makeKey("user", "live")) },
  {
    "x-ethereum-address": wallet.address,
    "x-ethereum-signature": hide("a wrong signature", `0x${randomBytes(65).toString("hex")}`),
    "x-ethereum-timestamp": String(Math.floor(Date.now() / 1000)),
    "x-ethereum-nonce": mark("an unused nonce"),
  },
  { ...good, "x-api-key": mark("a second credential"), authorization: `Bearer ${mark("a second token")}` },
];

function wrongBodies(endpoint: string, body: Record<string, unknown> = {}): readonly (object | string)[] {
  const members = Object.keys(body).filter((member) => !readByOthers.has(`${endpoint} ${member}`));
  return [
    ...members.map((member) => ({ ...body, [member]: mark(`the body's ${member}`) })),
    ...members.map((member) => ({ ...body, [member]: [{ [mark("a name")]: mark("a list") }] })),
    ...members.map((member) => ({ ...body, [member]: `${mark("invalid text")}\0` })),
    [mark("a body that is a list")],
    `{"${mark("a broken body")}": `,
    `{"__proto__": {"a": "${mark("a poisoned body")}"}}`,
  ];
}

/** Each path parameter, and each query parameter. */
function wrongAddresses({ path }: Route, call: Call): readonly string[] {
  const [, query = ""] = (call.path ?? "").split("?");
  const inPath = path.includes("{") ? [path.replaceAll(/\{\w+\}/g, () => mark("a part of the path"))] : [];
  const names = [...new URLSearchParams(query).keys()];
  const inQuery = names.map((name) => `${path}?${query}&${name}=${mark("a doubled part of the query")}`);
  const alone = names.map((name) => `${path}?${name}=${mark("a part of the query")}`);
  return [...inPath, ...inQuery, ...alone, `${path}?plant=${mark("a query that is no text")}%00`];
}

async function callWrongly(route: Route): Promise<void> {
  const [scheme = "nothing"] = schemesOf(route);
  const { ask, call } = await rightly(route, scheme);
  const good = await credentialsFor(scheme === "signature" ? "jwt" : scheme, call, ask);
  for (const headers of wrongCredentials(good)) await send({ ...ask, headers });
  for (const url of wrongAddresses(route, call)) await send({ ...ask, url, headers: good });
  if (route.method === "GET" || route.method === "DELETE") return;
  const json = { ...good, "content-type": "application/json" };
  for (const payload of wrongBodies(endpointOf(route), call.body))
    await send({ ...ask, payload, headers: json });
  const text = { ...good, "content-type": "text/plain" };
  await send({ ...ask, payload: mark("a body that is not JSON"), headers: text });
}

/** A common mistake: the right secret in the wrong place. */
async function misplaceSecrets(): Promise<void> {
  const { privateKey } = await aKeyPair();
  hide("a PGP private key", privateKey.split("\n").slice(3, 6).join("\n"));
  const signature = await wallet.signMessage({ message: privateKey });
  await post("/user-api-keys/register", { pgpPublicKey: privateKey, signature }, bearer(owner));
  const ethereumAddress = aWallet().address;
  await post("/users", { ethereumAddress, pgpPublicKey: privateKey }, { "x-api-key": adminKey });
  await post("/auth/refresh", { refreshToken: owner.accessToken });
  await post("/auth/refresh", { refreshToken: adminKey });
  await send({ url: `/auth/me?token=${owner.accessToken}`, headers: bearer({ accessToken: adminKey }) });
  await send({ url: `/auth/connect/status?code=${adminKey}` });
  await send({ url: `/no/such/path/${adminKey}?key=${owner.refreshToken}`, headers: bearer(owner) });
  await send({ url: `/oauth/authorize?client_id=${adminKey}&state=${owner.refreshToken}` });
  const { client_id } = client;
  await post("/oauth/token", { grant_type: "refresh_token", refresh_token: owner.refreshToken, client_id });
  await post("/oauth/token", { grant_type: adminKey, client_id: agentKey, client_secret: orionKey });
  const used = await aSignIn();
  for (let time = 0; time < 2; time++) await post("/auth/siwe/verify", used.body ?? {});
}

async function inDatabase<T>(use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: api.databaseUrl });
  await client.connect();
  return use(client).finally(() => client.end());
}

/** Every request again while all its statements fail, because driver errors are verbose. */
async function callWithoutRecord(): Promise<void> {
  const asks: Ask[] = [];
  for (const route of api.app.routes)
    for (const scheme of schemesOf(route)) asks.push((await rightly(route, scheme)).ask);
  await inDatabase((client) => client.query("alter schema public rename to away"));
  for (const ask of asks) await send(ask);
  await inDatabase((client) => client.query("alter schema away rename to public"));
}

/** Every selected column of every table, as text. */
const dump = (isChosen: (column: string) => boolean): Promise<string> =>
  inDatabase(async (client) => {
    const { rows } = await client.query<{ table: string; column: string }>(
      `select table_name as table, column_name as column from information_schema.columns where table_schema = 'public'`,
    );
    const texts = [];
    for (const [table, all] of Map.groupBy(rows, (row) => row.table)) {
      const columns = all.map(({ column }) => column).filter((column) => isChosen(`${table}.${column}`));
      if (columns.length === 0) continue;
      const list = columns.map((column) => `"${column}"`).join(", ");
      texts.push(
        JSON.stringify((await client.query(`select t::text from (select ${list} from "${table}") t`)).rows),
      );
    }
    return texts.join("\n");
  });
const ofPeople = new Set([...ofBrowsers, ...ofAddresses]);

/**
 * The end of a secret, in each encoding it might have: its beginning may be a prefix that is meant to be
 * recognised.
 */
function tracesOf(secret: string): readonly string[] {
  const half = secret.slice(-Math.floor(secret.length / 2));
  const bytes = Buffer.from(secret);
  const whole = (["hex", "base64", "base64url"] as const).map((encoding) => bytes.toString(encoding));
  return [half, Buffer.from(half).toString("hex"), ...whole.map((text) => text.replace(/=+$/, ""))];
}
/** Indexed by their first characters; shorter than any of them. */
const begins = 12;
function indexTraces(): ReadonlyMap<string, readonly { readonly trace: string; readonly name: string }[]> {
  const all = [...secrets].flatMap(([name, { value }]) => tracesOf(value).map((trace) => ({ trace, name })));
  return Map.groupBy(all, ({ trace }) => trace.slice(0, begins));
}
let index: ReturnType<typeof indexTraces> | undefined;

/** Returns the names of the secrets in a text. Each position is checked once, however many secrets there are. */
function foundIn(text: string): readonly string[] {
  index ??= indexTraces();
  const found = new Set<string>();
  for (let at = 0; at + begins <= text.length; at++)
    for (const { trace, name } of index.get(text.slice(at, at + begins)) ?? [])
      if (text.startsWith(trace, at)) found.add(name);
  return [...secrets.keys()].filter((name) => found.has(name));
}

const right: (readonly [string, number])[] = [];
beforeAll(async () => {
  const to = { write: (line: string) => void logged.push(line) };
  validator = await aValidator();
  mails = await aMailServer();
  collector = await startCollector();
  const tracing = await recordHere(collector, "api");
  const generous = {
    ...{ TRANSACTIONS_PER_MINUTE_PER_KEY: "1000", VALIDATOR_URL: validator.url },
    // Nothing is sent on a chain that is not watched. The node itself is down.
    RPC_URLS: "11155111=http://127.0.0.1:9",
    // Webhooks are refused at once instead of being resolved.
    ...{ WEBHOOK_LOOPBACK: "true", WEBHOOK_TESTS_PER_MINUTE: "1000", SLACK_URL: "http://127.0.0.1:9" },
    ...{ SMTP_URL: mails.url, MAIL_FROM: "a@example.org", MAIL_CODES_PER_MINUTE: "1000" },
  };
  api = await aTestApiWithKeys(generous, makeLog({ app: "api", level: "debug", to }));
  watched = { ...api, http: { send } };
  owner = await signIn(watched, wallet);
  adminKey = hide("a server key", await api.issueServerKey("admin"));
  orionKey = hide("a server key", await api.issueServerKey("orion"));
  const account = wallet.address.toLowerCase() as `0x${string}`;
  const agent = await api.issueKey({ account, type: "user" });
  agentKey = hide("an agent's key", agent.secret);
  agentId = agent.id;
  await send({ url: "/user-api-keys/self", headers: { "x-api-key": agentKey } });
  client = await aPublicClient(watched);
  agentToken = (await aToken(api, owner)).authorization;
  hide("an access token", agentToken.slice("Bearer ".length));
  await inDatabase((client) =>
    client.query(
      `insert into verification_services (id, chain_id, name, inbox, active, fingerprint, key_uri)
       values (1, 11155111, 'one', $1, true, $2, 'nowhere')`,
      [inbox, fingerprint],
    ),
  );
  await setUpCustody();
  hide("the key that secrets are under", api.config.SECRETS_KEY ?? "");
  publicKey = (await aKeyPair()).publicKey;
  for (const route of api.app.routes) {
    for (const scheme of schemesOf(route)) {
      const { statusCode } = await send((await rightly(route, scheme)).ask);
      right.push([`${endpointOf(route)} with ${scheme}`, statusCode]);
    }
    await callWrongly(route);
  }
  await misplaceSecrets();
  await callWithoutRecord();
  await tracing.close();
}, 120_000);
afterAll(async () => {
  await api.close();
  await validator.close();
  await mails.close();
  await collector.close();
});

test("every endpoint is called, and no other", () => {
  expect(Object.keys(calls).sort()).toEqual(api.app.routes.map(endpointOf).sort());
});

test("correct requests were accepted, whatever was hidden in them", () => {
  expect(right.filter(([, status]) => status >= 400)).toEqual([]);
});

test("secrets were really issued, sent, rejected and met by a failing database", () => {
  expect([...secrets.values()].every(({ value }) => value.length >= 32)).toBe(true);
  for (const endpoint of Object.keys(reveals))
    expect([...secrets.values()].some(({ shownBy }) => shownBy?.replace(anId, "{id}") === endpoint)).toBe(
      true,
    );
  for (const status of [400, 401, 404, 415, 500])
    expect(answers.filter((answer) => answer.status === status).length, String(status)).toBeGreaterThan(3);
});

describe.each([
  ["the database", () => dump((column) => !ofPeople.has(column))],
  ["the log", async () => logged.join("")],
  ["the traces", async () => collector.text()],
])("%s", (_, read) => {
  test("contains none of the secrets, in any encoding, not even half of one", async () => {
    const text = await read();
    expect(text.length).toBeGreaterThan(10_000);
    expect(foundIn(text)).toEqual([]);
  });
  test("contains no address of a user", async () => {
    expect(anAddress.exec(await read())?.[0]).toBeUndefined();
  });
});

describe("stored personal data", () => {
  test.each(ofBrowsers)("in %s is the name of a browser, and nothing else that was sent", async (name) => {
    const text = await dump((column) => column === name);
    expect(foundIn(text).length).toBeGreaterThan(0);
    expect(foundIn(text).filter((secret) => !secret.startsWith(browser))).toEqual([]);
    expect(text).not.toMatch(anAddress);
  });
  test.each(ofAddresses)("in %s is an address, and nothing else that was sent", async (name) => {
    const text = await dump((column) => column === name);
    expect(text).toMatch(anAddress);
    expect(foundIn(text)).toEqual([]);
  });
  test("includes addresses that only their owner, or the holder of a code, can read", () => {
    const telling = answers.filter(({ text }) => anAddress.test(text)).map(({ endpoint }) => endpoint);
    expect(new Set(telling)).toEqual(tellAddresses);
  });
});

describe("an answer", () => {
  test("shows a secret once, where it is issued, and nowhere else, whatever was asked", () => {
    const showing = new Map<string, string[]>();
    for (const { endpoint, text } of answers)
      for (const name of foundIn(text)) showing.set(name, [...(showing.get(name) ?? []), endpoint]);
    const given = [...secrets].filter(([, { shownBy }]) => shownBy !== undefined);
    const expected = given.map(([name, { shownBy }]): [string, unknown] => [name, [shownBy]]);
    expect(Object.fromEntries(showing)).toEqual(Object.fromEntries(expected));
  });
  test("to a failure reveals nothing of the database", () => {
    const failures = answers.filter(({ status }) => status === 500).map(({ text }) => text.split("\n")[1]);
    const message = "Internal server error";
    const known = [
      { statusCode: 500, message, error: "Internal Server Error" },
      { error: "server_error", error_description: message, statusCode: 500, message },
      { jsonrpc: "2.0", error: { code: -32_603, message }, id: null },
    ];
    expect(new Set(failures)).toEqual(new Set(known.map((body) => JSON.stringify(body))));
  });
});
