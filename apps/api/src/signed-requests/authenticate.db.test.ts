// Attacks on signed requests, against the whole service. The target is the caller's own user, so a valid request is
// 200 and any other 401.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { askNonce, aWallet, bearer, highTwin, signIn, type SignedIn } from "../../test/sign-in.ts";
import { aTestApi, type TestApi } from "../../test/test-api.ts";
import { signatureHeaders } from "../../test/signed-requests.ts";

let api: TestApi;
let who: SignedIn;
const wallet = aWallet();
const own = `/users/${wallet.address}`;
beforeAll(async () => {
  api = await aTestApi();
  who = await signIn(api, wallet);
});
afterAll(() => api.close());

type Headers = Record<string, string>;
const send = async (headers: Headers, url = own): Promise<number> =>
  (await api.http.send({ url, headers })).statusCode;
const now = (): number => Math.floor(Date.now() / 1000);

describe("a signed request whose time and nonce the client chose", () => {
  test("is valid once; a replay gets the same message as a missing credential", async () => {
    const headers = await signatureHeaders(wallet);
    expect(await send(headers)).toBe(200);
    const replay = await api.http.send({ url: own, headers });
    expect(replay.statusCode).toBe(401);
    expect(replay.body).toBe((await api.http.send(own)).body);
  });
  test("has one winner among 50 concurrent replays", async () => {
    const headers = await signatureHeaders(wallet);
    const statuses = await Promise.all(Array.from({ length: 50 }, () => send(headers)));
    expect(statuses.sort()).toEqual([200, ...Array<number>(49).fill(401)]);
  });
  test("is valid with a lower-case address and with v of 0 or 1, but each nonce only once", async () => {
    const headers = await signatureHeaders(wallet);
    const signed = headers["x-ethereum-signature"] ?? "";
    const other = signed.slice(0, -2) + (signed.endsWith("1b") ? "00" : "01");
    const lowerCase = { ...headers, "x-ethereum-address": wallet.address.toLowerCase() };
    expect(await send({ ...lowerCase, "x-ethereum-signature": other })).toBe(200);
    expect(await send(headers)).toBe(401);
  });
  test("names its chain if it is not Sepolia", async () => {
    const headers = await signatureHeaders(wallet, { chainId: 10 });
    expect(await send(headers)).toBe(401);
    expect(await send({ ...headers, "x-ethereum-chain-id": "10" })).toBe(200);
  });
  test("may have the same nonce as another address's", async () => {
    const nonce = "0123456789abcdef";
    const other = aWallet();
    expect(await send(await signatureHeaders(wallet, { nonce }))).toBe(200);
    expect(await send(await signatureHeaders(other, { nonce, target: own }))).toBe(200);
  });
  test.each([
    ["another body", { body: "{}" }],
    ["another path", { target: `/users/${aWallet().address}` }],
    ["the same path in another letter case", { target: own.toLowerCase() }],
    ["another query", { target: `${own}?view=all` }],
    ["another method", { method: "DELETE" }],
    ["another audience", { audience: "https://evil.example" }],
    ["the Host header as audience", { audience: "http://localhost:80" }],
    ["a timestamp of six minutes ago", { timestamp: now() - 360 }],
    ["a timestamp in six minutes", { timestamp: now() + 360 }],
  ])("is rejected if the signature is over %s", async (_, changes) => {
    expect(await send(await signatureHeaders(wallet, changes))).toBe(401);
  });
  test("is rejected for a query that was not signed", async () => {
    expect(await send(await signatureHeaders(wallet), `${own}?view=all`)).toBe(401);
  });
  test("is rejected with a timestamp or nonce that was not signed", async () => {
    const headers = await signatureHeaders(wallet);
    expect(await send({ ...headers, "x-ethereum-timestamp": String(now() + 1) })).toBe(401);
    expect(await send({ ...headers, "x-ethereum-nonce": "another-nonce-0001" })).toBe(401);
  });
  test("is rejected for an address that did not sign, and does not use up the owner's nonce", async () => {
    const nonce = "the-owners-next-nonce";
    const forged = await signatureHeaders(aWallet(), { account: wallet.address, nonce, target: own });
    expect(await send({ ...forged, "x-ethereum-address": wallet.address })).toBe(401);
    expect(await send(await signatureHeaders(wallet, { nonce }))).toBe(200);
  });
  test("is rejected as its high-s twin and in 64 bytes, before and after the real one", async () => {
    const headers = await signatureHeaders(wallet);
    const signed = headers["x-ethereum-signature"] ?? "";
    const twin = { ...headers, "x-ethereum-signature": highTwin(signed) };
    const short = { ...headers, "x-ethereum-signature": signed.slice(0, -2) };
    expect([await send(twin), await send(short)]).toEqual([401, 401]);
    expect(await send(headers)).toBe(200);
    expect([await send(twin), await send(short)]).toEqual([401, 401]);
  });
  test.each([
    ["without an address", { "x-ethereum-address": undefined }],
    ["without a signature", { "x-ethereum-signature": undefined }],
    ["without a timestamp", { "x-ethereum-timestamp": undefined }],
    ["without a nonce", { "x-ethereum-nonce": undefined }],
    ["with a malformed address", { "x-ethereum-address": "0x12" }],
    ["with a malformed signature", { "x-ethereum-signature": "0xzz" }],
    ["with a timestamp of zero", { "x-ethereum-timestamp": "0" }],
    ["with a malformed chain", { "x-ethereum-chain-id": "0x1" }],
  ])("is rejected %s", async (_, changes) => {
    const headers = { ...(await signatureHeaders(wallet)), ...changes };
    const given = Object.entries(headers).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    );
    expect(await send(Object.fromEntries(given))).toBe(401);
  });
  test("is rejected with a body that is not read and not covered by the signature", async () => {
    const headers = await signatureHeaders(wallet);
    const answer = await api.http.send({ url: own, headers, payload: "something" });
    expect(answer.statusCode).toBe(401);
  });
});

