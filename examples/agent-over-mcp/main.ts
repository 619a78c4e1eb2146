// An agent that knows nothing of us but an address: it registers itself, the owner lets it in with a wallet, it proposes over MCP
// and is told of the verdict. Only published packages: this is all that a client needs.
import assert from "node:assert/strict";
import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import { parseEther } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { createCountersign } from "@countersign/sdk";
import { signIn } from "@countersign/sdk/viem";

const url = process.env["COUNTERSIGN_URL"] ?? "http://127.0.0.1:3000";
const wallet = privateKeyToAccount(generatePrivateKey());
const alice = "0x742d35Cc6634C0532925a3b844Bc454e4438f44e";

// The agent's registration and tokens. A real agent stores them on disk.
const kept: {
  client?: StoredOAuthClientInformation;
  tokens?: StoredOAuthTokens;
  discovery?: OAuthDiscoveryState;
  verifier?: string;
  page?: URL;
} = {};
const redirectUrl = "http://127.0.0.1:8090/callback";
const authProvider: OAuthClientProvider = {
  redirectUrl,
  clientMetadata: {
    client_name: "Example agent",
    redirect_uris: [redirectUrl],
    grant_types: ["authorization_code", "refresh_token"],
    token_endpoint_auth_method: "none",
  },
  clientInformation: () => kept.client,
  saveClientInformation: (client) => void (kept.client = client),
  tokens: () => kept.tokens,
  saveTokens: (tokens) => void (kept.tokens = tokens),
  // When its tokens are revoked, it deletes them and would ask its user again.
  invalidateCredentials: (what) => {
    if (what === "all" || what === "tokens") delete kept.tokens;
  },
  discoveryState: () => kept.discovery,
  saveDiscoveryState: (discovery) => void (kept.discovery = discovery),
  codeVerifier: () => kept.verifier ?? "",
  saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
  redirectToAuthorization: (page) => void (kept.page = page),
};
function connect() {
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { authProvider });
  const client = new Client(
    { name: "example-agent", version: "1" },
    { versionNegotiation: { mode: "auto" } },
  );
  return { client, transport, connected: client.connect(transport) };
}

// Without a token it is refused, told where to get one, registers itself there, and sends its user to a page.
const refused = connect();
await assert.rejects(refused.connected, UnauthorizedError);
assert.ok(kept.page);
console.log("registered as", kept.client?.client_id);

// The owner, in place of a browser: opens the page, signs in with the wallet, approves.
const opened = await fetch(kept.page, { redirect: "manual" });
const sessionId = new URL(opened.headers.get("location") ?? "").searchParams.get("session");
const owner = createCountersign({ url, session: await signIn({ url, wallet }) });
const { body } = await owner.request<{ redirectUrl: string }>("/oauth/approve", {
  method: "POST",
  body: { sessionId },
});
await refused.transport.finishAuth(new URL(body.redirectUrl).searchParams);
console.log("the owner let it in");

// From here on it is an agent like any other, with three tools.
const { client, connected } = connect();
await connected;
const { tools } = await client.listTools();
const names = tools.map(({ name }) => name).sort();
assert.deepEqual(names, ["checkVerificationStatus", "requestMandate", "requestVerification"]);

type Status = {
  readonly requestHash: string;
  readonly resourceUri: string;
  readonly status: string;
  readonly verdict: string | null;
  readonly next: string;
};
async function call(name: string, given: Record<string, unknown>): Promise<Status> {
  const { isError, content, structuredContent } = await client.callTool({ name, arguments: given });
  assert.ok(isError !== true, JSON.stringify(content));
  return structuredContent as Status;
}

const { requestHash, resourceUri } = await call("requestVerification", {
  escrowAddress: wallet.address,
  userPrompt: `Send 0.01 ETH to ${alice}`,
  tx: { to: alice, value: parseEther("0.01").toString(), data: "0x" },
});
console.log("proposed", requestHash);

// It does not poll: it asks to be told of changes, and looks only when it was told.
const seen = new Promise<Status>((resolve, reject) => {
  client.setNotificationHandler("notifications/resources/updated", async ({ params }) => {
    assert.equal(params.uri, resourceUri);
    const status = await call("checkVerificationStatus", { requestHash });
    console.log("told of a change:", status.verdict ?? "no verdict yet");
    if (status.verdict !== null) resolve(status);
  });
  setTimeout(() => {
    reject(new Error("no verdict within two minutes"));
  }, 120_000).unref();
});
const listening = await client.listen({ resourceSubscriptions: [resourceUri] });
assert.deepEqual(listening.honoredFilter, { resourceSubscriptions: [resourceUri] });
// The subscription does not replay earlier changes, so the agent reads the state once.
const atFirst = await call("checkVerificationStatus", { requestHash });
const { verdict, status, next } = atFirst.verdict === null ? await seen : atFirst;
assert.equal(verdict, "APPROVED");
// The verdict is not the owner's word, and the agent cannot give that.
assert.equal(status, "PENDING");
console.log(next);
await listening.close();

// The owner sees who was let in, and takes it back. The agent is out at its next request.
const { body: grants } = await owner.request<readonly { id: string }[]>("/oauth/grants");
assert.equal(grants.length, 1);
await owner.request(`/oauth/grants/${grants[0]?.id}`, { method: "DELETE" });
await assert.rejects(client.listTools(), UnauthorizedError);
console.log("the owner took it back, and it is out");
await client.close();
