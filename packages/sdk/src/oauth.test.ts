import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { authorize, refreshOAuth, registerOAuthClient, revokeOAuth } from "./oauth.ts";
import { aServer, says } from "../test/server.ts";

const client = { client_id: "c-1", redirect_uris: ["http://127.0.0.1:9/back"] };
const redirectUri = "http://127.0.0.1:9/back";
const tokens = { access_token: "a", token_type: "bearer", expires_in: 900, refresh_token: "r", scope: "s" };
const formOf = (body = ""): Record<string, string> => Object.fromEntries(new URLSearchParams(body));

test("a program registers as one that can keep no secret", async () => {
  await using server = await aServer(says(201, { ...client, client_name: "n", more: true }));
  expect(await registerOAuthClient({ url: server.url, name: "n", redirectUri })).toEqual(client);
  expect(JSON.parse(server.received[0]?.body ?? "")).toEqual({
    client_name: "n",
    redirect_uris: [redirectUri],
    grant_types: ["authorization_code", "refresh_token"],
    token_endpoint_auth_method: "none",
  });
});

describe("authorize", () => {
  test("asks with a challenge, and redeems the code with what it was made of", async () => {
    await using server = await aServer(says(200, tokens));
    const { authorizationUrl, finish } = await authorize({
      url: server.url,
      client,
      redirectUri,
      scope: "s",
    });
    const { pathname, searchParams } = new URL(authorizationUrl);
    expect(pathname).toBe("/oauth/authorize");
    const asked = Object.fromEntries(searchParams);
    expect(asked).toMatchObject({
      ...{ response_type: "code", client_id: "c-1", redirect_uri: redirectUri, scope: "s" },
      ...{ code_challenge_method: "S256", resource: `${server.url}/mcp` },
    });
    const back = new URLSearchParams({ code: "the-code", state: asked["state"] ?? "", iss: server.url });
    expect(await finish(`${redirectUri}?${back.toString()}`)).toEqual(tokens);
    const form = formOf(server.received[0]?.body);
    expect(form).toMatchObject({
      ...{ grant_type: "authorization_code", code: "the-code", client_id: "c-1", redirect_uri: redirectUri },
      resource: `${server.url}/mcp`,
    });
    const challenge = createHash("sha256")
      .update(form["code_verifier"] ?? "")
      .digest("base64url");
    expect(challenge).toBe(asked["code_challenge"]);
    expect(form["code_verifier"]).toMatch(/^[A-Za-z0-9_-]{43}$/);
  });

  test.each([
    ["of another question", { state: "other" }, "its state differs"],
    ["of nobody's question", { state: undefined }, "its state differs"],
    ["of another service", { iss: "https://evil.example" }, "its issuer differs"],
    ["that does not say whose it is", { iss: undefined }, "its issuer differs"],
    ["that is a no", { code: undefined, error: "access_denied" }, "The owner has refused access"],
    [
      "that is an error in words",
      { error: "invalid_scope", error_description: "No such scope" },
      "No such scope",
    ],
    ["without anything", { code: undefined }, "There is no code in this answer"],
  ])("takes no answer %s, and sends nothing", async (_name, changes, message) => {
    await using server = await aServer(says(200, tokens));
    const { authorizationUrl, finish } = await authorize({ url: server.url, client, redirectUri });
    const state = new URL(authorizationUrl).searchParams.get("state") ?? "";
    const said = Object.entries({ code: "the-code", state, iss: server.url, ...changes });
    const back = new URLSearchParams(said.filter((pair): pair is [string, string] => pair[1] !== undefined));
    await expect(finish(`${redirectUri}?${back.toString()}`)).rejects.toThrow(message);
    expect(server.received).toEqual([]);
  });

  test("takes no answer that says a thing twice", async () => {
    await using server = await aServer(says(200, tokens));
    const { authorizationUrl, finish } = await authorize({ url: server.url, client, redirectUri });
    const state = new URL(authorizationUrl).searchParams.get("state") ?? "";
    const good = `code=1&state=${state}&iss=${encodeURIComponent(server.url)}`;
    for (const more of ["code=2", "state=x", "iss=x"])
      await expect(finish(`${redirectUri}?${good}&${more}`)).rejects.toThrow();
    await expect(finish("not an address")).rejects.toThrow("not the address");
    expect(server.received).toEqual([]);
  });
});

test("a grant is renewed and given back in the client's name", async () => {
  await using server = await aServer(says(200, tokens), says(200, ""));
  const { url } = server;
  expect(await refreshOAuth({ url, client, refreshToken: "r0" })).toEqual(tokens);
  await revokeOAuth({ url, client, token: "r" });
  expect(server.received.map(({ path, body }) => [path, formOf(body)])).toEqual([
    [
      "/oauth/token",
      { grant_type: "refresh_token", refresh_token: "r0", client_id: "c-1", resource: `${url}/mcp` },
    ],
    ["/oauth/revoke", { token: "r", client_id: "c-1" }],
  ]);
});
