// Attacks on signed requests, on the whole service. The target is one's own user: what counts is 200 or 401.
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
  test("is good once; a replay is refused in the same words as no credential", async () => {
    const headers = await signatureHeaders(wallet);
    expect(await send(headers)).toBe(200);
    const replay = await api.http.send({ url: own, headers });
    expect(replay.statusCode).toBe(401);
    expect(replay.body).toBe((await api.http.send(own)).body);
  });
  test("has one winner among 50 that replay it at once", async () => {
    const headers = await signatureHeaders(wallet);
    const statuses = await Promise.all(Array.from({ length: 50 }, () => send(headers)));
    expect(statuses.sort()).toEqual([200, ...Array<number>(49).fill(401)]);
  });
  test("is good with an address in lower case and with v of 0 or 1, but each nonce still only once", async () => {
    const headers = await signatureHeaders(wallet);
    const signed = headers["x-ethereum-signature"] ?? "";
    const other = signed.slice(0, -2) + (signed.endsWith("1b") ? "00" : "01");
    const lowerCase = { ...headers, "x-ethereum-address": wallet.address.toLowerCase() };
    expect(await send({ ...lowerCase, "x-ethereum-signature": other })).toBe(200);
    expect(await send(headers)).toBe(401);
  });
  test("names its chain if it is another than Sepolia", async () => {
    const headers = await signatureHeaders(wallet, { chainId: 10 });
    expect(await send(headers)).toBe(401);
    expect(await send({ ...headers, "x-ethereum-chain-id": "10" })).toBe(200);
  });
  test("may carry the same nonce as another address's", async () => {
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
  ])("is refused if the signature is over %s", async (_, changes) => {
    expect(await send(await signatureHeaders(wallet, changes))).toBe(401);
  });
  test("is refused for a query that was not signed", async () => {
    expect(await send(await signatureHeaders(wallet), `${own}?view=all`)).toBe(401);
  });
  test("is refused with another timestamp or nonce than was signed", async () => {
    const headers = await signatureHeaders(wallet);
    expect(await send({ ...headers, "x-ethereum-timestamp": String(now() + 1) })).toBe(401);
    expect(await send({ ...headers, "x-ethereum-nonce": "another-nonce-0001" })).toBe(401);
  });
  test("is refused in the name of an address that did not sign, and does not use up the owner's nonce", async () => {
    const nonce = "the-owners-next-nonce";
    const forged = await signatureHeaders(aWallet(), { account: wallet.address, nonce, target: own });
    expect(await send({ ...forged, "x-ethereum-address": wallet.address })).toBe(401);
    expect(await send(await signatureHeaders(wallet, { nonce }))).toBe(200);
  });
  test("is refused as its high-s twin and in 64 bytes, before and after the real one", async () => {
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
    ["with an address that is none", { "x-ethereum-address": "0x12" }],
    ["with a signature that is none", { "x-ethereum-signature": "0xzz" }],
    ["with a timestamp of zero", { "x-ethereum-timestamp": "0" }],
    ["with a chain that is none", { "x-ethereum-chain-id": "0x1" }],
  ])("is refused %s", async (_, changes) => {
    const headers = { ...(await signatureHeaders(wallet)), ...changes };
    const given = Object.entries(headers).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    );
    expect(await send(Object.fromEntries(given))).toBe(401);
  });
  test("is refused with a body that nobody reads and no signature covers", async () => {
    const headers = await signatureHeaders(wallet);
    const answer = await api.http.send({ url: own, headers, payload: "something" });
    expect(answer.statusCode).toBe(401);
  });
});

