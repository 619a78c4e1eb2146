import { generateKeyPairSync } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  startWalletProviderStandIn,
  type WalletProviderStandIn,
} from "../../../../tools/stand-ins/wallet-provider/stand-in.ts";
import { aTestApiWithKeys, type TestApiWithKeys } from "../../test/api-keys.ts";
import { aWallet, bearer, signIn, type SignedIn } from "../../test/sign-in.ts";
import { aTestApi, exceedLimit, type TestApi } from "../../test/test-api.ts";
import { pemOf } from "./public-key.ts";
import { app, aPem, settingsFor } from "../../test/quorums.ts";

let standIn: WalletProviderStandIn;
/** With a provider. */
let api: TestApiWithKeys;
/** Without one. */
let alone: TestApi;
beforeAll(async () => {
  standIn = await startWalletProviderStandIn(app);
  api = await aTestApiWithKeys(settingsFor(standIn.url));
  alone = await aTestApi();
});
beforeEach(() => {
  standIn.behave("good");
});
afterAll(async () => {
  await alone.close();
  await api.close();
  await standIn.close();
});

type Shown = {
  readonly type: string;
  readonly displayName: string;
  readonly quorumId: string;
  readonly threshold: number;
  readonly p256PublicKeys: readonly string[];
  readonly static: boolean;
};

const path = "/settings/register-provider-quorum";
const pathOf = (type: string): string => `/settings/provider-quorum/${type}`;

const register = (who: SignedIn, payload: object, at: TestApi = api) =>
  at.http.send({ method: "POST", url: path, payload, headers: bearer(who) });
const put = (who: SignedIn, payload: object, type = "execution", at: TestApi = api) =>
  at.http.send({ method: "PUT", url: pathOf(type), payload, headers: bearer(who) });
const read = (who: SignedIn, type = "execution", at: TestApi = api) =>
  at.http.send({ url: pathOf(type), headers: bearer(who) });
const remove = (who: SignedIn, type = "execution", at: TestApi = api) =>
  at.http.send({ method: "DELETE", url: pathOf(type), headers: bearer(who) });

const own = (more: object = {}) => ({
  type: "execution",
  displayName: "Mine",
  p256PublicKey: aPem(),
  ...more,
});
const change = (more: object = {}) => ({
  displayName: "Ours",
  p256PublicKeys: [aPem(), aPem()],
  threshold: 2,
  ...more,
});

/** Asks the provider about a quorum directly. */
const atProvider = async (quorumId: string): Promise<number> => {
  const authorization = `Basic ${Buffer.from(`${app.appId}:${app.appSecret}`).toString("base64")}`;
  const headers = { authorization, "privy-app-id": app.appId };
  return (await fetch(`${standIn.url}/v1/key_quorums/${quorumId}`, { headers })).status;
};

const walletProviderOf = async (who: SignedIn): Promise<unknown> =>
  (await api.http.send({ url: "/settings", headers: bearer(who) })).json<{ walletProvider: string }>()
    .walletProvider;

