import pg from "pg";
import {
  decodeJwt,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  importJWK,
  SignJWT,
  type CryptoKey,
  type JWK,
} from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aTestApi, exceedLimit, type TestApi } from "../../test/test-api.ts";
import {
  aMessage,
  askNonce,
  aWallet,
  bearer,
  highTwin,
  signIn,
  verify,
  type SignedIn,
} from "../../test/sign-in.ts";

let api: TestApi;
beforeAll(async () => {
  api = await aTestApi();
});
afterAll(() => api.close());

const post = (url: string, payload: object, headers: Record<string, string> = {}) =>
  api.http.send({ method: "POST", url, payload, headers });
const get = (url: string, headers: Record<string, string> = {}) => api.http.send({ url, headers });
const refresh = (refreshToken: string) => post("/auth/refresh", { refreshToken });
const isLive = async (who: Pick<SignedIn, "accessToken">): Promise<boolean> =>
  (await get("/auth/me", bearer(who))).statusCode === 200;

async function inDatabase(statement: string, values: readonly unknown[] = []): Promise<void> {
  const client = new pg.Client(api.databaseUrl);
  await client.connect();
  await client.query(statement, [...values]).finally(() => client.end());
}

describe("POST /auth/siwe/nonce", () => {
  test("200: an unpredictable challenge", async () => {
    const answer = await post("/auth/siwe/nonce", { walletAddress: aWallet().address });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ nonce: expect.stringMatching(/^[0-9a-f]{32}$/) as string });
  });
  test("400: for a malformed address", async () => {
    expect((await post("/auth/siwe/nonce", { walletAddress: "0x12" })).statusCode).toBe(400);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await exceedLimit(api, { method: "POST", url: "/auth/siwe/nonce" })).toBe(429);
  });
});

