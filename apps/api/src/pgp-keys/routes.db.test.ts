import { enums, generateKey, readKey, revokeKey, readPrivateKey } from "openpgp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { signatureHeaders } from "../../test/signed-requests.ts";
import { aWallet, bearer } from "../../test/sign-in.ts";
import { aTestApi, exceedLimit, type TestApi } from "../../test/test-api.ts";
import { aKeyOwner, aKeyPair, aPublicKey, register, type KeyOwner } from "../../test/pgp-keys.ts";

let api: TestApi;
beforeAll(async () => {
  api = await aTestApi();
});
afterAll(() => api.close());

type Registered = { readonly fingerprint: string; readonly transactionHash: string | null };
const profile = ({ who }: KeyOwner) => api.http.send({ url: "/user-api-keys/profile", headers: bearer(who) });
const fingerprintOf = async (armoredKey: string) => (await readKey({ armoredKey })).getFingerprint();

async function aRevokedKey(): Promise<string> {
  const { privateKey } = await aKeyPair();
  const key = await readPrivateKey({ armoredKey: privateKey });
  return (await revokeKey({ key, format: "armored" })).publicKey;
}

async function aKeyThatOnlySigns(): Promise<string> {
  const userIDs = [{ email: "signer@example.org" }];
  return (await generateKey({ userIDs, subkeys: [], format: "armored" })).publicKey;
}

const oldKey = async (): Promise<string> =>
  (await aKeyPair({ date: new Date("2020-01-01"), keyExpirationTime: 3600 })).publicKey;

/** The packets of a private key under the label of a public key. */
const aDisguisedPrivateKey = async (): Promise<string> =>
  (await aKeyPair()).privateKey.replaceAll("PRIVATE KEY BLOCK", "PUBLIC KEY BLOCK");

async function twoKeysInOneBlock(): Promise<string> {
  const [one, two] = await Promise.all(
    [await aPublicKey(), await aPublicKey()].map((armoredKey) => readKey({ armoredKey })),
  );
  const { armor } = await import("openpgp");
  const packets = Buffer.concat([one?.write() ?? [], two?.write() ?? []].map((part) => Buffer.from(part)));
  return armor(enums.armor.publicKey, packets);
}