describe("POST /settings/register-provider-quorum", () => {
  test("201: a key of the owner, which is then a quorum at the provider", async () => {
    const who = await signIn(api);
    const p256PublicKey = aPem();
    const answer = await register(who, own({ p256PublicKey, message: "the one on my desk" }));
    expect(answer.statusCode).toBe(201);
    const quorum = answer.json<Shown>();
    expect(quorum).toEqual({
      type: "execution",
      displayName: "Mine",
      quorumId: expect.any(String) as string,
      threshold: 1,
      p256PublicKeys: [p256PublicKey],
      static: false,
    });
    expect(await atProvider(quorum.quorumId)).toBe(200);
    expect((await read(who)).json()).toEqual(quorum);
  });
  test("201: the settings then name the provider, for that account alone", async () => {
    const [who, other] = [await signIn(api), await signIn(api)];
    expect(await walletProviderOf(who)).toBe("none");
    await register(who, own());
    expect(await walletProviderOf(who)).toBe("the-provider");
    expect(await walletProviderOf(other)).toBe("none");
    await remove(who);
    expect(await walletProviderOf(who)).toBe("none");
  });
  test("201: the service's own key is one quorum for all accounts, types and starts", async () => {
    const whos = await Promise.all([signIn(api), signIn(api), signIn(api)]);
    const answers = await Promise.all(
      whos.flatMap((who) =>
        ["agent", "execution"].map(async (type) => register(who, { type, navaAgent: true })),
      ),
    );
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(6).fill(201));
    const quorums = answers.map((answer) => answer.json<Shown>());
    const [first] = quorums;
    expect(first).toMatchObject({ displayName: "Countersign agent", threshold: 1, static: true });
    expect(first?.p256PublicKeys).toHaveLength(1);
    expect(new Set(quorums.map(({ quorumId }) => quorumId)).size).toBe(1);
    expect(new Set(quorums.map(({ p256PublicKeys }) => p256PublicKeys[0])).size).toBe(1);
    expect(await atProvider(first?.quorumId ?? "")).toBe(200);
  });
  test("201: with the service's own key, other members are ignored", async () => {
    const body = { type: "agent", navaAgent: true, displayName: "", p256PublicKey: "mine" };
    expect((await register(await signIn(api), body)).json()).toMatchObject({ static: true });
  });
  test("201: registering again replaces the previous quorum", async () => {
    const who = await signIn(api);
    await register(who, { type: "execution", navaAgent: true });
    const second = (await register(who, own({ displayName: "Second" }))).json<Shown>();
    expect(second).toMatchObject({ displayName: "Second", static: false });
    expect((await read(who)).json()).toEqual(second);
    await register(who, { type: "execution", navaAgent: true });
    expect((await read(who)).json()).toMatchObject({ static: true });
  });
  test("201: without a provider, under an id of ours", async () => {
    const who = await signIn(alone);
    const quorum = (await register(who, own(), alone)).json<Shown>();
    expect(quorum.quorumId).toMatch(/^[0-9a-f-]{36}$/);
    const ours = await Promise.all(
      ["agent", "execution"].map(async (type) =>
        (await register(who, { type, navaAgent: true }, alone)).json<Shown>(),
      ),
    );
    expect(new Set(ours.map(({ quorumId }) => quorumId)).size).toBe(1);
  });
  test.each([
    ["no type", own({ type: undefined })],
    ["another type", own({ type: "owner" })],
    ["no name", own({ displayName: undefined })],
    ["a blank name", own({ displayName: " " })],
    ["a long name", own({ displayName: "x".repeat(51) })],
    ["no key", own({ p256PublicKey: undefined })],
    ["navaAgent false and nothing else", { type: "agent", navaAgent: false }],
    ["navaAgent as text", { type: "agent", navaAgent: "true" }],
    ["garbage for a key", own({ p256PublicKey: "hello" })],
    ["two keys", own({ p256PublicKey: aPem() + aPem() })],
    [
      "a private key",
      own({
        p256PublicKey: generateKeyPairSync("ec", {
          namedCurve: "P-256",
          privateKeyEncoding: { type: "pkcs8", format: "pem" },
          publicKeyEncoding: { type: "spki", format: "pem" },
        }).privateKey,
      }),
    ],
    [
      "a key of another curve",
      own({ p256PublicKey: pemOf(generateKeyPairSync("ec", { namedCurve: "secp256k1" }).publicKey) }),
    ],
    ["a long note", own({ message: "x".repeat(1001) })],
  ])("400: %s", async (_what, payload) => {
    const who = await signIn(api);
    const answer = await register(who, payload);
    expect(answer.statusCode).toBe(400);
    expect(answer.body).not.toContain("PRIVATE KEY");
    expect((await read(who)).statusCode).toBe(404);
  });
  test("400: a quorum that the provider rejects, in our own wording, and nothing is stored", async () => {
    const who = await signIn(api);
    for (const how of ["refuses", "leaks"] as const) {
      standIn.behave(how);
      const answer = await register(who, own());
      expect(answer.statusCode).toBe(400);
      expect(answer.body).toContain("rejected this quorum");
      expect(answer.body).not.toContain(app.appSecret);
    }
    expect((await read(who)).statusCode).toBe(404);
  });
  test("401: without signing in, and with an API key instead", async () => {
    expect((await api.http.send({ method: "POST", url: path, payload: own() })).statusCode).toBe(401);
    const headers = { "x-api-key": await api.issueServerKey("admin") };
    expect((await api.http.send({ method: "POST", url: path, payload: own(), headers })).statusCode).toBe(
      401,
    );
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await exceedLimit(api, { method: "POST", url: path })).toBe(429);
  });
  test("503: while the provider is unavailable, and nothing is stored", async () => {
    const who = await signIn(api);
    standIn.behave("down");
    const answer = await register(who, own());
    expect(answer.statusCode).toBe(503);
    expect(answer.body).not.toContain(app.appSecret);
    expect((await read(who)).statusCode).toBe(404);
  });
  test("503: with credentials that the provider does not know, which is not the client's fault", async () => {
    const wrong = await aTestApi({ ...settingsFor(standIn.url), WALLET_PROVIDER_APP_SECRET: "wrong" });
    expect((await register(await signIn(wrong), own(), wrong)).statusCode).toBe(503);
    await wrong.close();
  });
});