describe("POST /auth/siwe/verify", () => {
  test("200: signs a wallet in, the same user each time, with its checksummed address", async () => {
    const wallet = aWallet();
    const first = await signIn(api, wallet);
    expect(first.user.ethereumAddress).toBe(wallet.address);
    expect((await signIn(api, wallet)).user).toEqual(first.user);
    expect(decodeJwt(first.accessToken)).toMatchObject({
      iss: "https://api.example",
      aud: "https://api.example",
      sub: first.user.id,
    });
  });

  test("400: for a message followed by other text", async () => {
    const wallet = aWallet();
    const message = `${aMessage(wallet.address, await askNonce(api, wallet.address))}\nand transfer everything`;
    expect((await verify(api, message, await wallet.signMessage({ message }))).statusCode).toBe(400);
  });
  test("400: without a signature", async () => {
    expect((await post("/auth/siwe/verify", { message: "hello" })).statusCode).toBe(400);
  });

  test("401: a message and signature that were used before", async () => {
    const wallet = aWallet();
    const message = aMessage(wallet.address, await askNonce(api, wallet.address));
    const signature = await wallet.signMessage({ message });
    expect((await verify(api, message, signature)).statusCode).toBe(200);
    expect((await verify(api, message, signature)).statusCode).toBe(401);
  });
  test("401: a nonce that was issued to another address", async () => {
    const wallet = aWallet();
    const message = aMessage(wallet.address, await askNonce(api, aWallet().address));
    expect((await verify(api, message, await wallet.signMessage({ message }))).statusCode).toBe(401);
  });
  test("401: a nonce that was never issued", async () => {
    const wallet = aWallet();
    const message = aMessage(wallet.address, "0123456789abcdef");
    expect((await verify(api, message, await wallet.signMessage({ message }))).statusCode).toBe(401);
  });
  test("401: a signature by another key, which also consumes the nonce", async () => {
    const wallet = aWallet();
    const message = aMessage(wallet.address, await askNonce(api, wallet.address));
    expect((await verify(api, message, await aWallet().signMessage({ message }))).statusCode).toBe(401);
    expect((await verify(api, message, await wallet.signMessage({ message }))).statusCode).toBe(401);
  });
  test.each([
    ["another domain", { domain: "evil.example" }],
    ["another page", { uri: "https://evil.example/" }],
    ["an old date", { issuedAt: new Date("2001-01-01T00:00:00Z") }],
    ["an expiry that has passed", { expirationTime: new Date("2001-01-01T00:00:00Z") }],
  ])("401: %s, with the same message as every other failure", async (_, more) => {
    const wallet = aWallet();
    const message = aMessage(wallet.address, await askNonce(api, wallet.address), more);
    const answer = await verify(api, message, await wallet.signMessage({ message }));
    expect(answer.json()).toEqual({ statusCode: 401, message: "Sign-in failed", error: "Unauthorized" });
    expect(answer.headers["www-authenticate"]).toBe("Bearer");
  });
  test("401: an expired nonce", async () => {
    const wallet = aWallet();
    const nonce = await askNonce(api, wallet.address);
    await inDatabase("update sign_in_nonces set expires_at = now() where nonce = $1", [nonce]);
    const message = aMessage(wallet.address, nonce);
    expect((await verify(api, message, await wallet.signMessage({ message }))).statusCode).toBe(401);
  });
  test.each([
    ["its high-s twin", highTwin],
    ["64 bytes of it", (signature: string) => signature.slice(0, -2)],
    ["all of it twice", (signature: string) => signature + signature.slice(2)],
  ])(
    "401: a valid signature changed to %s, before and after the real one: never a second login",
    async (_, change) => {
      const wallet = aWallet();
      const messages = [1, 2].map(async () => aMessage(wallet.address, await askNonce(api, wallet.address)));
      const [first = "", second = ""] = await Promise.all(messages);
      const changed = change(await wallet.signMessage({ message: first }));
      expect((await verify(api, first, changed)).statusCode).toBe(401);
      const real = await wallet.signMessage({ message: second });
      expect((await verify(api, second, real)).statusCode).toBe(200);
      expect((await verify(api, second, change(real))).statusCode).toBe(401);
    },
  );
  test.each([
    ["another version", (message: string) => message.replace("Version: 1", "Version: 2")],
    ["line ends of another system", (message: string) => message.replaceAll("\n", "\r\n")],
    ["a second message after it", (message: string) => `${message}\n\n${message}`],
    ["a second message in its statement", (message: string) => message.replace("Sign in to", `${message}\n`)],
    ["a second nonce", (message: string) => message.replace(/(Nonce: .*)/, "$1\nNonce: 0123456789abcdef")],
  ])("400: a message with %s, even if it is signed correctly", async (_, change) => {
    const wallet = aWallet();
    const message = change(aMessage(wallet.address, await askNonce(api, wallet.address)));
    expect((await verify(api, message, await wallet.signMessage({ message }))).statusCode).toBe(400);
  });
  test("401: all but one of a hundred concurrent requests with the same nonce", async () => {
    const wallet = aWallet();
    const message = aMessage(wallet.address, await askNonce(api, wallet.address));
    const signature = await wallet.signMessage({ message });
    const answers = await Promise.all(Array.from({ length: 100 }, () => verify(api, message, signature)));
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    expect(answers.filter(({ statusCode }) => statusCode === 401)).toHaveLength(99);
  });

  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await exceedLimit(api, { method: "POST", url: "/auth/siwe/verify" })).toBe(429);
  });

  test("429: blocks the 11th contract wallet of an address within a minute, before its chain is queried; plain wallets pass", async () => {
    const away = await aTestApi({ RPC_URLS: "11155111=http://127.0.0.1:9" });
    const remoteAddress = "10.4.0.1";
    const signInAs = async (address: `0x${string}`, signer: ReturnType<typeof aWallet>, from: string) => {
      const message = aMessage(address, await askNonce(away, address));
      const payload = { message, signature: await signer.signMessage({ message }) };
      return away.http.send({ method: "POST", url: "/auth/siwe/verify", payload, remoteAddress: from });
    };
    const contract = (from: string) => signInAs(aWallet().address, aWallet(), from);
    for (let count = 0; count < 10; count++) expect((await contract(remoteAddress)).statusCode).toBe(503);
    const refused = await contract(remoteAddress);
    expect(refused.statusCode).toBe(429);
    expect(refused.headers).toMatchObject({
      "x-ratelimit-limit": "10",
      "x-ratelimit-remaining": "0",
      "retry-after": expect.stringMatching(/^\d+$/) as string,
    });
    const plain = aWallet();
    expect((await signInAs(plain.address, plain, remoteAddress)).statusCode).toBe(200);
    expect((await contract("10.4.0.2")).statusCode).toBe(503);
    await away.close();
  });

  test("503: when a contract wallet's chain is unavailable", async () => {
    const away = await aTestApi({ RPC_URLS: "11155111=http://127.0.0.1:9" });
    const contract = aWallet();
    const message = aMessage(contract.address, await askNonce(away, contract.address));
    expect((await verify(away, message, await aWallet().signMessage({ message }))).statusCode).toBe(503);
    await away.close();
  });
});

