import { createHmac, generateKeyPairSync, randomBytes } from "node:crypto";
import { connect } from "node:net";
import { importPKCS8, SignJWT, type CryptoKey } from "jose";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { makeService, ok, route } from "@countersign/platform/http";
import { newId } from "@countersign/platform/ids";
import { aTestApiWithKeys, type TestApiWithKeys } from "../../test/api-keys.ts";
import { makeTokenKey, tokenKeyPurpose, type TokenKeys } from "../sign-in/index.ts";
import { bearer, signIn, tokenKeysIn, type SignedIn } from "../../test/sign-in.ts";
import { aTestApi, type TestApi } from "../../test/test-api.ts";
import { oauth } from "./index.ts";
import {
  aGrant,
  aPublicClient,
  redeem,
  aCode,
  renew,
  type TestClient,
  type TestTokens,
} from "../../test/oauth.ts";

const environment = { SECRETS_KEY: randomBytes(32).toString("base64") };
let api: TestApiWithKeys;
let probe: Awaited<ReturnType<typeof aProbe>>;
let database: pg.Client;
let client: TestClient;
let who: SignedIn;
let good: TestTokens;
let keys: TokenKeys;

/** A service with one endpoint that accepts the same tokens as /mcp and returns the caller. */
async function aProbe({ app }: TestApi) {
  const service = await makeService({
    ...app.service,
    routes: [
      route({
        method: "GET",
        path: "/probe",
        summary: "Who am I?",
        tag: "Test",
        auth: oauth,
        limit: [],
        replies: { 200: z.record(z.string(), z.unknown()) },
        handle: ({ caller }) => ok({ ...caller }),
      }),
    ],
  });
  const origin = await service.listen({ host: "127.0.0.1", port: 0 });
  return {
    port: Number(new URL(origin).port),
    close: () => service.close(),
    ask: async (authorization: string, more = "") =>
      service.inject({
        url: `/probe${more}`,
        ...(authorization === "" ? {} : { headers: { authorization } }),
      }),
  };
}

beforeAll(async () => {
  api = await aTestApiWithKeys(environment);
  probe = await aProbe(api);
  database = new pg.Client(api.databaseUrl);
  await database.connect();
  client = await aPublicClient(api);
  who = await signIn(api);
  good = await aGrant(api, client, { who, scope: "transactions:read:own" });
  keys = await tokenKeysIn(api.secrets);
});
afterAll(async () => {
  await database.end();
  await probe.close();
  await api.close();
});

const statusFor = async (token: string): Promise<number> => (await probe.ask(`Bearer ${token}`)).statusCode;
const partsOf = (token: string) => {
  const [header = "", payload = "", signature = ""] = token.split(".");
  const read = (part: string) =>
    JSON.parse(Buffer.from(part, "base64url").toString()) as Record<string, unknown>;
  return { header, payload, signature, headerRead: read(header), claims: read(payload) };
};
const write = (part: object): string => Buffer.from(JSON.stringify(part)).toString("base64url");

/** The valid token with other claims, signed with any key. */
async function forge(
  change: Readonly<Record<string, unknown>>,
  { key = keys.signing.key, ...header }: { key?: CryptoKey; kid?: string; typ?: string } = {},
): Promise<string> {
  const { claims } = partsOf(good.access_token);
  return new SignJWT({ ...claims, ...change })
    .setProtectedHeader({ alg: "ES256", typ: "at+jwt", kid: keys.signing.kid, ...header })
    .sign(key);
}

test("a valid token names its account, program and scopes; `bearer` in any letter case", async () => {
  const { claims } = partsOf(good.access_token);
  for (const scheme of ["Bearer", "bearer", "BEARER"]) {
    const answer = await probe.ask(`${scheme} ${good.access_token}`);
    expect(answer.json()).toEqual({
      scheme: "oauth",
      subject: claims["gid"],
      scopes: ["transactions:read:own"],
      userId: who.user.id,
      account: who.user.ethereumAddress.toLowerCase(),
      clientId: client.client_id,
      grantId: claims["gid"],
    });
  }
});
test("an unmodified token from the forging helper is accepted", async () => {
  expect(await statusFor(await forge({}))).toBe(200);
});

