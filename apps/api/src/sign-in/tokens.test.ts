import { decodeJwt, decodeProtectedHeader, SignJWT, type JWTPayload } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { makeTokenKey, readTokenKeys, type TokenKeys } from "./token-keys.ts";
import { makeTokens } from "./tokens.ts";

const issuer = "https://api.example";
const start = new Date("2026-01-02T12:00:00.000Z");
const seconds = start.getTime() / 1000;
const subject = {
  userId: "01890000-0000-7000-8000-000000000001",
  account: "0xd8da6bf26964af9d7eed9e03e53415d37aa96045",
  sessionId: "01890000-0000-7000-8000-000000000002",
} as const;
const tokenId = "01890000-0000-7000-8000-000000000003";
const accessClaims = { sub: subject.userId, eth: subject.account, sid: subject.sessionId };
const refreshClaims = { ...accessClaims, jti: tokenId };

let keys: TokenKeys;
beforeAll(async () => {
  keys = await readTokenKeys([{ id: "one", value: makeTokenKey(), createdAt: start }], start);
});

/** Tokens with a clock that a test can set. */
function aMint() {
  let now = start;
  let asked = 0;
  const tokens = makeTokens({
    issuer,
    keys: async () => {
      asked++;
      return keys;
    },
    clock: { now: () => now },
    accessSeconds: 900,
    refreshSeconds: 86_400,
  });
  return { tokens, asked: () => asked, setMs: (ms: number) => (now = new Date(start.getTime() + ms)) };
}

type Signed = {
  readonly claims?: JWTPayload;
  readonly typ?: string;
  readonly audience?: string;
  readonly kid?: string;
  readonly iss?: string;
};

/** Signs any claims with the service's own key. */
const sign = ({
  claims = accessClaims,
  typ = "at+jwt",
  audience = issuer,
  kid = "one",
  iss = issuer,
}: Signed) =>
  new SignJWT(claims)
    .setProtectedHeader({ alg: "ES256", typ, kid })
    .setIssuer(iss)
    .setAudience(audience)
    .setIssuedAt(start)
    .setExpirationTime(seconds + 60)
    .sign(keys.signing.key);

describe("an access token", () => {
  test("names its subject, issuer and expiry", async () => {
    const token = await aMint().tokens.mintAccess(subject);
    expect(decodeProtectedHeader(token)).toEqual({ alg: "ES256", typ: "at+jwt", kid: "one" });
    expect(decodeJwt(token)).toEqual({
      ...accessClaims,
      ...{ iss: issuer, aud: issuer, iat: seconds, exp: seconds + 900 },
    });
  });

  test("is valid until the second of its expiry, cached or not", async () => {
    const { tokens, setMs } = aMint();
    const token = await tokens.mintAccess(subject);
    setMs(899_999);
    expect(await aMintAt(899_999).readAccess(token)).toEqual(subject);
    expect(await tokens.readAccess(token)).toEqual(subject);
    setMs(900_000);
    expect(await tokens.readAccess(token)).toBeUndefined();
    expect(await aMintAt(900_000).readAccess(token)).toBeUndefined();
  });

  test("is verified once, however often it is presented", async () => {
    const { tokens, asked } = aMint();
    const token = await tokens.mintAccess(subject);
    for (let round = 0; round < 3; round++) expect(await tokens.readAccess(token)).toEqual(subject);
    expect(asked()).toBe(2);
  });

  test("that is invalid is verified each time", async () => {
    const { tokens, asked } = aMint();
    for (let round = 0; round < 2; round++) expect(await tokens.readAccess("a.b.c")).toBeUndefined();
    expect(asked()).toBe(2);
  });

  test("that was cached does not validate another one", async () => {
    const { tokens } = aMint();
    const token = await tokens.mintAccess(subject);
    await tokens.readAccess(token);
    expect(
      await tokens.readAccess(`${token.slice(0, -2)}${token.endsWith("AA") ? "BA" : "AA"}`),
    ).toBeUndefined();
  });
});

function aMintAt(ms: number) {
  const { tokens, setMs } = aMint();
  setMs(ms);
  return tokens;
}

