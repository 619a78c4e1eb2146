import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aTestApi, exceedLimit, type TestApi } from "../../test/test-api.ts";

let api: TestApi;
beforeAll(async () => {
  api = await aTestApi();
});
afterAll(async () => {
  await api.close();
});

const scopes = ["transactions:create:own", "transactions:approve:own", "transactions:read:own"];
const methods = ["none", "client_secret_post", "client_secret_basic"];
const resource = {
  resource: "https://api.example/mcp",
  authorization_servers: ["https://api.example"],
  scopes_supported: scopes,
  bearer_methods_supported: ["header"],
  resource_name: "Countersign",
  resource_documentation: "https://api.example/docs",
};
const server = {
  issuer: "https://api.example",
  authorization_endpoint: "https://api.example/oauth/authorize",
  token_endpoint: "https://api.example/oauth/token",
  registration_endpoint: "https://api.example/oauth/register",
  revocation_endpoint: "https://api.example/oauth/revoke",
  jwks_uri: "https://api.example/.well-known/jwks.json",
  scopes_supported: scopes,
  response_types_supported: ["code"],
  response_modes_supported: ["query"],
  grant_types_supported: ["authorization_code", "refresh_token"],
  token_endpoint_auth_methods_supported: methods,
  revocation_endpoint_auth_methods_supported: methods,
  code_challenge_methods_supported: ["S256"],
  authorization_response_iss_parameter_supported: true,
  service_documentation: "https://api.example/docs",
};

describe.each([
  ["/.well-known/oauth-protected-resource", resource],
  ["/.well-known/oauth-protected-resource/mcp", resource],
  ["/.well-known/oauth-authorization-server", server],
  ["/.well-known/oauth-authorization-server/mcp", server],
])("GET %s", (url, document) => {
  test("200: the whole document, cacheable for five minutes", async () => {
    const answer = await api.http.send(url);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual(document);
    expect(answer.headers["cache-control"]).toBe("public, max-age=300");
    expect(answer.headers["content-type"]).toMatch(/^application\/json/);
  });
  test("200: the same whatever host the request names, and to any page", async () => {
    const headers = {
      host: "evil.example",
      "x-forwarded-host": "evil.example",
      origin: "https://any.example",
    };
    const answer = await api.http.send({ url, headers });
    expect(answer.json()).toEqual(document);
    expect(answer.headers["access-control-allow-origin"]).toBe("*");
  });
  test("200: also to HEAD", async () => {
    expect((await api.http.send({ url, method: "HEAD" })).statusCode).toBe(200);
  });
  test("204: to a preflight request, with the headers it asks for", async () => {
    const answer = await api.http.send({
      url,
      method: "OPTIONS",
      headers: {
        origin: "https://any.example",
        "access-control-request-method": "GET",
        "access-control-request-headers": "mcp-protocol-version",
      },
    });
    expect(answer.statusCode).toBe(204);
    expect(answer.headers["access-control-allow-headers"]).toBe("mcp-protocol-version");
  });
  test("405: to another method", async () => {
    expect((await api.http.send({ url, method: "POST", payload: {} })).statusCode).toBe(405);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await exceedLimit(api, { method: "GET", url })).toBe(429);
  });
});

test.each([
  "/.well-known/openid-configuration",
  "/.well-known/openid-configuration/mcp",
  "/.well-known/oauth-protected-resource/other",
  "/.well-known/anything",
])("404: there is no %s, answered in JSON", async (url) => {
  const answer = await api.http.send({ url, headers: { accept: "text/html" } });
  expect(answer.statusCode).toBe(404);
  expect(answer.json()).toMatchObject({ statusCode: 404 });
});

test("metadata documents are advertised only where they are supported", async () => {
  const reading = await aTestApi({ CLIENT_DOCUMENTS: "true" });
  try {
    const answer = await reading.http.send("/.well-known/oauth-authorization-server");
    expect(answer.json()).toEqual({ ...server, client_id_metadata_document_supported: true });
  } finally {
    await reading.close();
  }
});
