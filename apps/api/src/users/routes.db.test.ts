import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aWallet, bearer, signIn } from "../../test/sign-in.ts";
import { signatureHeaders } from "../../test/signed-requests.ts";
import { exceedLimit } from "../../test/test-api.ts";
import { aTestApiWithKeys, type TestApiWithKeys } from "../../test/api-keys.ts";

let api: TestApiWithKeys;
let adminKey: string;
beforeAll(async () => {
  api = await aTestApiWithKeys();
  adminKey = await api.issueServerKey("admin");
});
afterAll(() => api.close());

type Wallet = ReturnType<typeof aWallet>;
type Headers = Record<string, string>;

const withKey = (secret: string): Headers => ({ "x-api-key": secret });
const create = (payload: object, headers: Headers) =>
  api.http.send({ method: "POST", url: "/users", payload, headers });
const createSigned = async (wallet: Wallet, payload: object) =>
  create(
    payload,
    await signatureHeaders(wallet, { method: "POST", target: "/users", body: JSON.stringify(payload) }),
  );
const read = (address: string, headers: Headers) => api.http.send({ url: `/users/${address}`, headers });

/** An owner with a user and an API key. */
async function anOwner() {
  const wallet = aWallet();
  const who = await signIn(api, wallet);
  const made = await api.http.send({
    method: "POST",
    url: "/user-api-keys",
    payload: { name: "my agent" },
    headers: bearer(who),
  });
  return { wallet, user: who.user, key: made.json<{ secret: string }>().secret };
}

describe("POST /users", () => {
  test("201: an address creates its own user, which it gets on sign-in", async () => {
    const wallet = aWallet();
    const answer = await createSigned(wallet, { ethereumAddress: wallet.address });
    expect(answer.statusCode).toBe(201);
    const user = answer.json<{ id: string }>();
    expect(user).toEqual({
      id: expect.any(String) as string,
      ethereumAddress: wallet.address,
      createdAt: expect.any(String) as string,
    });
    expect((await signIn(api, wallet)).user).toEqual({ id: user.id, ethereumAddress: wallet.address });
  });
  test.each(["admin", "orion"] as const)("201: the %s key creates a user for any address", async (type) => {
    const { address } = aWallet();
    const key = await api.issueServerKey(type);
    const answer = await create({ ethereumAddress: address.toLowerCase() }, withKey(key));
    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toMatchObject({ ethereumAddress: address });
  });

  test("400: for a malformed address", async () => {
    expect((await create({ ethereumAddress: "0x12" }, withKey(adminKey))).statusCode).toBe(400);
  });
  test("400: with a PGP key, which would be lost; no user is created", async () => {
    const { address } = aWallet();
    const answer = await create({ ethereumAddress: address, pgpPublicKey: "-----BEGIN" }, withKey(adminKey));
    expect(answer.json()).toMatchObject({
      statusCode: 400,
      message:
        "pgpPublicKey is not accepted here: register it with the owner's signature at POST /user-api-keys/register",
    });
    expect((await read(address, withKey(adminKey))).statusCode).toBe(404);
  });
  test("400: with a signature and a key", async () => {
    const wallet = aWallet();
    const payload = { ethereumAddress: wallet.address };
    const signed = await signatureHeaders(wallet, {
      method: "POST",
      target: "/users",
      body: JSON.stringify(payload),
    });
    expect((await create(payload, { ...signed, ...withKey(adminKey) })).statusCode).toBe(400);
  });

  test("401: without a credential", async () => {
    expect((await create({ ethereumAddress: aWallet().address }, {})).statusCode).toBe(401);
  });
  test("401: with a session token", async () => {
    const who = await signIn(api);
    expect((await create({ ethereumAddress: aWallet().address }, bearer(who))).statusCode).toBe(401);
  });
  test("401: a signature over another body", async () => {
    const wallet = aWallet();
    const headers = await signatureHeaders(wallet, { method: "POST", target: "/users", body: "{}" });
    expect((await create({ ethereumAddress: wallet.address }, headers)).statusCode).toBe(401);
  });

  test("403: a signature for another address, whether it has a user or not", async () => {
    const { user } = await anOwner();
    for (const ethereumAddress of [user.ethereumAddress, aWallet().address])
      expect((await createSigned(aWallet(), { ethereumAddress })).statusCode).toBe(403);
  });
  test("403: a user's API key, even for its own address", async () => {
    const { key, user } = await anOwner();
    for (const ethereumAddress of [user.ethereumAddress, aWallet().address])
      expect((await create({ ethereumAddress }, withKey(key))).statusCode).toBe(403);
  });

  test("409: for an address that has a user, in any letter case", async () => {
    const { wallet, user } = await anOwner();
    const lowerCase = user.ethereumAddress.toLowerCase();
    expect((await create({ ethereumAddress: lowerCase }, withKey(adminKey))).statusCode).toBe(409);
    expect((await createSigned(wallet, { ethereumAddress: wallet.address })).statusCode).toBe(409);
  });
  test("409: for all but one of ten concurrent requests", async () => {
    const payload = { ethereumAddress: aWallet().address };
    const answers = await Promise.all(Array.from({ length: 10 }, () => create(payload, withKey(adminKey))));
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, ...Array<number>(9).fill(409)]);
  });

  test("201: again with the same Idempotency-Key, and 409 with another body", async () => {
    const payload = { ethereumAddress: aWallet().address };
    const headers = { ...withKey(adminKey), "idempotency-key": payload.ethereumAddress };
    const [first, again] = [await create(payload, headers), await create(payload, headers)];
    expect([first.statusCode, again.statusCode, again.body]).toEqual([201, 201, first.body]);
    expect(again.headers["idempotent-replayed"]).toBe("true");
    expect((await create({ ethereumAddress: aWallet().address }, headers)).statusCode).toBe(409);
    expect((await create(payload, withKey(adminKey))).statusCode).toBe(409);
  });
  test("409: a rejected request is not stored under its Idempotency-Key", async () => {
    const { wallet } = await anOwner();
    const headers = { ...withKey(adminKey), "idempotency-key": wallet.address };
    expect((await create({ ethereumAddress: wallet.address }, headers)).statusCode).toBe(409);
    expect((await create({ ethereumAddress: aWallet().address }, headers)).statusCode).toBe(201);
  });
  test("400: for a malformed Idempotency-Key", async () => {
    const headers = { ...withKey(adminKey), "idempotency-key": "two words" };
    expect((await create({ ethereumAddress: aWallet().address }, headers)).statusCode).toBe(400);
  });

  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await exceedLimit(api, { method: "POST", url: "/users" })).toBe(429);
  });
});