describe("a signed request with a nonce that we issued", () => {
  const withIssued = async (nonce: string) => signatureHeaders(wallet, { timestamp: 0, nonce });

  test("needs only the two headers, and is good once", async () => {
    const headers = await withIssued(await askNonce(api, wallet.address));
    expect(Object.keys(headers)).toEqual(["x-ethereum-address", "x-ethereum-signature"]);
    expect(await send(headers)).toBe(200);
    expect(await send(headers)).toBe(401);
  });
  test("has one winner among 50 that replay it at once", async () => {
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
  test("is not blocked by nonces that somebody else asks for elsewhere", async () => {
    const nonce = await askNonce(api, wallet.address);
    for (let count = 0; count < 20; count++) {
      const remoteAddress = `10.6.0.${count}`;
      await askNonce(api, wallet.address, remoteAddress);
    }
    expect(await send(await withIssued(nonce))).toBe(200);
  });
  test("is not blocked by nonces asked for from the same network if it names its own", async () => {
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
  test("is refused if it names a nonce that nobody issued, or that is another address's", async () => {
    const made = "0123456789abcdef0123456789abcdef";
    expect(await send({ ...(await withIssued(made)), "x-ethereum-nonce": made })).toBe(401);
    const others = await askNonce(api, aWallet().address);
    expect(await send({ ...(await withIssued(others)), "x-ethereum-nonce": others })).toBe(401);
  });
  test("is not pushed out by the nonces of other addresses", async () => {
    const nonce = await askNonce(api, wallet.address);
    for (let count = 0; count < 5; count++) await askNonce(api, aWallet().address);
    expect(await send(await withIssued(nonce))).toBe(200);
  });
  test("is refused with a nonce of another address, and leaves it to its owner", async () => {
    const other = aWallet();
    const nonce = await askNonce(api, other.address);
    expect(await send(await withIssued(nonce))).toBe(401);
    expect(await send(await signatureHeaders(other, { timestamp: 0, nonce, target: own }))).toBe(200);
  });
  test("is refused with a nonce that nobody issued", async () => {
    expect(await send(await withIssued("0123456789abcdef0123456789abcdef"))).toBe(401);
  });
  test.each([
    ["path", { target: "/users" }],
    ["method", { method: "POST" }],
    ["body", { body: "{}" }],
    ["audience", { audience: "https://evil.example" }],
  ])("is refused for another %s, which does not use the nonce up", async (_, changes) => {
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
  test("is 429 once its address of the network has used up its ten questions to a chain; a plain wallet's is not", async () => {
    const away = await aTestApi({ RPC_URLS: "11155111=http://127.0.0.1:9" });
    try {
      // Signed by another: for all we know the address is a contract that would agree.
      const ask = async (signer: typeof wallet, from: string): Promise<number> => {
        const signed = await signatureHeaders(signer, { account: wallet.address, target: own });
        const headers = { ...signed, "x-ethereum-address": wallet.address };
        return (await away.http.send({ url: own, headers, remoteAddress: from })).statusCode;
      };
      for (let count = 0; count < 10; count++) expect(await ask(aWallet(), "10.5.0.1")).toBe(401);
      expect(await ask(aWallet(), "10.5.0.1")).toBe(429);
      expect(await ask(aWallet(), "10.5.0.2")).toBe(401);
      // Good, and nobody has signed in there yet.
      expect(await ask(wallet, "10.5.0.1")).toBe(404);
    } finally {
      await away.close();
    }
  });
  test("counts once for each issued nonce it may mean", async () => {
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

describe("a signature beside another credential", () => {
  test("is 400 with a bearer token, also where only the token would do", async () => {
    expect(await send({ ...(await signatureHeaders(wallet)), ...bearer(who) })).toBe(400);
    const target = "/auth/me";
    expect(await send({ ...(await signatureHeaders(wallet, { target })), ...bearer(who) }, target)).toBe(400);
  });
  test.each(["x-ethereum-address", "x-ethereum-signature"])(
    "is 400 even if it is half a one, only %s",
    async (name) => {
      expect(await send({ [name]: "0x00", ...bearer(who) }, "/auth/me")).toBe(400);
    },
  );
  test("is 400 with an API key, good or bad", async () => {
    expect(await send({ ...(await signatureHeaders(wallet)), "x-api-key": "cs_user_live_no" })).toBe(400);
  });
  test("does not stand in for a token where a person must be signed in", async () => {
    const target = "/auth/me";
    expect(await send(await signatureHeaders(wallet, { target }), target)).toBe(401);
  });
});
