// OAuth 2.1 for an MCP client: it registers, sends its user to a page, and gets tokens. They are valid at /mcp only, for
// fifteen minutes, and the user can revoke them.
import assert from "node:assert/strict";
import { authorize, createCountersign, refreshOAuth, registerOAuthClient } from "@countersign/sdk";
import { signIn } from "@countersign/sdk/viem";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";

const url = process.env["COUNTERSIGN_URL"] ?? "http://127.0.0.1:3000";
const redirectUri = "http://127.0.0.1:8090/callback";

// The program: once for each installation.
const client = await registerOAuthClient({ url, name: "Example agent", redirectUri });
const authorization = await authorize({ url, client, redirectUri });

// Its user, in place of a browser: opens the address, is led to the consent page, and agrees there.
const opened = await fetch(authorization.authorizationUrl, { redirect: "manual" });
const sessionId = new URL(opened.headers.get("location") ?? "").searchParams.get("session");
const wallet = privateKeyToAccount(generatePrivateKey());
const owner = createCountersign({ url, session: await signIn({ url, wallet }) });
const agreed = await owner.request<{ redirectUrl: string }>("/oauth/approve", {
  method: "POST",
  body: { sessionId },
});

// The program again: state, issuer and PKCE are checked, and the code becomes tokens.
let tokens = await authorization.finish(agreed.body.redirectUrl);
await assert.rejects(
  async () => authorization.finish(`${redirectUri}?code=stolen&state=another`),
  /another authorization/,
);

async function listTools(accessToken: string): Promise<readonly string[]> {
  const requestInit = { headers: { authorization: `Bearer ${accessToken}` } };
  const mcp = new Client({ name: "example-agent", version: "1" });
  await mcp.connect(new StreamableHTTPClientTransport(new URL("/mcp", url), { requestInit }));
  const { tools } = await mcp.listTools();
  await mcp.close();
  return tools.map(({ name }) => name);
}
const tools = ["requestVerification", "checkVerificationStatus", "requestMandate"];
assert.deepEqual(await listTools(tokens.access_token), tools);

// A refresh token is good once.
tokens = await refreshOAuth({ url, client, refreshToken: tokens.refresh_token });
assert.deepEqual(await listTools(tokens.access_token), tools);

// The user sees who was let in, and ends it.
const { body: grants } =
  await owner.request<readonly { id: string; client: { clientName: string } }[]>("/oauth/grants");
const [grant] = grants;
assert.ok(grant);
await owner.request(`/oauth/grants/${grant.id}`, { method: "DELETE" });
await assert.rejects(listTools(tokens.access_token));
console.log("let in, and shown out");