describe("POST /auth/refresh", () => {
  test("200: a new pair, and the old access token stays valid", async () => {
    const who = await signIn(api);
    const answer = await refresh(who.refreshToken);
    expect(answer.statusCode).toBe(200);
    const next = answer.json<SignedIn>();
    expect(next.refreshToken).not.toBe(who.refreshToken);
    expect([await isLive(who), await isLive(next)]).toEqual([true, true]);
    expect((await refresh(next.refreshToken)).statusCode).toBe(200);
  });
  test("400: without a token", async () => {
    expect((await post("/auth/refresh", {})).statusCode).toBe(400);
  });
  test("401: a token presented twice; shortly after, the session stays open", async () => {
    const who = await signIn(api);
    const next = (await refresh(who.refreshToken)).json<SignedIn>();
    expect((await refresh(who.refreshToken)).statusCode).toBe(401);
    expect((await refresh(next.refreshToken)).statusCode).toBe(200);
  });
  test("401: all but one of fifty concurrent requests with the same token", async () => {
    const who = await signIn(api);
    const answers = await Promise.all(Array.from({ length: 50 }, () => refresh(who.refreshToken)));
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
  });
  test("500: while the database is down; the token was not refused, and works again afterwards", async () => {
    const { refreshToken } = await signIn(api);
    await inDatabase("alter schema public rename to away");
    const failed = await refresh(refreshToken);
    await inDatabase("alter schema away rename to public");
    expect(failed.statusCode).toBe(500);
    expect((await refresh(refreshToken)).statusCode).toBe(200);
  });
  test("401: an access token, which is not a refresh token", async () => {
    const answer = await refresh((await signIn(api)).accessToken);
    expect([answer.statusCode, answer.headers["www-authenticate"]]).toEqual([401, "Bearer"]);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await exceedLimit(api, { method: "POST", url: "/auth/refresh" })).toBe(429);
  });
});

describe("POST /auth/logout", () => {
  test("204: ends that session at once, and no other", async () => {
    const wallet = aWallet();
    const [phone, laptop] = [await signIn(api, wallet), await signIn(api, wallet)];
    expect(
      (await post("/auth/logout", { refreshToken: phone.refreshToken }, bearer(laptop))).statusCode,
    ).toBe(204);
    expect([await isLive(phone), await isLive(laptop)]).toEqual([false, true]);
    expect((await refresh(phone.refreshToken)).statusCode).toBe(401);
  });
  test("204: changes nothing for another user's token", async () => {
    const [owner, other] = [await signIn(api), await signIn(api)];
    expect((await post("/auth/logout", { refreshToken: owner.refreshToken }, bearer(other))).statusCode).toBe(
      204,
    );
    expect((await refresh(owner.refreshToken)).statusCode).toBe(200);
  });
  test("400: without a token", async () => {
    expect((await post("/auth/logout", {}, bearer(await signIn(api)))).statusCode).toBe(400);
  });
  test("401: without signing in", async () => {
    expect((await post("/auth/logout", { refreshToken: "x" })).statusCode).toBe(401);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await exceedLimit(api, { method: "POST", url: "/auth/logout" })).toBe(429);
  });
});