describe("PUT /settings/provider-quorum/{type}", () => {
  test("200: creates one with several keys", async () => {
    const who = await signIn(api);
    const wish = change();
    const quorum = (await put(who, wish)).json<Shown>();
    expect(quorum).toEqual({
      ...wish,
      type: "execution",
      static: false,
      quorumId: expect.any(String) as string,
    });
    expect(await atProvider(quorum.quorumId)).toBe(200);
    expect((await read(who)).json()).toEqual(quorum);
    expect((await read(who, "agent")).statusCode).toBe(404);
  });
  test("200: one that only its members may change gets a successor at the provider", async () => {
    const who = await signIn(api);
    const first = (await put(who, change())).json<Shown>();
    const second = (await put(who, change({ threshold: 1 }))).json<Shown>();
    expect(second).toMatchObject({ threshold: 1 });
    expect(second.quorumId).not.toBe(first.quorumId);
    expect(await atProvider(second.quorumId)).toBe(200);
  });
  test("200: one that includes the service's key is changed there", async () => {
    const who = await signIn(api);
    const [agent = ""] = (await register(who, { type: "agent", navaAgent: true })).json<Shown>()
      .p256PublicKeys;
    const first = (await put(who, change({ p256PublicKeys: [agent], threshold: 1 }))).json<Shown>();
    const second = (await put(who, change())).json<Shown>();
    expect(second.quorumId).toBe(first.quorumId);
    // It contains our key, but it is the owner's quorum.
    expect(first.static).toBe(false);
  });
  test("200: the quorum that all accounts share is not changed", async () => {
    const [who, other] = [await signIn(api), await signIn(api)];
    const shared = (await register(who, { type: "execution", navaAgent: true })).json<Shown>();
    await register(other, { type: "execution", navaAgent: true });
    const quorum = (await put(who, change())).json<Shown>();
    expect(quorum.quorumId).not.toBe(shared.quorumId);
    expect(quorum.static).toBe(false);
    expect((await read(other)).json()).toEqual(shared);
  });
  test("200: without a provider, under the same id", async () => {
    const who = await signIn(alone);
    const first = (await put(who, change(), "agent", alone)).json<Shown>();
    expect((await put(who, change(), "agent", alone)).json()).toMatchObject({ quorumId: first.quorumId });
  });
  const twice = aPem();
  test.each([
    ["no keys", change({ p256PublicKeys: [], threshold: 1 })],
    ["eleven keys", change({ p256PublicKeys: Array.from({ length: 11 }, aPem) })],
    ["the same key twice", change({ p256PublicKeys: [twice, twice] })],
    ["the same key in other armour", change({ p256PublicKeys: [twice, twice.replaceAll("\n", "\r\n")] })],
    ["a malformed key", change({ p256PublicKeys: [aPem(), "hello"] })],
    ["a threshold of none", change({ threshold: 0 })],
    ["a threshold of more than there are", change({ threshold: 3 })],
    ["a threshold of one and a half", change({ threshold: 1.5 })],
    ["no threshold", change({ threshold: undefined })],
    ["no name", change({ displayName: undefined })],
  ])("400: %s", async (_what, payload) => {
    const who = await signIn(api);
    expect((await put(who, payload)).statusCode).toBe(400);
    expect((await read(who)).statusCode).toBe(404);
  });
  test("400: unknown type", async () => {
    expect((await put(await signIn(api), change(), "owner")).statusCode).toBe(400);
  });
  test("400: a quorum that the provider rejects, and the previous one stays", async () => {
    const who = await signIn(api);
    const before = (await put(who, change())).json<Shown>();
    standIn.behave("refuses");
    expect((await put(who, change())).statusCode).toBe(400);
    expect((await read(who)).json()).toEqual(before);
  });
  test("401: without signing in", async () => {
    const request = { method: "PUT", url: pathOf("execution"), payload: change() };
    expect((await api.http.send(request)).statusCode).toBe(401);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await exceedLimit(api, { method: "PUT", url: pathOf("execution") })).toBe(429);
  });
  test("503: while the provider is unavailable, and the previous one stays", async () => {
    const who = await signIn(api);
    const before = (await put(who, change())).json<Shown>();
    standIn.behave("down");
    expect((await put(who, change())).statusCode).toBe(503);
    expect((await read(who)).json()).toEqual(before);
  });
});

