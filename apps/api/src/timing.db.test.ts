// The duration of a rejection must not reveal how close a guess was. Durations are noisy on a shared machine, so the
// test compares their cause: each pair of requests to the whole service must send the same statements to the
// database, in the same order, and get the same answer.
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { makeKeyAuthenticator } from "./api-keys/authenticate.ts";
import { isWellFormedKey, keyFromBytes, makeKey, recognisable } from "./api-keys/key-format.ts";
import { aTestApiWithKeys, type TestApiWithKeys } from "../test/api-keys.ts";
import { answersChallenge, makeCode } from "./connect/connection-code.ts";
import { aCode, aGrant, aPublicClient, aSecretClient, verifier, type TestClient } from "../test/oauth.ts";
import { aMessage, askNonce, aWallet, bearer, signIn, verify, type SignedIn } from "../test/sign-in.ts";

let api: TestApiWithKeys;
let database: pg.Client;
let who: SignedIn;
let account: `0x${string}`;
beforeAll(async () => {
  api = await aTestApiWithKeys();
  database = new pg.Client(api.databaseUrl);
  await database.connect();
  const wallet = aWallet();
  account = wallet.address.toLowerCase() as `0x${string}`;
  who = await signIn(api, wallet);
  // The first key of a process causes the pepper to be loaded.
  await api.http.send({ url: "/user-api-keys/self", headers: { "x-api-key": makeKey("user", "live") } });
});
afterAll(async () => {
  await database.end();
  await api.close();
});

let statements: string[] = [];
beforeEach(() => {
  // eslint-disable-next-line @typescript-eslint/unbound-method -- it is called with the client that it was taken from
  const original = pg.Client.prototype.query as (...args: unknown[]) => unknown;
  vi.spyOn(pg.Client.prototype, "query").mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    const [query] = args as [string | { readonly text: string }];
    statements.push(typeof query === "string" ? query : query.text);
    return original.apply(this, args) as never;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});

type Ask = Parameters<TestApiWithKeys["http"]["send"]>[0];

/** Everything by which an outsider could distinguish two rejections, except the duration. */
async function tell(ask: Ask) {
  statements = [];
  const { statusCode, headers, body } = await api.http.send(ask);
  const { date: _, "x-request-id": __, ...rest } = headers;
  const unlike = Object.entries(rest).filter(([name]) => !name.startsWith("x-ratelimit-"));
  return { statusCode, headers: Object.fromEntries(unlike), body, statements };
}

const self = (key: string) => tell({ url: "/user-api-keys/self", headers: { "x-api-key": key } });
const poll = (code: string, more = "") => tell({ url: `/auth/connect/status?code=${code}${more}` });

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** A key that differs in one character of its secret and has a valid checksum. Undefined for a few that have none. */
function neighbourOf(key: string): string | undefined {
  const secret = key.slice(key.lastIndexOf("_") + 1, -6);
  const value =
    Array.from(secret).reduce((sum, digit) => sum * 62n + BigInt(alphabet.indexOf(digit)), 0n) ^ 1n;
  const hex = value.toString(16).padStart(64, "0");
  return hex.length > 64 ? undefined : keyFromBytes("user", "live", Buffer.from(hex, "hex"));
}

/** A valid key, and another one with the same visible parts. */
async function aKeyAndItsNeighbour(): Promise<readonly [string, string]> {
  for (;;) {
    const { secret } = await api.issueKey({ account, type: "user" });
    const neighbour = neighbourOf(secret);
    if (neighbour !== undefined) return [secret, neighbour];
  }
}