describe("POST /auth/logout-all", () => {
  test("204: ends every session of the account at once, including the current one", async () => {
    const wallet = aWallet();
    const [phone, laptop, stranger] = [
      await signIn(api, wallet),
      await signIn(api, wallet),
      await signIn(api),
    ];
    expect((await post("/auth/logout-all", {}, bearer(phone))).statusCode).toBe(204);
    expect([await isLive(phone), await isLive(laptop), await isLive(stranger)]).toEqual([false, false, true]);
  });
  test("401: without signing in", async () => {
    expect((await post("/auth/logout-all", {})).statusCode).toBe(401);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await exceedLimit(api, { method: "POST", url: "/auth/logout-all" })).toBe(429);
  });
});

describe("GET /auth/validate", () => {
  test("200: for a valid token", async () => {
    const who = await signIn(api);
    expect((await get("/auth/validate", bearer(who))).json()).toEqual({ valid: true, user: who.user });
  });
  test("401: for an invalid one", async () => {
    expect((await get("/auth/validate", { authorization: "Bearer a.b.c" })).statusCode).toBe(401);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await exceedLimit(api, { method: "GET", url: "/auth/validate" })).toBe(429);
  });
});

describe("GET /auth/me", () => {
  test("200: the user of the token, with any letter case of Bearer", async () => {
    const who = await signIn(api);
    expect((await get("/auth/me", bearer(who))).json()).toEqual(who.user);
    expect((await get("/auth/me", { authorization: `bearer ${who.accessToken}` })).statusCode).toBe(200);
  });

  /** The same claims, signed with an attacker's key that the header names. */
  const signedWith =
    (header: Record<string, string>, withKey = false) =>
    async ({ accessToken }: SignedIn): Promise<string> => {
      const { privateKey, publicKey } = await generateKeyPair("ES256");
      const jwk = withKey ? { jwk: await exportJWK(publicKey) } : {};
      return new SignJWT(decodeJwt(accessToken))
        .setProtectedHeader({ alg: "ES256", typ: "at+jwt", ...header, ...jwk })
        .sign(privateKey);
    };

  /** Tokens that resemble ours. */
  const forgeries: readonly [string, (who: SignedIn) => Promise<string> | string][] = [
    [
      "no signature",
      ({ accessToken }) =>
        `${Buffer.from('{"alg":"none","typ":"at+jwt"}').toString("base64url")}.${accessToken.split(".")[1] ?? ""}.`,
    ],
    [
      "a changed payload",
      ({ accessToken }) => accessToken.replace(/\.[^.]+\./, (part) => `${part.slice(0, -2)}A.`),
    ],
    [
      "another key's signature",
      async ({ accessToken }) => {
        const { privateKey } = await generateKeyPair("ES256");
        const kid = "01890000-0000-7000-8000-000000000000";
        return new SignJWT(decodeJwt(accessToken))
          .setProtectedHeader({ alg: "ES256", typ: "at+jwt", kid })
          .sign(privateKey);
      },
    ],
    [
      "a signature by the public key as a shared secret",
      async ({ accessToken }) => {
        const { keys } = (await get("/.well-known/jwks.json")).json<{ keys: { kid: string }[] }>();
        const secret = new TextEncoder().encode(JSON.stringify(keys[0]));
        return new SignJWT(decodeJwt(accessToken))
          .setProtectedHeader({ alg: "HS256", typ: "at+jwt", kid: keys[0]?.kid ?? "" })
          .sign(secret);
      },
    ],
    [
      "a signature by the public key in PEM as a shared secret",
      async ({ accessToken }) => {
        const { keys } = (await get("/.well-known/jwks.json")).json<{ keys: [JWK & { kid: string }] }>();
        const pem = await exportSPKI((await importJWK(keys[0], "ES256")) as CryptoKey);
        return new SignJWT(decodeJwt(accessToken))
          .setProtectedHeader({ alg: "HS256", typ: "at+jwt", kid: keys[0].kid })
          .sign(new TextEncoder().encode(pem));
      },
    ],
    ["a path for the name of its key", signedWith({ kid: "../../../../../../dev/null" })],
    ["a query for the name of its key", signedWith({ kid: "' or 1=1 --" })],
    ["no name of a key", signedWith({})],
    ["its key in its own header", signedWith({}, true)],
    ["an address where its key is to be had", signedWith({ jku: "https://evil.example/jwks.json" })],
    ["an address of its certificate", signedWith({ x5u: "https://evil.example/chain.pem" })],
    ["the purpose of a refresh token", ({ refreshToken }) => refreshToken],
  ];
  test.each(forgeries)("401: a token with %s", async (_, forge) => {
    const who = await signIn(api);
    expect((await get("/auth/me", { authorization: `Bearer ${await forge(who)}` })).statusCode).toBe(401);
  });
  test("401: a token in the URL instead of the header", async () => {
    const { accessToken } = await signIn(api);
    expect((await get(`/auth/me?access_token=${accessToken}`)).statusCode).toBe(401);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await exceedLimit(api, { method: "GET", url: "/auth/me" })).toBe(429);
  });
});