describe("GET /settings/provider-quorum/{type}", () => {
  test("200: each account gets its own", async () => {
    const [who, other] = [await signIn(api), await signIn(api)];
    await put(who, change({ displayName: "Of one" }), "agent");
    await put(other, change({ displayName: "Of another" }), "agent");
    expect((await read(who, "agent")).json()).toMatchObject({ type: "agent", displayName: "Of one" });
    expect((await read(other, "agent")).json()).toMatchObject({ type: "agent", displayName: "Of another" });
  });
  test("400: unknown type", async () => {
    expect((await read(await signIn(api), "owner")).statusCode).toBe(400);
  });
  test("401: without signing in", async () => {
    expect((await api.http.send(pathOf("agent"))).statusCode).toBe(401);
  });
  test("404: without a quorum", async () => {
    expect((await read(await signIn(api))).statusCode).toBe(404);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await exceedLimit(api, { method: "GET", url: pathOf("agent") })).toBe(429);
  });
});

describe("DELETE /settings/provider-quorum/{type}", () => {
  test("200: deletes it here, though at the provider only its members can", async () => {
    const who = await signIn(api);
    const { quorumId } = (await put(who, change())).json<Shown>();
    expect((await remove(who)).json()).toEqual({ deleted: true });
    expect((await read(who)).statusCode).toBe(404);
    expect(await atProvider(quorumId)).toBe(200);
  });
  test("200: one that includes the service's key is deleted there too", async () => {
    const who = await signIn(api);
    const [agent = ""] = (await register(who, { type: "agent", navaAgent: true })).json<Shown>()
      .p256PublicKeys;
    const { quorumId } = (
      await put(who, change({ p256PublicKeys: [agent, aPem()], threshold: 1 }))
    ).json<Shown>();
    expect((await remove(who)).statusCode).toBe(200);
    expect(await atProvider(quorumId)).toBe(404);
  });
  test("200: the one that all accounts share stays, for the others and at the provider", async () => {
    const [who, other] = [await signIn(api), await signIn(api)];
    for (const one of [who, other]) await register(one, { type: "agent", navaAgent: true });
    const { quorumId } = (await read(other, "agent")).json<Shown>();
    expect((await remove(who, "agent")).statusCode).toBe(200);
    expect((await read(other, "agent")).json()).toMatchObject({ quorumId, static: true });
    expect(await atProvider(quorumId)).toBe(200);
  });
  test("200: without a provider", async () => {
    const who = await signIn(alone);
    await register(who, own(), alone);
    expect((await remove(who, "execution", alone)).statusCode).toBe(200);
  });
  test("400: unknown type", async () => {
    expect((await remove(await signIn(api), "owner")).statusCode).toBe(400);
  });
  test("400: a quorum that the provider refuses to delete because it has wallets, and it stays", async () => {
    const who = await signIn(api);
    const [agent = ""] = (await register(who, { type: "agent", navaAgent: true })).json<Shown>()
      .p256PublicKeys;
    const quorum = (await put(who, change({ p256PublicKeys: [agent], threshold: 1 }))).json<Shown>();
    await standIn.makeWallet(quorum.quorumId);
    expect((await remove(who)).statusCode).toBe(400);
    expect((await read(who)).json()).toEqual(quorum);
  });
  test("401: without signing in", async () => {
    expect((await api.http.send({ method: "DELETE", url: pathOf("agent") })).statusCode).toBe(401);
  });
  test("404: without a quorum, and for another account's", async () => {
    const [who, other] = [await signIn(api), await signIn(api)];
    await put(other, change());
    expect((await remove(who)).statusCode).toBe(404);
    expect((await read(other)).statusCode).toBe(200);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await exceedLimit(api, { method: "DELETE", url: pathOf("agent") })).toBe(429);
  });
  test("503: while the provider is unavailable, and it stays", async () => {
    const who = await signIn(api);
    await put(who, change());
    standIn.behave("down");
    expect((await remove(who)).statusCode).toBe(503);
    expect((await read(who)).statusCode).toBe(200);
  });
});