describe("401:", () => {
  test("attack 66: alg none", async () => {
    const { payload } = partsOf(good.access_token);
    for (const signature of ["", "x", partsOf(good.access_token).signature])
      for (const alg of ["none", "None", ""])
        expect(
          await statusFor(`${write({ alg, typ: "at+jwt", kid: keys.signing.kid })}.${payload}.${signature}`),
        ).toBe(401);
  });
  test("attack 67: a changed payload, and the signature of another token", async () => {
    const { header, claims, signature } = partsOf(good.access_token);
    const more = { ...claims, scope: "transactions:create:own" };
    expect(await statusFor(`${header}.${write(more)}.${signature}`)).toBe(401);
    const other = await aGrant(api, client);
    expect(
      await statusFor(
        `${header}.${partsOf(good.access_token).payload}.${partsOf(other.access_token).signature}`,
      ),
    ).toBe(401);
  });
  test("attack 68: HS256 with the public key as its secret", async () => {
    const { payload } = partsOf(good.access_token);
    const [published] = keys.published;
    const pem = JSON.stringify(published);
    const header = write({ alg: "HS256", typ: "at+jwt", kid: keys.signing.kid });
    for (const secret of [pem, published?.x ?? "", Buffer.from(published?.x ?? "", "base64url")]) {
      const signature = createHmac("sha256", secret).update(`${header}.${payload}`).digest("base64url");
      expect(await statusFor(`${header}.${payload}.${signature}`)).toBe(401);
    }
  });
  test("attack 69: a kid that is unknown, a path, or missing; a key inside the token", async () => {
    for (const kid of [newId(), "../../../dev/null", "' or 1=1 --", "__proto__", ""])
      expect(await statusFor(await forge({}, { kid }))).toBe(401);
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const key = await importPKCS8(privateKey.export({ type: "pkcs8", format: "pem" }).toString(), "ES256");
    expect(await statusFor(await forge({}, { key }))).toBe(401);
    const own = { jwk: privateKey.export({ format: "jwk" }), jku: "https://evil.example/jwks.json" };
    expect(await statusFor(await forge({}, { key, ...own }))).toBe(401);
  });
  test("attack 70: expired by a second", async () => {
    const now = Math.floor(Date.now() / 1000);
    expect(await statusFor(await forge({ exp: now - 1 }))).toBe(401);
    expect(await statusFor(await forge({ exp: undefined }))).toBe(401);
  });
  test("attack 71: an access token of a sign-in, and attack 73: a refresh token of one", async () => {
    expect(await statusFor(who.accessToken)).toBe(401);
    expect(await statusFor(who.refreshToken)).toBe(401);
    expect(await statusFor(good.refresh_token)).toBe(401);
  });
  test("attack 72: an access token of a program, at an endpoint for the owner in person", async () => {
    const headers = bearer({ accessToken: good.access_token });
    for (const url of ["/auth/me", "/settings", "/user-api-keys", "/oauth/grants", "/events"])
      expect((await api.http.send({ url, headers })).statusCode, url).toBe(401);
    const create = { method: "POST", url: "/user-api-keys", payload: { name: "a" }, headers };
    expect((await api.http.send(create)).statusCode).toBe(401);
  });
  test("attack 73: another type or audience, though our key signed it", async () => {
    for (const typ of ["rt+jwt", "JWT", ""]) expect(await statusFor(await forge({}, { typ }))).toBe(401);
    for (const aud of [
      "https://api.example",
      "https://api.example/mcp/",
      "https://evil.example/mcp",
      undefined,
    ])
      expect(await statusFor(await forge({ aud }))).toBe(401);
  });
  test("attack 74: a token in the URL", async () => {
    expect((await probe.ask("", `?access_token=${good.access_token}`)).statusCode).toBe(401);
    expect((await probe.ask("", `?token=${good.access_token}`)).statusCode).toBe(401);
  });
  test("attack 76: of a grant that was ended, by either side, from the next request on", async () => {
    const [byClient, byOwner, byReplay, byAll] = [
      await aGrant(api, client, { who }),
      await aGrant(api, client, { who }),
      await aCode(api, client),
      await signIn(api),
    ];
    const replayed = (await redeem(api, client, byReplay)).json<TestTokens>();
    const loggedOut = await aGrant(api, client, { who: byAll });
    const tokens = [byClient, byOwner, replayed, loggedOut].map(({ access_token: token }) => token);
    for (const token of tokens) expect(await statusFor(token)).toBe(200);
    const payload = { client_id: client.client_id, token: byClient.refresh_token };
    await api.http.send({ method: "POST", url: "/oauth/revoke", payload });
    const url = `/oauth/grants/${String(partsOf(byOwner.access_token).claims["gid"])}`;
    await api.http.send({ method: "DELETE", url, headers: bearer(who) });
    await redeem(api, client, byReplay);
    await api.http.send({ method: "POST", url: "/auth/logout-all", headers: bearer(byAll) });
    for (const token of tokens) expect(await statusFor(token)).toBe(401);
    expect(await statusFor(good.access_token)).toBe(200);
  });
  test("attack 77: of another issuer, and of a grant that never existed", async () => {
    for (const iss of ["https://evil.example", "https://api.example/", undefined])
      expect(await statusFor(await forge({ iss }))).toBe(401);
    expect(await statusFor(await forge({ gid: newId() }))).toBe(401);
  });
  test("malformed claims: no grant, no scope, unknown scopes", async () => {
    for (const change of [
      { gid: undefined },
      { scope: undefined },
      { scope: "transactions:create:any" },
      { client_id: undefined },
      { sub: "x" },
    ])
      expect(await statusFor(await forge(change)), JSON.stringify(change)).toBe(401);
  });
});

describe("400:", () => {
  test("attack 75: two Authorization headers", async () => {
    const line = `Authorization: Bearer ${good.access_token}\r\n`;
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(probe.port, "127.0.0.1", () =>
        socket.write(`GET /probe HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${line}${line}\r\n`),
      );
      let text = "";
      socket.on("data", (chunk) => (text += chunk.toString()));
      socket.on("end", () => {
        resolve(text);
      });
      socket.on("error", reject);
    });
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  });
});

test("attack 77: a token of the previous key stays valid after a rotation, and is renewed with the new key", async () => {
  await api.secrets.save({ purpose: tokenKeyPurpose, value: makeTokenKey() });
  await database.query(
    "update secrets set created_at = created_at - interval '25 hours' where purpose = $1",
    [tokenKeyPurpose],
  );
  const later = await aTestApi({ ...environment, DATABASE_URL: api.databaseUrl });
  const laterProbe = await aProbe(later);
  try {
    expect((await laterProbe.ask(`Bearer ${good.access_token}`)).statusCode).toBe(200);
    const renewed = (await renew(later, client, good.refresh_token)).json<TestTokens>();
    const [before, after] = [partsOf(good.access_token), partsOf(renewed.access_token)];
    expect(after.headerRead["kid"]).not.toBe(before.headerRead["kid"]);
    expect((await laterProbe.ask(`Bearer ${renewed.access_token}`)).statusCode).toBe(200);
  } finally {
    await laterProbe.close();
    await later.close();
  }
});
