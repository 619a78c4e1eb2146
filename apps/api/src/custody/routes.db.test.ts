import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aGrant, aPublicClient } from "../../test/oauth.ts";
import { aWallet, bearer, signIn, type SignedIn } from "../../test/sign-in.ts";
import { signatureHeaders } from "../../test/signed-requests.ts";
import { aTestApi, exceedLimit } from "../../test/test-api.ts";
import {
  aSubject,
  aWatchedApi,
  idOf,
  requestCsr,
  type AnsweredIntegration,
  type WatchedApi,
} from "../../test/custody.ts";

let api: WatchedApi;
let owner: SignedIn;
let other: SignedIn;
const wallet = aWallet();
let mine: AnsweredIntegration;
beforeAll(async () => {
  api = await aWatchedApi();
  [owner, other] = [await signIn(api, wallet), await signIn(api)];
  mine = (await requestCsr(api, owner)).json<AnsweredIntegration>();
}, 60_000);
afterAll(() => api.close());

const get = (url: string, headers: Record<string, string> = bearer(owner)) => api.http.send({ url, headers });
const post = (url: string, payload: object, headers: Record<string, string> = bearer(owner)) =>
  api.http.send({ method: "POST", url, payload, headers });
const custodyKeys = async () => (await api.secrets.list()).filter(({ purpose }) => purpose === "custody-key");
const none = (type: string) => ({ type, status: "none", csr: null, createdAt: null });

/** Credentials that are valid elsewhere but not for these endpoints, which need the owner's session. */
async function othersCredentials(): Promise<readonly Record<string, string>[]> {
  const key = await post("/user-api-keys", { name: "a" });
  const grant = await aGrant(api, await aPublicClient(api), { who: owner });
  return [
    {},
    { authorization: "Bearer eyJhbGciOiJub25lIn0.e30." },
    { authorization: `Bearer ${grant.access_token}` },
    { "x-api-key": key.json<{ secret: string }>().secret },
    { "x-api-key": await api.issueServerKey("admin") },
    { "x-api-key": await api.issueServerKey("orion") },
  ];
}
async function expectOwnerOnly(ask: (headers: Record<string, string>) => ReturnType<typeof get>) {
  for (const headers of await othersCredentials()) expect((await ask(headers)).statusCode).toBe(401);
}

/** Returns what OpenSSL reports about a CSR. */
async function readCsr(csr: string): Promise<string> {
  const running = promisify(execFile)("openssl", ["req", "-verify", "-noout", "-text"]);
  running.child.stdin?.end(csr);
  const { stdout, stderr } = await running;
  return stdout + stderr;
}