describe("GET /auth/sessions", () => {
  test("200: the sessions of this account, with the current one marked, and no other account's", async () => {
    const wallet = aWallet();
    await signIn(api, wallet);
    const laptop = await signIn(api, wallet);
    await signIn(api);
    const sessions = (await get("/auth/sessions", bearer(laptop))).json<{ id: string; current: boolean }[]>();
    expect(sessions.map(({ current }) => current)).toEqual([true, false]);
  });
  describe("200: shows browser and address, so that an owner recognises each session:", () => {
    type Known = { readonly userAgent: string | null; readonly address: string | null };
    const sessionOf = async (who: SignedIn): Promise<Known | undefined> =>
      (await get("/auth/sessions", bearer(who))).json<Known[]>()[0];

    /** Signs in from that address with that user agent. */
    async function signInFrom(remoteAddress: string, userAgent?: string): Promise<SignedIn> {
      const { address, signMessage } = aWallet();
      const message = aMessage(address, await askNonce(api, address));
      const payload = { message, signature: await signMessage({ message }) };
      const headers: Record<string, string> = userAgent === undefined ? {} : { "user-agent": userAgent };
      const answer = await api.http.send({
        ...{ method: "POST", url: "/auth/siwe/verify", payload, headers, remoteAddress },
      });
      return answer.json<SignedIn>();
    }

    test("the browser's user agent and address", async () => {
      const who = await signInFrom("10.0.0.7", "Browser/1.0 (a laptop)");
      expect(await sessionOf(who)).toMatchObject({
        userAgent: "Browser/1.0 (a laptop)",
        address: "10.0.0.7",
      });
    });
    test("at most 300 printable characters of the user agent", async () => {
      const who = await signInFrom("10.0.0.7", `\u009b31m\u00e9${"x".repeat(500)}`);
      const { userAgent } = (await sessionOf(who)) ?? {};
      expect(userAgent).toMatch(/^\?+31m\?+x+$/);
      expect(userAgent).toHaveLength(300);
    });
    test.each([
      ["said nothing", undefined],
      ["said an empty text", ""],
    ])("no user agent for a browser that %s", async (_, userAgent) => {
      expect(await sessionOf(await signInFrom("10.0.0.7", userAgent))).toMatchObject({ userAgent: null });
    });
    test("the address of the last refresh, with the browser that signed in", async () => {
      const who = await signInFrom("10.0.0.7", "a laptop");
      const answer = await api.http.send({
        ...{ method: "POST", url: "/auth/refresh", payload: { refreshToken: who.refreshToken } },
        headers: { "user-agent": "something else" },
        remoteAddress: "2001:db8::7",
      });
      expect(answer.statusCode).toBe(200);
      expect(await sessionOf(who)).toMatchObject({ userAgent: "a laptop", address: "2001:db8::7" });
    });
    test("not the address of a rejected request", async () => {
      const who = await signInFrom("10.0.0.7", "a laptop");
      await refresh(who.refreshToken);
      const answer = await api.http.send({
        ...{ method: "POST", url: "/auth/refresh", payload: { refreshToken: who.refreshToken } },
        remoteAddress: "10.6.6.6",
      });
      expect(answer.statusCode).toBe(401);
      expect((await sessionOf(who))?.address).not.toBe("10.6.6.6");
    });
    test("null for a session from before this was recorded", async () => {
      const who = await signInFrom("10.0.0.7", "a laptop");
      await inDatabase("update sessions set user_agent = null, address = null where account = $1", [
        who.user.ethereumAddress.toLowerCase(),
      ]);
      expect(await sessionOf(who)).toMatchObject({ userAgent: null, address: null });
    });
  });
  test("401: without signing in", async () => {
    expect((await get("/auth/sessions")).statusCode).toBe(401);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await exceedLimit(api, { method: "GET", url: "/auth/sessions" })).toBe(429);
  });
});