describe("GET /users/{ethereumAddress}", () => {
  test("200: the whole user to the owner, by signature and by key, and to server keys", async () => {
    const { wallet, user, key } = await anOwner();
    const orionKey = await api.issueServerKey("orion");
    const credentials = [await signatureHeaders(wallet), withKey(key), withKey(adminKey), withKey(orionKey)];
    for (const headers of credentials) {
      const answer = await read(wallet.address, headers);
      expect(answer.statusCode).toBe(200);
      expect(answer.json()).toEqual({
        ...user,
        createdAt: expect.any(String) as string,
        pgp: { registered: false, fingerprint: null },
      });
    }
  });
  test("200: without pgp to any other caller, by signature and by key", async () => {
    const [{ wallet, user }, other] = [await anOwner(), await anOwner()];
    const target = `/users/${wallet.address}`;
    for (const headers of [withKey(other.key), await signatureHeaders(other.wallet, { target })])
      expect((await read(wallet.address, headers)).json()).toEqual({
        ...user,
        createdAt: expect.any(String) as string,
      });
  });
  test("400: for a malformed address", async () => {
    expect((await read("vitalik.eth", withKey(adminKey))).statusCode).toBe(400);
  });
  test("401: without a credential, and with a session token", async () => {
    const { wallet } = await anOwner();
    expect((await read(wallet.address, {})).statusCode).toBe(401);
    expect((await read(wallet.address, bearer(await signIn(api)))).statusCode).toBe(401);
  });
  test("404: for an address without a user, with or without its owner's signature", async () => {
    const wallet = aWallet();
    expect((await read(wallet.address, withKey(adminKey))).statusCode).toBe(404);
    expect((await read(wallet.address, await signatureHeaders(wallet))).statusCode).toBe(404);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await exceedLimit(api, { method: "GET", url: "/users/0x12" })).toBe(429);
  });
});