describe("POST /custody/generate-csr/{type}", () => {
  test("201: a CSR for a new key; the integration is pending", async () => {
    expect(mine).toEqual({
      type: "execution",
      status: "pending",
      csr: expect.stringMatching(/^-----BEGIN CERTIFICATE REQUEST-----/) as string,
      createdAt: expect.any(String) as string,
      cosigner: {
        callbackPath: expect.stringMatching(/^\/custody\/cosigner\/[0-9a-f-]{36}$/) as string,
        hasKey: false,
      },
    });
    expect(await readCsr(mine.csr)).toMatch(/verify OK/i);
  });
  test("201: the key has 4096 bits in the default configuration", async () => {
    const shipped = await aTestApi({}, undefined, {});
    const { csr } = (await requestCsr(shipped, await signIn(shipped))).json<AnsweredIntegration>();
    const text = await readCsr(csr);
    await shipped.close();
    expect(text).toMatch(/verify OK/i);
    expect(text).toContain("(4096 bit)");
  });
  test("201: each account has its own of each type, with any characters that a name may have", async () => {
    const more = {
      organizationalUnit: `R&D, "x" + O=evil`,
      state: "Zürich",
      locality: "東京 🙂",
      email: "a@b.example",
      country: "jp",
    };
    const answer = await requestCsr(api, other, { type: "agent", ...more });
    expect(answer.statusCode).toBe(201);
    const { csr } = answer.json<AnsweredIntegration>();
    expect(csr).not.toBe(mine.csr);
    expect((await get("/custody/integration/agent", bearer(other))).json()).toMatchObject({ csr });
    expect((await get("/custody/integration/execution", bearer(other))).json()).toEqual(none("execution"));
  }, 60_000);
  test("201: with recreate it replaces the previous one, whose secret stays", async () => {
    const before = (await requestCsr(api, other)).json<AnsweredIntegration>();
    const answer = await requestCsr(api, other, { recreate: true });
    expect(answer.statusCode).toBe(201);
    const after = answer.json<AnsweredIntegration>();
    expect(after.csr).not.toBe(before.csr);
    expect(idOf(after)).not.toBe(idOf(before));
    expect((await get("/custody/integration/execution", bearer(other))).json()).toEqual(after);
    expect((await custodyKeys()).every(({ retiredAt }) => retiredAt === null)).toBe(true);
  }, 60_000);
  test("201: with recreate also where none exists", async () => {
    expect((await requestCsr(api, await signIn(api), { recreate: true })).statusCode).toBe(201);
  }, 60_000);
  test.each([
    {},
    { ...aSubject, commonName: undefined },
    { ...aSubject, organization: " " },
    { ...aSubject, country: "CHE" },
    { ...aSubject, country: "C1" },
    { ...aSubject, commonName: "a\0b" },
    { ...aSubject, commonName: "a\nb" },
    { ...aSubject, commonName: "a\ud83d" },
    { ...aSubject, commonName: "a".repeat(65) },
    { ...aSubject, commonName: ["a"] },
    { ...aSubject, email: "ü@b.example" },
    { ...aSubject, recreate: "yes" },
  ])("400: rejects %j", async (body) => {
    expect((await post("/custody/generate-csr/agent", body)).statusCode).toBe(400);
  });
  test.each(["admin", "EXECUTION", "execution%00", "__proto__"])("400: unknown type %s", async (type) => {
    expect((await post(`/custody/generate-csr/${type}`, aSubject)).statusCode).toBe(400);
  });
  test("401: for any credential but the owner's session", async () => {
    await expectOwnerOnly((headers) => post("/custody/generate-csr/agent", aSubject, headers));
  });
  test("409: one exists, and nothing is created", async () => {
    const before = await custodyKeys();
    for (const recreate of [undefined, false])
      expect((await requestCsr(api, owner, { recreate })).statusCode).toBe(409);
    expect(await custodyKeys()).toEqual(before);
    expect((await get("/custody/integration/execution")).json()).toEqual(mine);
  });
  test.each([false, true])(
    "409: of two concurrent requests one succeeds, with recreate %s",
    async (recreate) => {
      const who = await signIn(api);
      if (recreate) await requestCsr(api, who);
      const before = await custodyKeys();
      const answers = await Promise.all([1, 2].map(() => requestCsr(api, who, { recreate })));
      expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409]);
      const made = (await custodyKeys()).slice(before.length);
      expect(made.filter(({ retiredAt }) => retiredAt === null)).toHaveLength(1);
      expect(made).toHaveLength(2);
      const winner = answers.find(({ statusCode }) => statusCode === 201)?.json();
      expect((await get("/custody/integration/execution", bearer(who))).json()).toEqual(winner);
    },
    60_000,
  );
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await exceedLimit(api, { method: "POST", url: "/custody/generate-csr/agent" })).toBe(429);
  });
});

describe("GET /custody/integration/{type}", () => {
  test("200: my integration, or null", async () => {
    expect((await get("/custody/integration/execution")).json()).toEqual(mine);
    expect((await get("/custody/integration/agent")).json()).toEqual(none("agent"));
  });
  test("200: another account sees its own, not mine", async () => {
    const stranger = await signIn(api);
    expect((await get("/custody/integration/execution", bearer(stranger))).json()).toEqual(none("execution"));
  });
  test("400: unknown type", async () => {
    expect((await get("/custody/integration/all")).statusCode).toBe(400);
  });
  test("401: for any credential but the owner's session", async () => {
    await expectOwnerOnly((headers) => get("/custody/integration/execution", headers));
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await exceedLimit(api, { method: "GET", url: "/custody/integration/agent" })).toBe(429);
  });
});