describe("an API key", () => {
  test("that is unknown, or begins like a real one, or is revoked or expired, costs the same statements and gets the same answer", async () => {
    const issue = () => api.issueKey({ account, type: "user" });
    const [revoked, expired] = [await issue(), await issue()];
    const [good, wrong] = await aKeyAndItsNeighbour();
    expect(recognisable(wrong).prefix).toBe(recognisable(good).prefix);
    await database.query("update api_keys set active = false where id = $1", [revoked.id]);
    await database.query("update api_keys set expires_at = now() where id = $1", [expired.id]);
    const unknown = await self(makeKey("user", "live"));
    expect(unknown.statusCode).toBe(401);
    expect(unknown.statements).toHaveLength(1);
    for (const key of [wrong, revoked.secret, expired.secret]) {
      expect(isWellFormedKey(key)).toBe(true);
      expect(await self(key)).toEqual(unknown);
    }
    expect((await self(good)).statusCode).toBe(200);
  });
  test("is looked up by its HMAC under every pepper, never by a part of itself", async () => {
    const asked: (readonly Buffer[])[] = [];
    const values = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)] as const;
    const { authenticate } = makeKeyAuthenticator({
      peppers: async () => [
        { id: "new", value: values[0] },
        { id: "old", value: values[1] },
      ],
      store: { findUsable: async (hmacs: readonly Buffer[]) => void asked.push(hmacs) } as never,
    });
    const [one, other] = [makeKey("user", "live"), makeKey("admin", "test")];
    for (const key of [one, other])
      await authenticate({
        method: "GET",
        target: "/",
        headers: { "x-api-key": key },
        rawBody: "",
        ip: "10.0.0.1",
      });
    expect(asked.map((hmacs) => hmacs.map(({ length }) => length))).toEqual([
      [32, 32],
      [32, 32],
    ]);
    expect(new Set(asked.flat().map((hmac) => hmac.toString("hex"))).size).toBe(4);
  });
});

describe("a connection code", () => {
  test("that is unknown costs the same as one without its verifier or with a wrong one, pending, ready or expired", async () => {
    const wrong = "v".repeat(43);
    const payload = { codeChallenge: "A".repeat(43) };
    const aCode = async (): Promise<string> =>
      (await api.http.send({ method: "POST", url: "/auth/connect/initiate", payload })).json<{
        code: string;
      }>().code;
    const [pending, ready, expired] = [await aCode(), await aCode(), await aCode()];
    const approval = { payload: { code: ready }, headers: bearer(who) };
    await api.http.send({ method: "POST", url: "/auth/connect/approve", ...approval });
    const unknown = await poll(makeCode());
    expect(unknown.statusCode).toBe(404);
    for (const code of [pending, ready]) {
      expect(await poll(code)).toEqual(unknown);
      expect(await poll(code, `&codeVerifier=${wrong}`)).toEqual(unknown);
    }
    await database.query("update connections set expires_at = now() where code_hash = sha256($1)", [
      Buffer.from(expired),
    ]);
    expect(await poll(expired)).toEqual(unknown);
  });
  test.each(["", "short", "v".repeat(10_000)])(
    "compares a verifier as a hash of fixed length, whatever its own: %#",
    (verifier) => {
      expect(answersChallenge("A".repeat(43), verifier)).toBe(false);
    },
  );
});

describe("a sign-in", () => {
  test("with a nonce that is unknown, used or another address's costs the same, whether the address has a user or not", async () => {
    const attempt = async (wallet: ReturnType<typeof aWallet>, nonce: string) => {
      const message = aMessage(wallet.address, nonce);
      const payload = { message, signature: await wallet.signMessage({ message }) };
      return tell({ method: "POST", url: "/auth/siwe/verify", payload });
    };
    const [known, stranger] = [aWallet(), aWallet()];
    const used = await askNonce(api, known.address);
    const message = aMessage(known.address, used);
    await verify(api, message, await known.signMessage({ message }));
    const unknown = await attempt(stranger, "0123456789abcdef");
    expect(unknown.statusCode).toBe(401);
    expect(await attempt(known, "0123456789abcdef")).toEqual(unknown);
    expect(await attempt(known, used)).toEqual(unknown);
    expect(await attempt(known, await askNonce(api, stranger.address))).toEqual(unknown);
  });
  test("requests a challenge in the same way for an address with and without a user", async () => {
    const ask = async (walletAddress: string) => {
      const { statements: put, statusCode } = await tell({
        method: "POST",
        url: "/auth/siwe/nonce",
        payload: { walletAddress },
      });
      return { put, statusCode };
    };
    expect(await ask(account)).toEqual(await ask(aWallet().address));
  });
});

