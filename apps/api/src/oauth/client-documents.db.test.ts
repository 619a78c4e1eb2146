import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aTestApi, type TestApi } from "../../test/test-api.ts";

let api: TestApi;
let without: TestApi;
beforeAll(async () => {
  api = await aTestApi({ CLIENT_DOCUMENTS: "true" });
  without = await aTestApi();
});
afterAll(async () => {
  await api.close();
  await without.close();
});

/** A name that never resolves. */
const away = "https://client.invalid/oauth/metadata.json";
const authorize = (clientId: string, accept = "application/json", at = api) => {
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: "http://localhost:3118/callback",
    response_type: "code",
    code_challenge: "a".repeat(43),
    code_challenge_method: "S256",
  });
  return at.http.send({ url: `/oauth/authorize?${query.toString()}`, headers: { accept } });
};

describe("GET /oauth/authorize", () => {
  test("400: says that a document is unavailable, and redirects no one", async () => {
    const answer = await authorize(away);
    expect(answer.statusCode).toBe(400);
    expect(answer.headers.location).toBeUndefined();
    expect(answer.json()).toMatchObject({
      error: "invalid_client_metadata",
      error_description: "The client metadata could not be fetched or is not valid",
    });
    const page = await authorize(away, "text/html");
    expect(page.statusCode).toBe(400);
    expect(page.body).toContain("could not be fetched");
  });
  test.each([
    "https://127.0.0.1/x",
    "https://0x7f.1/x",
    "https://[::1]/x",
    "https://[::ffff:10.0.0.1]/x",
    "https://localhost/x",
    "https://metadata.google.internal/x",
    "https://client.example:8443/x",
    "https://user@client.example/x",
    "https://client.example/x#y",
    "https://client.example/a/../x",
  ])("400: attack 114: %s is not a client", async (id) => {
    const answer = await authorize(id);
    expect(answer.statusCode).toBe(400);
    expect(answer.headers.location).toBeUndefined();
    expect(answer.json()).toMatchObject({ error: "invalid_client" });
  });
  test("400: without support for documents, a URL is not a client", async () => {
    expect((await authorize(away, "application/json", without)).json()).toMatchObject({
      error: "invalid_client",
    });
  });
});

describe("POST /oauth/token", () => {
  const refresh = (clientId: string, at = api) =>
    at.http.send({
      method: "POST",
      url: "/oauth/token",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      payload: new URLSearchParams({
        grant_type: "refresh_token",
        refresh_token: "a".repeat(43),
        client_id: clientId,
      }).toString(),
    });
  test("401: without support for documents, a URL is not a client", async () => {
    const answer = await refresh(away, without);
    expect(answer.statusCode).toBe(401);
    expect(answer.json()).toMatchObject({ error: "invalid_client" });
  });
  test("503: an unavailable document is a reason to retry, never to forget the client", async () => {
    const answer = await refresh(away);
    expect(answer.statusCode).toBe(503);
    expect(answer.json()).toMatchObject({ error: "temporarily_unavailable" });
  });
});
