import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aTestApi, type TestApi } from "../../test/test-api.ts";
import { isSameRedirect } from "./redirect-uri.ts";
import { register } from "../../test/oauth.ts";

// How programs in use register, and the redirect URIs they then ask for. The names are theirs. The bodies of the
// editor with and without a port, of the inspector as a page and of the bridge follow their sources; none was
// captured on the wire. For the others only the redirect URIs and the method are reported; the other members are
// plausible, and ids in addresses are invented.
const both = ["authorization_code", "refresh_token"];
type Body = {
  readonly redirect_uris: readonly string[];
  readonly client_name: string;
  readonly token_endpoint_auth_method: string;
  readonly [other: string]: unknown;
};
const clients: Record<string, { readonly body: Body; readonly asks: readonly string[] }> = {
  "a hosted assistant that wants a secret": {
    body: {
      client_name: "Claude",
      grant_types: both,
      response_types: ["code"],
      token_endpoint_auth_method: "client_secret_post",
      scope: "transactions:create:own transactions:approve:own transactions:read:own",
      redirect_uris: ["https://claude.ai/api/mcp/auth_callback"],
    },
    asks: ["https://claude.ai/api/mcp/auth_callback"],
  },
  "the same under its other name": {
    body: {
      client_name: "Claude",
      grant_types: both,
      response_types: ["code"],
      token_endpoint_auth_method: "client_secret_post",
      redirect_uris: ["https://claude.com/api/mcp/auth_callback", "https://claude.ai/api/mcp/auth_callback"],
    },
    asks: ["https://claude.com/api/mcp/auth_callback"],
  },
  "a command line with a port of the moment": {
    body: {
      client_name: "Claude Code (countersign)",
      redirect_uris: ["http://localhost:3118/callback"],
      grant_types: both,
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    },
    asks: ["http://localhost:3118/callback", "http://localhost:51234/callback"],
  },
  "a desktop program with a scheme of its own": {
    body: {
      client_name: "Claude",
      redirect_uris: ["claude://claude.ai/mcp-auth-callback/sdk"],
      grant_types: both,
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    },
    asks: ["claude://claude.ai/mcp-auth-callback/sdk"],
  },
  "an editor with three places at once": {
    body: {
      client_name: "Cursor",
      application_type: "web",
      redirect_uris: [
        "cursor://anysphere.cursor-mcp/oauth/callback",
        "https://www.cursor.com/agents/mcp/oauth/callback",
        "http://localhost:8787/callback",
      ],
      grant_types: both,
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    },
    asks: [
      "cursor://anysphere.cursor-mcp/oauth/callback",
      "https://www.cursor.com/agents/mcp/oauth/callback",
      "http://localhost:8788/callback",
    ],
  },
  "an editor that registers with and without a port": {
    body: {
      client_name: "Visual Studio Code",
      client_uri: "https://code.visualstudio.com",
      application_type: "native",
      grant_types: both,
      response_types: ["code"],
      redirect_uris: [
        "https://insiders.vscode.dev/redirect",
        "https://vscode.dev/redirect",
        "http://127.0.0.1/",
        "http://127.0.0.1:33418/",
      ],
      scope: "transactions:create:own transactions:approve:own transactions:read:own",
      token_endpoint_auth_method: "none",
    },
    asks: ["https://vscode.dev/redirect", "http://127.0.0.1:33418/", "http://127.0.0.1:49152/"],
  },
  "another hosted assistant, a place for each connector": {
    body: {
      client_name: "ChatGPT",
      redirect_uris: [
        "https://chatgpt.com/connector/oauth/aB3dE5fG7h",
        "https://chatgpt.com/connector_platform_oauth_redirect",
      ],
      grant_types: both,
      response_types: ["code"],
      token_endpoint_auth_method: "none",
      resource: "https://api.example/mcp",
    },
    asks: ["https://chatgpt.com/connector/oauth/aB3dE5fG7h"],
  },
  "a command line with an id in its callback": {
    body: {
      client_name: "Codex",
      redirect_uris: ["http://127.0.0.1:43117/callback/7Gd0k2"],
      grant_types: both,
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    },
    asks: ["http://127.0.0.1:43118/callback/7Gd0k2"],
  },
  "the inspector, as a page": {
    body: {
      client_name: "MCP Inspector",
      client_uri: "https://github.com/modelcontextprotocol/inspector",
      redirect_uris: ["http://localhost:6274/oauth/callback"],
      grant_types: both,
      response_types: ["code"],
      token_endpoint_auth_method: "none",
      scope: "",
    },
    asks: ["http://localhost:6274/oauth/callback"],
  },
  "the inspector, in a terminal": {
    body: {
      client_name: "MCP Inspector",
      redirect_uris: ["http://127.0.0.1:6276/oauth/callback"],
      grant_types: both,
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    },
    asks: ["http://127.0.0.1:6276/oauth/callback"],
  },
  "the bridge for programs that speak over pipes": {
    body: {
      client_name: "MCP CLI Proxy",
      client_uri: "https://github.com/modelcontextprotocol/mcp-cli",
      redirect_uris: ["http://localhost:5598/oauth/callback"],
      grant_types: both,
      response_types: ["code"],
      token_endpoint_auth_method: "none",
      software_id: "2e6dc280-f3c3-4e01-99a7-8181dbd1d23d",
      software_version: "0.15.1",
    },
    asks: ["http://localhost:5598/oauth/callback", "http://localhost:19876/oauth/callback"],
  },
  "a library that sends null for what it has not": {
    body: {
      redirect_uris: ["http://localhost:3030/callback"],
      token_endpoint_auth_method: "client_secret_basic",
      grant_types: both,
      response_types: ["code"],
      scope: null,
      client_name: "A client of the Python library",
      client_uri: null,
      logo_uri: null,
      contacts: null,
      tos_uri: null,
      policy_uri: null,
      jwks_uri: null,
      jwks: null,
      software_id: null,
      software_version: null,
    },
    asks: ["http://localhost:3030/callback"],
  },
};

let api: TestApi;
beforeAll(async () => {
  api = await aTestApi();
});
afterAll(async () => {
  await api.close();
});

describe.each(Object.entries(clients))("%s", (_who, { body, asks }) => {
  test("is registered as requested, with a secret only if it asks for one", async () => {
    const answer = await register(api, body);
    expect(answer.statusCode).toBe(201);
    const { client_name: name, token_endpoint_auth_method: method } = body;
    expect(answer.json()).toMatchObject({
      client_name: name,
      redirect_uris: body.redirect_uris,
      token_endpoint_auth_method: method,
      grant_types: both,
      response_types: ["code"],
    });
    expect("client_secret" in answer.json<object>()).toBe(method !== "none");
    expect(answer.body).not.toContain("null");
  });
  test.each(asks)("may then redirect to %s", (asked) => {
    expect(body.redirect_uris.some((registered) => isSameRedirect(asked, registered))).toBe(true);
  });
});