describe("a refresh token", () => {
  test("names its subject, issuer and expiry", async () => {
    const { token, expiresAt } = await aMint().tokens.mintRefresh({ ...subject, tokenId });
    expect(expiresAt).toEqual(new Date(start.getTime() + 86_400_000));
    expect(decodeProtectedHeader(token)).toEqual({ alg: "ES256", typ: "rt+jwt", kid: "one" });
    expect(decodeJwt(token)).toEqual({
      ...refreshClaims,
      ...{ iss: issuer, aud: `${issuer}/auth/refresh`, iat: seconds, exp: seconds + 86_400 },
    });
  });

  test("is read with its id, and verified each time", async () => {
    const { tokens, asked } = aMint();
    const { token } = await tokens.mintRefresh({ ...subject, tokenId });
    for (let round = 0; round < 2; round++)
      expect(await tokens.readRefresh(token)).toEqual({ ...subject, tokenId });
    expect(asked()).toBe(3);
    expect(await aMintAt(86_400_000).readRefresh(token)).toBeUndefined();
  });
});

describe("signed by our key, and rejected:", () => {
  const refresh = { claims: refreshClaims, typ: "rt+jwt", audience: `${issuer}/auth/refresh` };

  test("the unmodified claims are accepted", async () => {
    const { tokens } = aMint();
    expect(await tokens.readAccess(await sign({}))).toEqual(subject);
    expect(await tokens.readRefresh(await sign(refresh))).toEqual({ ...subject, tokenId });
  });

  test.each<[string, Signed]>([
    ["a token of the other kind", { typ: "rt+jwt" }],
    ["a token for the other audience", { audience: `${issuer}/auth/refresh` }],
    ["a token of another issuer", { iss: "https://apj.example" }],
    ["a token under an unknown key id", { kid: "two" }],
    ["a token without a user", { claims: { ...accessClaims, sub: "me" } }],
    ["a token without an account", { claims: { sub: subject.userId, sid: subject.sessionId } }],
    ["a token whose account has no prefix", { claims: { ...accessClaims, eth: "d8da" } }],
    ["a token without a session", { claims: { ...accessClaims, sid: "1" } }],
  ])("%s, as an access token", async (_, signed) => {
    expect(await aMint().tokens.readAccess(await sign(signed))).toBeUndefined();
  });

  test.each<[string, Signed]>([
    ["an access token", {}],
    ["a token of the other kind", { ...refresh, typ: "at+jwt" }],
    ["a token for the other audience", { ...refresh, audience: issuer }],
    ["a token without an id", { ...refresh, claims: accessClaims }],
    ["a token whose id is no UUID", { ...refresh, claims: { ...refreshClaims, jti: "1" } }],
  ])("%s, as a refresh token", async (_, signed) => {
    expect(await aMint().tokens.readRefresh(await sign(signed))).toBeUndefined();
  });

  test("a token without a key id", async () => {
    const token = await new SignJWT(accessClaims)
      .setProtectedHeader({ alg: "ES256", typ: "at+jwt" })
      .setIssuer(issuer)
      .setAudience(issuer)
      .setExpirationTime(seconds + 60)
      .sign(keys.signing.key);
    expect(await aMint().tokens.readAccess(token)).toBeUndefined();
  });
});

test("rejects a token signed with another algorithm, though the key is ours", async () => {
  const secret = new TextEncoder().encode("a secret of thirty-two characters");
  const token = await new SignJWT(accessClaims)
    .setProtectedHeader({ alg: "HS256", typ: "at+jwt", kid: "secret" })
    .setIssuer(issuer)
    .setAudience(issuer)
    .setExpirationTime(seconds + 60)
    .sign(secret);
  const verifying = new Map([["secret", secret]]) as unknown as TokenKeys["verifying"];
  const tokens = makeTokens({
    ...{ issuer, keys: async () => ({ ...keys, verifying }), clock: { now: () => start } },
    ...{ accessSeconds: 900, refreshSeconds: 900 },
  });
  expect(await tokens.readAccess(token)).toBeUndefined();
});