describe("the token endpoint", () => {
  const ask = (payload: object) => tell({ method: "POST", url: "/oauth/token", payload });
  const renew = ({ client_id }: TestClient, refresh_token: string) =>
    ask({ grant_type: "refresh_token", refresh_token, client_id });
  const redeem = ({ client_id }: TestClient, code: string) =>
    ask({ grant_type: "authorization_code", code, code_verifier: verifier, client_id });

  test("rejects a code or a refresh token of another client like an unknown one", async () => {
    const [client, other] = [await aPublicClient(api), await aPublicClient(api)];
    const { refresh_token: token } = await aGrant(api, other, { who });
    const code = await aCode(api, other, { who });
    const unknown = await renew(client, "x".repeat(43));
    expect(unknown.statusCode).toBe(400);
    expect(await renew(client, token)).toEqual(unknown);
    const noCode = await redeem(client, "x".repeat(43));
    expect(noCode.statusCode).toBe(400);
    expect(await redeem(client, code)).toEqual(noCode);
  });
  test("rejects a wrong secret like a missing one, and both like an unknown client", async () => {
    const { client_id, client_secret } = await aSecretClient(api);
    const prove = (more: object) =>
      ask({ grant_type: "refresh_token", refresh_token: "x", client_id, ...more });
    const unknown = await prove({ client_id: "01890000-0000-7000-8000-000000000000" });
    expect(unknown.statusCode).toBe(401);
    expect(await prove({})).toEqual(unknown);
    expect(await prove({ client_secret: "x" })).toEqual(unknown);
    expect(await prove({ client_secret: `${client_secret.slice(0, -1)}_` })).toEqual(unknown);
  });
});

describe("another account", () => {
  test("is rejected in the same way whether it exists or not, without a query about it", async () => {
    const other = (await signIn(api)).user.ethereumAddress;
    const read = (address: string) => tell({ url: `/settings/by-ethereum/${address}`, headers: bearer(who) });
    const refused = await read(other);
    expect(refused.statusCode).toBe(403);
    expect(await read(aWallet().address)).toEqual(refused);
  });
  test("has keys, sessions and grants that are rejected like unknown ones", async () => {
    const other = await signIn(api);
    const { id } = await api.issueKey({
      account: other.user.ethereumAddress.toLowerCase() as never,
      type: "user",
    });
    const sessions = await api.http.send({ url: "/auth/sessions", headers: bearer(other) });
    const [session] = sessions.json<{ id: string }[]>();
    const missing = "01890000-0000-7000-8000-000000000000";
    const remove = (url: string) => tell({ method: "DELETE", url, headers: bearer(who) });
    const noKey = await remove(`/user-api-keys/${missing}`);
    expect(noKey.statusCode).toBe(404);
    expect(await remove(`/user-api-keys/${id}`)).toEqual(noKey);
    const noSession = await remove(`/auth/sessions/${missing}`);
    expect(noSession.statusCode).toBe(404);
    expect(await remove(`/auth/sessions/${session?.id ?? ""}`)).toEqual(noSession);
    await aGrant(api, await aPublicClient(api), { who: other });
    const grants = await api.http.send({ url: "/oauth/grants", headers: bearer(other) });
    const noGrant = await remove(`/oauth/grants/${missing}`);
    expect(noGrant.statusCode).toBe(404);
    expect(await remove(`/oauth/grants/${grants.json<{ id: string }[]>()[0]?.id ?? ""}`)).toEqual(noGrant);
  });
});