describe("a signed request with a nonce that we issued", () => {
  const withIssued = async (nonce: string) => signatureHeaders(wallet, { timestamp: 0, nonce });

  test("needs only the two headers, and is valid once", async () => {
    const headers = await withIssued(await askNonce(api, wallet.address));
    expect(Object.keys(headers)).toEqual(["x-ethereum-address", "x-ethereum-signature"]);
    expect(await send(headers)).toBe(200);
    expect(await send(headers)).toBe(401);
  });
  test("has one winner among 50 concurrent replays", async () => {
    const headers = await withIssued(await askNonce(api, wallet.address));
    const statuses = await Promise.all(Array.from({ length: 50 }, () => send(headers)));
    expect(statuses.sort()).toEqual([200, ...Array<number>(49).fill(401)]);
  });
  test("finds its nonce among the newest five, and not beyond", async () => {
    const [beyond, fifth] = [await askNonce(api, wallet.address), await askNonce(api, wallet.address)];
    for (let count = 0; count < 4; count++) await askNonce(api, wallet.address);
    expect(await send(await withIssued(beyond))).toBe(401);
    expect(await send(await withIssued(fifth))).toBe(200);
  });
  test("is not blocked by nonces that others request elsewhere", async () => {
    const nonce = await askNonce(api, wallet.address);
    for (let count = 0; count < 20; count++) {
      const remoteAddress = `10.6.0.${count}`;
      await askNonce(api, wallet.address, remoteAddress);
    }
    expect(await send(await withIssued(nonce))).toBe(200);
  });
  test("is not blocked by nonces requested from the same network if it names its own", async () => {
    const nonce = await askNonce(api, wallet.address);
    for (let count = 0; count < 5; count++) await askNonce(api, wallet.address);
    const headers = await withIssued(nonce);
    expect(await send(headers)).toBe(401);
    const named = { ...headers, "x-ethereum-nonce": nonce };
    const near = `${nonce.slice(0, -1)}${nonce.endsWith("0") ? "1" : "0"}`;
    expect(await send({ ...headers, "x-ethereum-nonce": near })).toBe(401);
    expect(await send(named)).toBe(200);
    expect(await send(named)).toBe(401);
  });
  test("is rejected if it names a nonce that was never issued, or another address's", async () => {
    const made = "0123456789abcdef0123456789abcdef";
    expect(await send({ ...(await withIssued(made)), "x-ethereum-nonce": made })).toBe(401);
    const others = await askNonce(api, aWallet().address);
    expect(await send({ ...(await withIssued(others)), "x-ethereum-nonce": others })).toBe(401);
  });
  test("is not displaced by the nonces of other addresses", async () => {
    const nonce = await askNonce(api, wallet.address);
    for (let count = 0; count < 5; count++) await askNonce(api, aWallet().address);
    expect(await send(await withIssued(nonce))).toBe(200);
  });
  test("is rejected with another address's nonce, and leaves it to its owner", async () => {
    const other = aWallet();
    const nonce = await askNonce(api, other.address);
    expect(await send(await withIssued(nonce))).toBe(401);
    expect(await send(await signatureHeaders(other, { timestamp: 0, nonce, target: own }))).toBe(200);
  });
  test("is rejected with a nonce that was never issued", async () => {
    expect(await send(await withIssued("0123456789abcdef0123456789abcdef"))).toBe(401);
  });
  test.each([
    ["path", { target: "/users" }],
    ["method", { method: "POST" }],
    ["body", { body: "{}" }],
    ["audience", { audience: "https://evil.example" }],
  ])("is rejected for another %s, which does not use up the nonce", async (_, changes) => {
    const nonce = await askNonce(api, wallet.address);
    expect(await send(await signatureHeaders(wallet, { timestamp: 0, nonce, ...changes }))).toBe(401);
    expect(await send(await withIssued(nonce))).toBe(200);
  });
  test("does not become one with a chosen nonce by adding headers", async () => {
    const nonce = await askNonce(api, wallet.address);
    const headers = await withIssued(nonce);
    for (const timestamp of ["0", String(now())])
      expect(await send({ ...headers, "x-ethereum-timestamp": timestamp, "x-ethereum-nonce": nonce })).toBe(
        401,
      );
  });
});

