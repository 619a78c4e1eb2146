import { describe, expect, test } from "vitest";
import { anyOf, credential, identifyCaller, open, type Authenticator, type Caller } from "./auth.ts";

const headerAuthenticator = (scheme: string, header: string): Authenticator => ({
  scheme,
  security: { type: "apiKey", in: "header", name: header },
  isPresented: ({ headers }) => headers[header] !== undefined,
  authenticate: async ({ headers }) =>
    headers[header] === "good" ? { scheme, subject: "alice", scopes: ["read"] } : undefined,
});

const authenticators = [headerAuthenticator("key", "x-api-key"), headerAuthenticator("jwt", "authorization")];
const identify = (
  rule: Parameters<typeof identifyCaller>[0],
  headers: Record<string, string>,
): Promise<Caller | undefined> =>
  identifyCaller(rule, authenticators, { method: "GET", target: "/", headers, rawBody: "", ip: "10.0.0.1" });

const either = anyOf(credential("key", "read"), credential("jwt"));

describe("a caller", () => {
  test("is nobody where an endpoint is open", async () => {
    expect(await identify(open, { "x-api-key": "bad" })).toBeUndefined();
  });
  test("is whoever the credential proves", async () => {
    expect(await identify(either, { authorization: "good" })).toEqual({
      scheme: "jwt",
      subject: "alice",
      scopes: ["read"],
    });
  });
});

describe("a refusal", () => {
  test.each([
    ["no credential", {}, "request.unauthenticated"],
    ["a bad credential", { "x-api-key": "bad" }, "request.unauthenticated"],
    [
      "two credentials, even if one is good",
      { "x-api-key": "bad", authorization: "good" },
      "request.ambiguous-credentials",
    ],
  ])("meets %s", async (_, headers, code) => {
    await expect(identify(either, headers)).rejects.toMatchObject({ code });
  });
  test("meets a credential of a kind the endpoint does not accept", async () => {
    await expect(identify(credential("jwt"), { "x-api-key": "good" })).rejects.toMatchObject({
      code: "request.unauthenticated",
    });
  });
  test("meets a good credential without the scope", async () => {
    await expect(identify(credential("key", "write"), { "x-api-key": "good" })).rejects.toMatchObject({
      code: "request.forbidden",
    });
  });
});