describe("POST /user-api-keys/register", () => {
  test("201: stores the key, which is not on the chain yet", async () => {
    const owner = await aKeyOwner(api);
    const key = await aPublicKey();
    const answer = await register(api, owner, key);
    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toEqual({
      registered: true,
      fingerprint: await fingerprintOf(key),
      transactionHash: null,
    });
  });
  test("201: a new key replaces the old one; the same key again changes nothing", async () => {
    const owner = await aKeyOwner(api);
    const [old, newer] = [await aPublicKey(), await aPublicKey()];
    await register(api, owner, old);
    const first = await register(api, owner, newer);
    const before = (await profile(owner)).body;
    expect((await register(api, owner, newer)).body).toBe(first.body);
    expect((await profile(owner)).body).toBe(before);
    expect((await profile(owner)).json()).toMatchObject({ pgp: { publicKey: newer } });
  });
  test("201: concurrent registrations leave exactly one key", async () => {
    const owner = await aKeyOwner(api);
    const keys = await Promise.all([aPublicKey(), aPublicKey(), aPublicKey(), aPublicKey()]);
    const answers = await Promise.all(keys.map((key) => register(api, owner, key)));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 201, 201, 201]);
    const { pgp } = (await profile(owner)).json<{ pgp: { publicKey: string; fingerprint: string } }>();
    expect(keys).toContain(pgp.publicKey);
    expect(pgp.fingerprint).toBe(await fingerprintOf(pgp.publicKey));
  });
  test("201: a key from a clock that is some minutes ahead of ours", async () => {
    const { publicKey } = await aKeyPair({ date: new Date(Date.now() + 5 * 60_000) });
    expect((await register(api, await aKeyOwner(api), publicKey)).statusCode).toBe(201);
  });
  test.each([
    ["no key at all", async () => "hello", "exactly one"],
    ["a block that is not a key", async () => armoured("AAAA"), "exactly one"],
    ["two blocks", async () => (await aPublicKey()) + (await aPublicKey()), "exactly one"],
    ["two keys in one block", twoKeysInOneBlock, "exactly one"],
    ["words around the block", async () => `my key: ${await aPublicKey()}`, "exactly one"],
    ["a private key", async () => (await aKeyPair()).privateKey, "private key"],
    ["a private key that is labelled public", aDisguisedPrivateKey, "private key"],
    ["an expired key", oldKey, "cannot be used for encryption"],
    ["a revoked key", aRevokedKey, "cannot be used for encryption"],
    ["a key that only signs", aKeyThatOnlySigns, "cannot be used for encryption"],
    ["a text of more than 32 kB", async () => `${await aPublicKey()}${" ".repeat(32 * 1024)}`, "32 kB"],
  ])("400: %s, even if it is signed correctly", async (_, make, reason) => {
    const answer = await register(api, await aKeyOwner(api), await make());
    expect(answer.statusCode).toBe(400);
    expect(answer.json<{ message: string }>().message).toContain(reason);
  });
  test("400: a signature by another wallet, over another text, or missing", async () => {
    const [owner, other] = [await aKeyOwner(api), await aKeyOwner(api)];
    const key = await aPublicKey();
    const foreign = await other.wallet.signMessage({ message: key });
    const trimmed = await owner.wallet.signMessage({ message: key.trim() });
    for (const signature of [foreign, trimmed, "0x", "0x0", "nonsense", undefined])
      expect((await register(api, owner, key, { signature })).statusCode).toBe(400);
    expect((await profile(owner)).json()).toMatchObject({ pgp: { registered: false } });
  });
  test("401: without signing in", async () => {
    const answer = await api.http.send({ method: "POST", url: "/user-api-keys/register", payload: {} });
    expect(answer.statusCode).toBe(401);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await exceedLimit(api, { method: "POST", url: "/user-api-keys/register" })).toBe(429);
  });
  test("429: blocks the 11th contract wallet signature of an address within a minute, across endpoints", async () => {
    const away = await aTestApi({ RPC_URLS: "11155111=http://127.0.0.1:9" });
    try {
      const owner = await aKeyOwner(away);
      const key = await aPublicKey();
      const ofContract = { signature: `0x${"ab".repeat(100)}` };
      for (let count = 0; count < 9; count++)
        expect((await register(away, owner, key, ofContract)).statusCode).toBe(503);
      const elsewhere = await away.http.send({
        url: `/users/${owner.wallet.address}`,
        headers: await signatureHeaders(aWallet(), { account: owner.wallet.address }).then((headers) => ({
          ...headers,
          "x-ethereum-address": owner.wallet.address,
        })),
      });
      expect(elsewhere.statusCode).toBe(401);
      expect((await register(away, owner, key, ofContract)).statusCode).toBe(429);
      expect((await register(away, owner, key)).statusCode).toBe(201);
    } finally {
      await away.close();
    }
  });
  test("503: a contract wallet's signature while its chain is unavailable; nothing is stored", async () => {
    const away = await aTestApi({ RPC_URLS: "11155111=http://127.0.0.1:9" });
    try {
      const owner = await aKeyOwner(away);
      const answer = await register(away, owner, await aPublicKey(), { signature: `0x${"ab".repeat(100)}` });
      expect(answer.statusCode).toBe(503);
    } finally {
      await away.close();
    }
  });
});

const armoured = (content: string): string =>
  `-----BEGIN PGP PUBLIC KEY BLOCK-----\n\n${content}\n-----END PGP PUBLIC KEY BLOCK-----\n`;

describe("GET /user-api-keys/profile", () => {
  test("200: my user, my OpenPGP key and my API keys", async () => {
    const owner = await aKeyOwner(api);
    const headers = bearer(owner.who);
    await api.http.send({ method: "POST", url: "/user-api-keys", payload: { name: "agent" }, headers });
    const key = await aPublicKey();
    const { fingerprint } = (await register(api, owner, key)).json<Registered>();
    expect((await profile(owner)).json()).toEqual({
      user: owner.who.user,
      pgp: {
        registered: true,
        publicKey: key,
        fingerprint,
        registeredAt: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      },
      apiKeys: (await api.http.send({ url: "/user-api-keys", headers })).json<unknown[]>(),
    });
  });
  test("200: for a user who registered nothing", async () => {
    const owner = await aKeyOwner(api);
    expect((await profile(owner)).json()).toEqual({
      user: owner.who.user,
      pgp: { registered: false, publicKey: null, fingerprint: null, registeredAt: null },
      apiKeys: [],
    });
  });
  test("401: without signing in", async () => {
    expect((await api.http.send("/user-api-keys/profile")).statusCode).toBe(401);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await exceedLimit(api, { method: "GET", url: "/user-api-keys/profile" })).toBe(429);
  });
});
