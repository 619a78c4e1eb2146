import { describe, expect, test } from "vitest";
import {
  anyOf,
  challengesOf,
  credential,
  firstOf,
  identifyCaller,
  isStillGood,
  open,
  type Authenticator,
  type Caller,
} from "./auth.ts";

const headerAuthenticator = (scheme: string, header: string): Authenticator => ({
  scheme,
  security: { type: "apiKey", in: "header", name: header },
  challenge: `${scheme} header="${header}"`,
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
  test("is anonymous at a public endpoint", async () => {
    expect(await identify(open, { "x-api-key": "bad" })).toBeUndefined();
  });
  test("is the caller that the credential proves", async () => {
    expect(await identify(either, { authorization: "good" })).toEqual({
      scheme: "jwt",
      subject: "alice",
      scopes: ["read"],
    });
  });
});

describe("the challenges of an endpoint", () => {
  test("are one for each scheme that it accepts", () => {
    expect(challengesOf(either, authenticators)).toBe('key header="x-api-key", jwt header="authorization"');
    expect(challengesOf(credential("jwt"), authenticators)).toBe('jwt header="authorization"');
  });
  test("are Bearer where the endpoint accepts no credential", () => {
    expect(challengesOf(open, authenticators)).toBe("Bearer");
  });
  test("name a challenge that several schemes share once", () => {
    const shared = ["jwt", "oauth"].map((scheme) => ({
      ...headerAuthenticator(scheme, "authorization"),
      challenge: "Bearer",
    }));
    expect(challengesOf(anyOf(credential("jwt"), credential("oauth")), shared)).toBe("Bearer");
  });
});

describe("a credential that was good", () => {
  const presented = { method: "GET", target: "/", headers: { "x-api-key": "good" }, rawBody: "", ip: "::1" };
  const withOutcome = (authenticate: Authenticator["authenticate"]) => [
    { ...headerAuthenticator("key", "x-api-key"), authenticate },
  ];
  test("is still good as long as the endpoint admits it", async () => {
    expect(await isStillGood(either, authenticators, presented)).toBe(true);
    expect(await isStillGood(credential("key", "write"), authenticators, presented)).toBe(false);
    expect(
      await isStillGood(
        either,
        withOutcome(async () => undefined),
        presented,
      ),
    ).toBe(false);
  });
  test("is neither good nor bad while it cannot be checked", async () => {
    const away = withOutcome(() => Promise.reject(new Error("the database is away")));
    await expect(isStillGood(either, away, presented)).rejects.toThrow("the database is away");
  });
});

describe("several credentials", () => {
  const jwtFirst = firstOf(credential("jwt"), credential("key"));
  test("are one caller where the first of them counts", async () => {
    const both = { "x-api-key": "good", authorization: "good" };
    expect(await identify(jwtFirst, both)).toMatchObject({ scheme: "jwt" });
    expect(await identify(jwtFirst, { "x-api-key": "good" })).toMatchObject({ scheme: "key" });
  });
  test("do not stand in for each other: a bad first one is refused", async () => {
    await expect(identify(jwtFirst, { "x-api-key": "good", authorization: "bad" })).rejects.toMatchObject({
      code: "request.unauthenticated",
    });
  });
  test("that come the same way are told apart by what the endpoint accepts", async () => {
    const tokens = ["jwt", "oauth"].map((scheme) => ({
      ...headerAuthenticator(scheme, "authorization"),
      carrier: "authorization",
    }));
    const presented = {
      method: "GET",
      target: "/",
      headers: { authorization: "good" },
      rawBody: "",
      ip: "::1",
    };
    expect(await identifyCaller(credential("oauth"), tokens, presented)).toMatchObject({ scheme: "oauth" });
    expect(await identifyCaller(credential("jwt"), tokens, presented)).toMatchObject({ scheme: "jwt" });
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
