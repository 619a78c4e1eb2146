import { describe, expect, test } from "vitest";
import { makeAuthenticateClient } from "./authenticate-client.ts";
import type { AuthMethod, Client } from "./client.ts";
import { oauthErrors } from "./errors.ts";
import { hashOfSecret } from "./secret-text.ts";

const secret = "A-secret_of-43-characters-in-base64url-text";
const aClient = (id: string, authMethod: AuthMethod): Client => ({
  id,
  registration: "dynamic",
  secretHash: authMethod === "none" ? null : hashOfSecret(secret),
  authMethod,
  redirectUris: ["http://localhost/cb"],
  name: id,
  clientUri: null,
});
const clients = new Map(
  [
    aClient("public", "none"),
    aClient("p", "none"),
    aClient("post", "client_secret_post"),
    aClient("basic", "client_secret_basic"),
    aClient("https://client.example/a b", "none"),
  ].map((client) => [client.id, client]),
);
const realm = "https://api.example";
const authenticate = makeAuthenticateClient({
  realm,
  findClient: async (id) => {
    if (id === "away") throw oauthErrors.documentUnavailable();
    if (id === "refused") throw oauthErrors.invalidRequest({ message: "its document is not valid" });
    if (id === "broken") throw new Error("the database is down");
    return clients.get(id);
  },
});

const basic = (id: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${password}`).toString("base64")}`,
});
const challenged = { headers: { "WWW-Authenticate": `Basic realm="${realm}"` } };
const invalidClient = { code: oauthErrors.invalidClient.code, status: 401 };
const invalidRequest = { code: oauthErrors.invalidRequest.code, status: 400 };
const idOf = async (given: Parameters<typeof authenticate>[0]) => (await authenticate(given)).id;

describe("knows", () => {
  test("a public client by its id alone", async () => {
    expect(await idOf({ headers: {}, form: { client_id: "public" } })).toBe("public");
  });
  test.each(["post", "basic"])("a client with a secret, sent in either way: %s", async (id) => {
    expect(await idOf({ headers: {}, form: { client_id: id, client_secret: secret } })).toBe(id);
    expect(await idOf({ headers: basic(id, secret), form: {} })).toBe(id);
    expect(await idOf({ headers: basic(id, secret), form: { client_id: id } })).toBe(id);
  });
  test("a public client that sends an empty secret, which counts as none", async () => {
    expect(await idOf({ headers: {}, form: { client_id: "public", client_secret: "" } })).toBe("public");
    expect(await idOf({ headers: basic("public", ""), form: {} })).toBe("public");
  });
  test("a client by an id of one character", async () => {
    expect(await idOf({ headers: basic("p", ""), form: {} })).toBe("p");
  });
  test("credentials that are form-encoded first, as in RFC 6749", async () => {
    const headers = basic("https%3A%2F%2Fclient.example%2Fa+b", "");
    expect(await idOf({ headers, form: {} })).toBe("https://client.example/a b");
  });
  test("the scheme in any letter case", async () => {
    const authorization = basic("basic", secret).authorization.replace("Basic", "bAsIc");
    expect(await idOf({ headers: { authorization }, form: {} })).toBe("basic");
  });
});

test("a header that comes as a list, spaces after the scheme, and plus signs as spaces", async () => {
  const { authorization } = basic("basic", secret);
  expect(await idOf({ headers: { authorization: [authorization] }, form: {} })).toBe("basic");
  const spaced = authorization.replace(" ", "   ");
  expect(await idOf({ headers: { authorization: spaced }, form: {} })).toBe("basic");
});