describe("DELETE /auth/sessions/{id}", () => {
  const end = (id: string, headers: Record<string, string>) =>
    api.http.send({ method: "DELETE", url: `/auth/sessions/${id}`, headers });
  const sessionOf = ({ accessToken }: SignedIn): string => String(decodeJwt(accessToken)["sid"]);

  test("204: signs that device out at once", async () => {
    const wallet = aWallet();
    const [phone, laptop] = [await signIn(api, wallet), await signIn(api, wallet)];
    expect((await end(sessionOf(phone), bearer(laptop))).statusCode).toBe(204);
    expect([await isLive(phone), await isLive(laptop)]).toEqual([false, true]);
  });
  test("400: for a malformed id", async () => {
    expect((await end("nonsense", bearer(await signIn(api)))).statusCode).toBe(400);
  });
  test("401: without signing in", async () => {
    expect((await end(sessionOf(await signIn(api)), {})).statusCode).toBe(401);
  });
  test("404: for another user's session, which stays open", async () => {
    const [owner, other] = [await signIn(api), await signIn(api)];
    expect((await end(sessionOf(owner), bearer(other))).statusCode).toBe(404);
    expect(await isLive(owner)).toBe(true);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(
      await exceedLimit(api, {
        method: "DELETE",
        url: "/auth/sessions/01890000-0000-7000-8000-000000000000",
      }),
    ).toBe(429);
  });
});

describe("GET /.well-known/jwks.json", () => {
  test("200: the public keys without private parts, readable from any page", async () => {
    const answer = await get("/.well-known/jwks.json", { origin: "https://anybody.example" });
    const { keys } = answer.json<{ keys: Record<string, string>[] }>();
    expect(keys.map((key) => Object.keys(key).sort())).toEqual([
      ["alg", "crv", "kid", "kty", "use", "x", "y"],
    ]);
    expect(answer.headers).toMatchObject({
      "cache-control": "public, max-age=300",
      "access-control-allow-origin": "*",
    });
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await exceedLimit(api, { method: "GET", url: "/.well-known/jwks.json" })).toBe(429);
  });
});