describe("POST /provider-quorum", () => {
  const url = "/provider-quorum";
  const wallet = aWallet;
  const body = (ethereumAddress: string, more: object = {}) => ({
    displayName: "Trading",
    ethereumAddress,
    providerUserId: "wallet-1",
    ...more,
  });
  const claim = (headers: Record<string, string>, payload: object, at: TestApi = api) =>
    at.http.send({ method: "POST", url, payload, headers });
  const vouch = async (payload: object, type: "admin" | "orion" = "admin") =>
    claim({ "x-api-key": await api.issueServerKey(type) }, payload);

  test("201: the account's own address needs no further proof", async () => {
    const who = await signIn(api);
    const answer = await claim(bearer(who), body(who.user.ethereumAddress.toLowerCase()));
    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toEqual({
      id: expect.any(String) as string,
      displayName: "Trading",
      ethereumAddress: who.user.ethereumAddress,
      providerUserId: "wallet-1",
      createdAt: expect.any(String) as string,
    });
  });
  test("201: another wallet that signed the account's address, in either spelling", async () => {
    const who = await signIn(api);
    const { ethereumAddress } = who.user;
    for (const message of [ethereumAddress, ethereumAddress.toLowerCase()]) {
      const other = wallet();
      const walletSignature = await other.signMessage({ message });
      const answer = await claim(bearer(who), body(other.address, { walletSignature }));
      expect(answer.statusCode).toBe(201);
      expect(answer.json()).toMatchObject({ ethereumAddress: other.address });
    }
  });
  test.each(["admin", "orion"] as const)("201: a server key (%s) needs no proof", async (type) => {
    const who = await signIn(api);
    const { address } = wallet();
    const answer = await vouch(body(address, { account: who.user.ethereumAddress }), type);
    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toMatchObject({ ethereumAddress: address });
  });
  test.each(["admin", "orion"] as const)(
    "201: the three documented members from a server key (%s), for a known account or a new one",
    async (type) => {
      const who = await signIn(api);
      const { address } = wallet();
      for (const ethereumAddress of [who.user.ethereumAddress, address]) {
        const answer = await vouch(body(ethereumAddress), type);
        expect(answer.statusCode).toBe(201);
        expect(answer.json()).toMatchObject({ displayName: "Trading", ethereumAddress });
      }
      const user = await api.http.send({
        url: `/users/${address}`,
        headers: { "x-api-key": await api.issueServerKey("admin") },
      });
      expect(user.statusCode).toBe(200);
    },
  );
  test("201: the three documented members from a server key leave a wallet with its account", async () => {
    const who = await signIn(api);
    const { address } = wallet();
    const first = await vouch(body(address, { account: who.user.ethereumAddress }));
    const again = await vouch(body(address, { displayName: "Renamed" }));
    expect(again.statusCode).toBe(201);
    expect(again.json()).toMatchObject({ id: first.json<{ id: string }>().id, displayName: "Renamed" });
    const user = await api.http.send({
      url: `/users/${address}`,
      headers: { "x-api-key": await api.issueServerKey("admin") },
    });
    expect(user.statusCode).toBe(404);
  });
  test.each(["did:provider:a-b_c", "user@mail.example", "v1.2-a", "...", ".a", "x".repeat(200)])(
    "201: the id %j",
    async (providerUserId) => {
      const who = await signIn(api);
      const answer = await claim(bearer(who), body(who.user.ethereumAddress, { providerUserId }));
      expect(answer.statusCode).toBe(201);
      expect(answer.json()).toMatchObject({ providerUserId });
    },
  );
  test("201: repeating it, also concurrently, gives the same record", async () => {
    const who = await signIn(api);
    const again = () => claim(bearer(who), body(who.user.ethereumAddress));
    const answers = [await again(), ...(await Promise.all([again(), again(), again()]))];
    expect(new Set(answers.map((answer) => answer.body)).size).toBe(1);
    const renamed = await claim(bearer(who), body(who.user.ethereumAddress, { displayName: "Other" }));
    expect(renamed.json()).toMatchObject({ id: answers[0]?.json<{ id: string }>().id, displayName: "Other" });
  });
  test.each([
    ["no address", { ethereumAddress: undefined }],
    ["a malformed address", { ethereumAddress: "0x12" }],
    ["no name", { displayName: " " }],
    ["no id", { providerUserId: undefined }],
    ["an empty id", { providerUserId: "" }],
    ["an id that is a path", { providerUserId: "../x" }],
    ["an id that is a question", { providerUserId: "x?y" }],
  ])("400: %s", async (_what, more) => {
    const who = await signIn(api);
    expect((await claim(bearer(who), body(who.user.ethereumAddress, more))).statusCode).toBe(400);
  });
  test.each([".", "..", "a/b", "a%2fb", "a b", "a+b", "ä", "x".repeat(201)])(
    "400: the id %j",
    async (providerUserId) => {
      const who = await signIn(api);
      const answer = await claim(bearer(who), body(who.user.ethereumAddress, { providerUserId }));
      expect(answer.statusCode).toBe(400);
    },
  );
  test("401: without a credential", async () => {
    expect((await claim({}, body(wallet().address))).statusCode).toBe(401);
  });
  test("403: another account's wallet, without its signature or with a wrong one", async () => {
    const [who, other] = [await signIn(api), await signIn(api)];
    const mine = wallet();
    const { address } = wallet();
    const signatures = [
      undefined,
      "0x",
      "hello",
      // Of another account.
      await mine.signMessage({ message: who.user.ethereumAddress }),
    ];
    for (const walletSignature of signatures)
      expect((await claim(bearer(who), body(address, { walletSignature }))).statusCode).toBe(403);
    const signedForAnother = await mine.signMessage({ message: other.user.ethereumAddress });
    const signedOtherwise = await mine.signMessage({ message: `${who.user.ethereumAddress} ` });
    for (const walletSignature of [signedForAnother, signedOtherwise])
      expect((await claim(bearer(who), body(mine.address, { walletSignature }))).statusCode).toBe(403);
  });
  test("403: a wallet that another account registered or that is its own address, with any credential", async () => {
    const [who, other] = [await signIn(api), await signIn(api)];
    const shared = wallet();
    const sign = (by: SignedIn) => shared.signMessage({ message: by.user.ethereumAddress });
    const first = await claim(bearer(other), body(shared.address, { walletSignature: await sign(other) }));
    expect(first.statusCode).toBe(201);
    const second = await claim(bearer(who), body(shared.address, { walletSignature: await sign(who) }));
    expect(second.statusCode).toBe(403);
    expect(second.body).not.toContain(other.user.id);
    for (const address of [shared.address, other.user.ethereumAddress])
      expect((await vouch(body(address, { account: who.user.ethereumAddress }))).statusCode).toBe(403);
  });
  test("403: a signed-in user who names another account", async () => {
    const [who, other] = [await signIn(api), await signIn(api)];
    const payload = body(who.user.ethereumAddress, { account: other.user.ethereumAddress });
    expect((await claim(bearer(who), payload)).statusCode).toBe(403);
  });
  test("403: with an API key of the account, which is not its owner", async () => {
    const who = await signIn(api);
    const made = await api.http.send({
      ...{ method: "POST", url: "/user-api-keys", payload: { name: "a" } },
      headers: bearer(who),
    });
    const headers = { "x-api-key": made.json<{ secret: string }>().secret };
    const payload = body(who.user.ethereumAddress, { account: who.user.ethereumAddress });
    expect((await claim(headers, payload)).statusCode).toBe(403);
  });
  test("404: a server key that names an unknown account", async () => {
    expect((await vouch(body(wallet().address, { account: wallet().address }))).statusCode).toBe(404);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await exceedLimit(api, { method: "POST", url })).toBe(429);
  });
  test("429: earlier for a caller who makes us query a chain about contract wallets; plain wallets cost nothing", async () => {
    const counted = await aTestApi({ HOME_CHAIN_ID: "1" });
    const who = await signIn(counted);
    const plain = wallet();
    const lower = await plain.signMessage({ message: who.user.ethereumAddress.toLowerCase() });
    for (let time = 0; time < 12; time++)
      expect(
        (await claim(bearer(who), body(plain.address, { walletSignature: lower }), counted)).statusCode,
      ).toBe(201);
    let last = 0;
    for (let time = 0; time < 12 && last !== 429; time++)
      last = (await claim(bearer(who), body(wallet().address, { walletSignature: "0x1234" }), counted))
        .statusCode;
    expect(last).toBe(429);
    await counted.close();
  });
  test("503: a contract wallet whose chain is unavailable", async () => {
    const away = await aTestApi({ HOME_CHAIN_ID: "1" });
    const payload = body(wallet().address, { walletSignature: "0x1234" });
    expect((await claim(bearer(await signIn(away)), payload, away)).statusCode).toBe(503);
    await away.close();
  });
});