describe("refuses", () => {
  test("two headers", async () => {
    const { authorization } = basic("basic", secret);
    const shown = { headers: { authorization: [authorization, authorization] }, form: {} };
    await expect(authenticate(shown)).rejects.toMatchObject(invalidClient);
  });
  test.each([
    ["text before the scheme", (header: string) => `x${header}`],
    ["no space after the scheme", (header: string) => header.replace(" ", "")],
    ["three padding signs", (header: string) => `${header}===`],
  ])("a header with %s", async (_, change) => {
    const authorization = change(basic("basic", secret).authorization);
    await expect(authenticate({ headers: { authorization }, form: {} })).rejects.toMatchObject(invalidClient);
  });
  test("an id that cannot be decoded", async () => {
    const shown = { headers: basic("%zz", secret), form: { client_id: "public" } };
    await expect(authenticate(shown)).rejects.toMatchObject(invalidClient);
    await expect(authenticate({ headers: basic("%zz", secret), form: {} })).rejects.toMatchObject(
      invalidClient,
    );
  });
  test("a missing id, with a message", async () => {
    await expect(authenticate({ headers: {}, form: { client_secret: secret } })).rejects.toThrow(
      "client_id is missing",
    );
  });
  test("attack 50: a client with a secret that does not send it", async () => {
    const shown = { headers: {}, form: { client_id: "post" } };
    await expect(authenticate(shown)).rejects.toMatchObject({ ...invalidClient, ...challenged });
    const empty = { headers: basic("basic", ""), form: {} };
    await expect(authenticate(empty)).rejects.toMatchObject({ ...invalidClient, ...challenged });
  });
  test.each([`${secret}x`, secret.slice(1), secret.toLowerCase(), hashOfSecret(secret).toString("hex")])(
    "attack 51: a wrong secret, %s",
    async (wrong) => {
      const byPost = { headers: {}, form: { client_id: "post", client_secret: wrong } };
      await expect(authenticate(byPost)).rejects.toMatchObject({ ...invalidClient, ...challenged });
      const byBasic = { headers: basic("post", wrong), form: {} };
      await expect(authenticate(byBasic)).rejects.toMatchObject({ ...invalidClient, ...challenged });
    },
  );
  test("attack 52: a secret in the header and one in the body", async () => {
    const shown = { headers: basic("post", secret), form: { client_id: "post", client_secret: secret } };
    await expect(authenticate(shown)).rejects.toMatchObject(invalidRequest);
  });
  test("one id in the header and another in the body", async () => {
    const shown = { headers: basic("post", secret), form: { client_id: "basic" } };
    await expect(authenticate(shown)).rejects.toMatchObject(invalidRequest);
  });
  test.each([
    "Basic",
    "Basic ",
    "Basic !!!",
    `Basic ${Buffer.from("nocolon").toString("base64")}`,
    `Basic ${Buffer.from(":noid").toString("base64")}`,
    `Basic ${Buffer.from("post:%zz").toString("base64")}`,
    `${basic("post", secret).authorization} more`,
    "Bearer abc",
    "",
  ])("attack 53: a malformed header, with a challenge: %j", async (authorization) => {
    const shown = { headers: { authorization }, form: { client_id: "public" } };
    await expect(authenticate(shown)).rejects.toMatchObject({ ...invalidClient, ...challenged });
  });
  test("attack 54: a public client that sends a secret", async () => {
    const byPost = { headers: {}, form: { client_id: "public", client_secret: secret } };
    await expect(authenticate(byPost)).rejects.toMatchObject(invalidClient);
    await expect(authenticate({ headers: basic("public", secret), form: {} })).rejects.toMatchObject(
      invalidClient,
    );
  });
  test("an unknown client, like one with a wrong secret", async () => {
    const shown = { headers: {}, form: { client_id: "nobody", client_secret: secret } };
    await expect(authenticate(shown)).rejects.toMatchObject({ ...invalidClient, ...challenged });
  });
  test("a request without an id", async () => {
    await expect(authenticate({ headers: {}, form: {} })).rejects.toMatchObject(invalidRequest);
  });
});

test("a document that is unavailable is a reason to retry, never to forget the client", async () => {
  await expect(authenticate({ headers: {}, form: { client_id: "away" } })).rejects.toMatchObject({
    code: oauthErrors.temporarilyUnavailable.code,
    status: 503,
    cause: { code: oauthErrors.documentUnavailable.code },
  });
});
test("any other rejection of its document is passed on", async () => {
  await expect(authenticate({ headers: {}, form: { client_id: "refused" } })).rejects.toMatchObject({
    ...invalidRequest,
    message: "its document is not valid",
  });
});
test("our own failure is not the client's fault", async () => {
  await expect(authenticate({ headers: {}, form: { client_id: "broken" } })).rejects.toThrow(
    "the database is down",
  );
});