describe("GET /custody/integrations", () => {
  test("200: one entry per type, whether it exists or not", async () => {
    expect((await get("/custody/integrations")).json()).toEqual([mine, none("agent")]);
  });
  test("200: another account sees its own, not mine", async () => {
    expect((await get("/custody/integrations", bearer(await signIn(api)))).json()).toEqual([
      none("execution"),
      none("agent"),
    ]);
  });
  test("401: for any credential but the owner's session", async () => {
    await expectOwnerOnly((headers) => get("/custody/integrations", headers));
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await exceedLimit(api, { method: "GET", url: "/custody/integrations" })).toBe(429);
  });
});

describe("GET /custody/csr/{type}", () => {
  test("200: the CSR", async () => {
    expect((await get("/custody/csr/execution")).json()).toEqual({ type: "execution", csr: mine.csr });
  });
  test("400: unknown type", async () => {
    expect((await get("/custody/csr/all")).statusCode).toBe(400);
  });
  test("401: for any credential but the owner's session", async () => {
    await expectOwnerOnly((headers) => get("/custody/csr/execution", headers));
  });
  test("404: none exists, also where another account has one", async () => {
    expect((await get("/custody/csr/agent")).statusCode).toBe(404);
    expect((await get("/custody/csr/execution", bearer(await signIn(api)))).statusCode).toBe(404);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await exceedLimit(api, { method: "GET", url: "/custody/csr/agent" })).toBe(429);
  });
});

describe("GET /custody/config/{type}/{ethereumAddress}", () => {
  const urlOf = (address: string, type = "execution") => `/custody/config/${type}/${address}`;
  const shown = { type: "execution", status: "pending", ethereumAddress: wallet.address };

  test("200: for the owner, with a session, an API key or a signature", async () => {
    const { secret } = (await post("/user-api-keys", { name: "b" })).json<{ secret: string }>();
    const target = urlOf(wallet.address.toLowerCase());
    const signed = await signatureHeaders(wallet, { target });
    for (const headers of [bearer(owner), { "x-api-key": secret }, signed])
      expect((await get(target, headers)).json()).toEqual(shown);
  });
  test("200: for server keys", async () => {
    for (const type of ["admin", "orion"] as const) {
      const headers = { "x-api-key": await api.issueServerKey(type) };
      expect((await get(urlOf(wallet.address), headers)).json()).toEqual(shown);
    }
  });
  test("400: for a malformed address or an unknown type", async () => {
    expect((await get(urlOf("0x12"))).statusCode).toBe(400);
    expect((await get(urlOf(wallet.address, "all"))).statusCode).toBe(400);
  });
  test("401: without a credential, and with an OAuth client's", async () => {
    const grant = await aGrant(api, await aPublicClient(api), { who: owner });
    for (const headers of [{}, { authorization: `Bearer ${grant.access_token}` }])
      expect((await get(urlOf(wallet.address), headers as Record<string, string>)).statusCode).toBe(401);
  });
  test("403: for another account, known or not, with a session, an API key or a signature", async () => {
    const { secret } = (await post("/user-api-keys", { name: "c" }, bearer(other))).json<{
      secret: string;
    }>();
    for (const address of [wallet.address, aWallet().address]) {
      const stranger = aWallet();
      await signIn(api, stranger);
      const signed = await signatureHeaders(stranger, { target: urlOf(address) });
      for (const headers of [bearer(other), { "x-api-key": secret }, signed])
        expect((await get(urlOf(address), headers)).statusCode).toBe(403);
    }
  });
  test("404: unknown account, or no integration of that type", async () => {
    const headers = { "x-api-key": await api.issueServerKey("admin") };
    expect((await get(urlOf(aWallet().address), headers)).statusCode).toBe(404);
    expect((await get(urlOf(wallet.address, "agent"), headers)).statusCode).toBe(404);
    expect((await get(urlOf(wallet.address, "agent"))).statusCode).toBe(404);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await exceedLimit(api, { method: "GET", url: urlOf(wallet.address) })).toBe(429);
  });
});

test("no private key appears in any answer or log line", async () => {
  expect(api.said()).toContain("CERTIFICATE REQUEST");
  expect(api.said()).not.toContain("PRIVATE KEY");
  for (const { value } of await api.secrets.listCurrent("custody-key"))
    for (const encoding of ["base64", "base64url", "hex"] as const)
      // The secret exponent and the primes are in this range. The first bytes are the same for every key.
      expect(api.said()).not.toContain(value.subarray(900, 960).toString(encoding));
});