describe("a signed request of a contract wallet", () => {
  test("is 429 once its IP address has used up ten queries to a chain; a plain wallet's is not", async () => {
    const away = await aTestApi({ RPC_URLS: "11155111=http://127.0.0.1:9" });
    try {
      // Signed by another key: the address might be a contract that accepts it.
      const ask = async (signer: typeof wallet, from: string): Promise<number> => {
        const signed = await signatureHeaders(signer, { account: wallet.address, target: own });
        const headers = { ...signed, "x-ethereum-address": wallet.address };
        return (await away.http.send({ url: own, headers, remoteAddress: from })).statusCode;
      };
      for (let count = 0; count < 10; count++) expect(await ask(aWallet(), "10.5.0.1")).toBe(401);
      expect(await ask(aWallet(), "10.5.0.1")).toBe(429);
      expect(await ask(aWallet(), "10.5.0.2")).toBe(401);
      // Valid, but the wallet has not signed in yet.
      expect(await ask(wallet, "10.5.0.1")).toBe(404);
    } finally {
      await away.close();
    }
  });
  test("counts once for each issued nonce it may use", async () => {
    const away = await aTestApi({ RPC_URLS: "11155111=http://127.0.0.1:9" });
    try {
      for (let count = 0; count < 4; count++) await askNonce(away, wallet.address);
      const ask = async (): Promise<number> => {
        const signed = await signatureHeaders(aWallet(), { account: wallet.address, timestamp: 0 });
        const headers = { ...signed, "x-ethereum-address": wallet.address };
        return (await away.http.send({ url: own, headers })).statusCode;
      };
      expect([await ask(), await ask(), await ask()]).toEqual([401, 401, 429]);
    } finally {
      await away.close();
    }
  });
});

describe("a signature along with another credential", () => {
  test("is 400 with a bearer token, also where only the token would be accepted", async () => {
    expect(await send({ ...(await signatureHeaders(wallet)), ...bearer(who) })).toBe(400);
    const target = "/auth/me";
    expect(await send({ ...(await signatureHeaders(wallet, { target })), ...bearer(who) }, target)).toBe(400);
  });
  test.each(["x-ethereum-address", "x-ethereum-signature"])(
    "is 400 even if it is incomplete, with only %s",
    async (name) => {
      expect(await send({ [name]: "0x00", ...bearer(who) }, "/auth/me")).toBe(400);
    },
  );
  test("is 400 with an API key, valid or not", async () => {
    expect(await send({ ...(await signatureHeaders(wallet)), "x-api-key": "cs_user_live_no" })).toBe(400);
  });
  test("does not replace a token where a session is required", async () => {
    const target = "/auth/me";
    expect(await send(await signatureHeaders(wallet, { target }), target)).toBe(401);
  });
});
