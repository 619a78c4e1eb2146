import { randomUUID } from "node:crypto";
import type { Mandate } from "@countersign/wire";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aDraft, aMandate, asset, draft, grant, shop, signed, unixNow } from "../../test/mandates.ts";
import {
  aDecideApi,
  aPerson,
  aServerKey,
  type DecideApi,
  type Person,
} from "../../test/transactions/decide-api.ts";
import { aTestApiWithKeys } from "../../test/api-keys.ts";
import { exceedLimit } from "../../test/test-api.ts";

let made: DecideApi;
let api: DecideApi["api"];
let owner: Person;
let other: Person;
let server: Record<string, string>;
beforeAll(async () => {
  made = await aDecideApi();
  ({ api } = made);
  [owner, other] = [await aPerson(made), await aPerson(made)];
  server = (await aServerKey(made, "admin")).headers;
});
afterAll(() => made.close());

type Headers = Record<string, string>;
const send = (method: string, url: string, headers: Headers = {}, payload?: object) =>
  api.http.send({ method, url, headers, ...(payload === undefined ? {} : { payload }) });
const limited = (method: "GET" | "POST" | "DELETE", url: string) => exceedLimit(api, { method, url });
const day = 24 * 60 * 60;

describe("POST /mandates/draft", () => {
  test("200: the terms, complete and in one spelling, and the typed data to sign", async () => {
    const answer = await draft(api, owner, { assets: [asset.replace("0xc0c0", "0xC0C0")] });
    expect(answer.statusCode).toBe(200);
    const { terms, typedData, digest } = answer.json<{
      terms: Mandate;
      typedData: { message: Record<string, unknown> };
      digest: string;
    }>();
    expect(terms).toMatchObject({ account: owner.account, assets: [asset], homeChainId: 11_155_111 });
    expect(terms.nonce).toMatch(/^0x[0-9a-f]{64}$/);
    expect(typedData).toMatchObject({
      primaryType: "Mandate",
      message: { purpose: "Office supplies", validUntil: String(terms.validUntil) },
    });
    expect(digest).toMatch(/^0x[0-9a-f]{64}$/);
  });
  test("200: with a signed request", async () => {
    const body = JSON.stringify(aDraft(owner));
    const headers = {
      ...(await owner.sign("POST", "/mandates/draft", body)),
      "content-type": "application/json",
    };
    const answer = await api.http.send({ method: "POST", url: "/mandates/draft", headers, payload: body });
    expect(answer.statusCode).toBe(200);
  });
  test.each([
    ["an unknown act", { acts: ["borrow"] }],
    ["no asset", { assets: [] }],
    ["an asset twice", { assets: [asset, asset] }],
    ["an asset without a chain", { assets: [`erc20:${shop}`] }],
    ["a recipient that is no address", { recipients: ["Bob"] }],
    ["anyone and a name", { recipients: ["*", `eip155:1:${shop}`] }],
    ["no limit", { limits: [] }],
    [
      "only a limit per transaction",
      { limits: [{ measure: asset, span: "transaction", most: "1", decimals: 6 }] },
    ],
    [
      "a limit of another asset",
      { limits: [{ measure: "eip155:1/slip44:60", span: "total", most: "1", decimals: 18 }] },
    ],
    ["a period without a length", { limits: [{ measure: asset, span: "period", most: "1", decimals: 6 }] }],
    [
      "a length without a period",
      { limits: [{ measure: asset, span: "total", seconds: 60, most: "1", decimals: 6 }] },
    ],
    [
      "a rolling interval without a length",
      { limits: [{ measure: asset, span: "rolling", most: "1", decimals: 6 }] },
    ],
    ["a day of no time zone", { limits: [{ measure: asset, span: "day", most: "1", decimals: 6 }] }],
    [
      "a day of an unknown time zone",
      { limits: [{ measure: asset, span: "day in Mars/Olympus", most: "1", decimals: 6 }] },
    ],
    [
      "a length for a day",
      { limits: [{ measure: asset, span: "day in UTC", seconds: 86_400, most: "1", decimals: 6 }] },
    ],
    [
      "more places than the token has",
      { limits: [{ measure: asset, span: "total", most: "0.1234567", decimals: 6 }] },
    ],
    [
      "an amount that is no number",
      { limits: [{ measure: asset, span: "total", most: "1e3", decimals: 6 }] },
    ],
    [
      "an amount beyond 2^256",
      { limits: [{ measure: asset, span: "total", most: "9".repeat(60), decimals: 36 }] },
    ],
    ["a purpose with a hidden character", { purpose: "pay\u202Ebob" }],
    ["an end in the past", { validFrom: 1, validUntil: 2 }],
    ["an end before its beginning", { validFrom: unixNow() + 2 * day, validUntil: unixNow() + day }],
    ["more than a year", { validUntil: unixNow() + 367 * day }],
    ["a malformed agent", { agent: "bob" }],
    ["an agent that does not exist", { agent: `key:${randomUUID()}` }],
  ])("400: %s", async (_, more) => {
    expect((await draft(api, owner, more)).statusCode).toBe(400);
  });
  test("400: another account's agent, and a revoked key", async () => {
    expect((await draft(api, owner, { agent: `key:${other.agent.id}` })).statusCode).toBe(400);
    const revoked = await owner.key();
    await made.client.query("update api_keys set active = false where id = $1", [revoked.id]);
    const answer = await draft(api, owner, { agent: `key:${revoked.id}` });
    expect(answer.headers["x-error-code"]).toBe("mandates.agent-unknown");
  });
  test("401: without a credential, and with a key", async () => {
    expect((await draft(api, owner, {}, {})).statusCode).toBe(401);
    expect((await draft(api, owner, {}, owner.agent.headers)).statusCode).toBe(401);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await limited("POST", "/mandates/draft")).toBe(429);
  });
});

describe("POST /mandates", () => {
  test("201: what the wallet signed, with its limits", async () => {
    const payload = await signed(api, owner);
    const answer = await grant(api, owner, payload);
    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toMatchObject({
      agent: `key:${owner.agent.id}`,
      status: "ACTIVE",
      terms: payload.terms,
      signature: payload.signature,
      limits: [{ measure: asset, span: "period", most: "100", reserved: "0", spent: "0", left: "100" }],
      endedAt: null,
    });
  });
  test("201: in place of another one of the agent, which ends", async () => {
    const first = await aMandate(api, owner);
    const answer = await grant(api, owner, { ...(await signed(api, owner)), replaces: first.id });
    expect(answer.statusCode).toBe(201);
    const ended = await send("GET", `/mandates/${first.id}`, owner.jwt);
    expect(ended.json()).toMatchObject({ status: "REVOKED" });
  });
  test("400: in place of an ended one, another agent's, another account's or none", async () => {
    const ended = await aMandate(api, owner);
    await send("DELETE", `/mandates/${ended.id}`, owner.jwt);
    const key = await owner.key();
    const others = [
      ended,
      await aMandate(api, owner, { agent: `key:${key.id}` }),
      await aMandate(api, await aPerson(made)),
      { id: randomUUID() },
    ];
    for (const { id } of others) {
      const answer = await grant(api, owner, { ...(await signed(api, owner)), replaces: id });
      expect(answer.headers["x-error-code"]).toBe("mandates.not-replaceable");
    }
  });
  test("201: for a connected program, and later", async () => {
    const id = randomUUID();
    await made.client.query(
      `insert into oauth_grants (id, account, client_id, client_name, scopes, ends_at)
       values ($1, $2, 'client', 'A program', '{}', now() + interval '1 day')`,
      [id, owner.account],
    );
    await made.client.query(
      `insert into oauth_refresh_tokens (token_hash, grant_id, expires_at)
       values (sha256($1::text::bytea), $1::uuid, now() + interval '1 day')`,
      [id],
    );
    const payload = await signed(api, owner, { agent: `oauth:${id}`, validFrom: unixNow() + day });
    expect((await grant(api, owner, payload)).json()).toMatchObject({ status: "SCHEDULED" });
  });
  test("400: terms that differ from those that were signed in any member", async () => {
    const { terms, signature } = await signed(api, owner);
    for (const more of [
      { purpose: "Something else" },
      { recipients: ["*"] },
      { acts: ["transfer", "approve"] },
      { validUntil: terms.validUntil + 1 },
      { limits: [{ ...terms.limits[0], most: "101" }] },
    ]) {
      const answer = await grant(api, owner, { terms: { ...terms, ...more }, signature });
      expect([answer.statusCode, answer.headers["x-error-code"]]).toEqual([400, "mandates.wrong-signature"]);
    }
  });
  test("400: a signature of another wallet", async () => {
    const { terms } = await signed(api, owner);
    const { signature } = await signed(api, other);
    expect((await grant(api, owner, { terms, signature })).statusCode).toBe(400);
  });
  test("400: another account, another installation, an end in the past, an unknown agent", async () => {
    const { terms, signature } = await signed(api, owner);
    for (const [more, code] of [
      [{ account: other.account }, "mandates.other-account"],
      [{ homeChainId: 1 }, "mandates.other-installation"],
      [{ inbox: shop }, "mandates.other-installation"],
      [{ validFrom: 1, validUntil: 2 }, "mandates.period-not-allowed"],
      [{ agent: `key:${randomUUID()}` }, "mandates.agent-unknown"],
    ] as const) {
      const answer = await grant(api, owner, { terms: { ...terms, ...more }, signature });
      expect([answer.statusCode, answer.headers["x-error-code"]]).toEqual([400, code]);
    }
  });
  test("401: without a credential, and with a key: an agent grants itself nothing", async () => {
    const payload = await signed(api, owner);
    expect((await grant(api, owner, payload, {})).statusCode).toBe(401);
    expect((await grant(api, owner, payload, owner.agent.headers)).statusCode).toBe(401);
    expect((await grant(api, owner, payload, server)).statusCode).toBe(401);
  });
  test("409: the same mandate twice", async () => {
    const payload = await signed(api, owner);
    expect((await grant(api, owner, payload)).statusCode).toBe(201);
    expect((await grant(api, owner, payload)).statusCode).toBe(409);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await limited("POST", "/mandates")).toBe(429);
  });
  test("503: if a contract wallet's chain is unavailable", async () => {
    const away = await aTestApiWithKeys({ RPC_URLS: "11155111=http://127.0.0.1:9" });
    try {
      const person = await aPerson({ api: away });
      const payload = { ...(await signed(away, person)), signature: `0x${"ab".repeat(100)}` };
      expect((await grant(away, person, payload)).statusCode).toBe(503);
    } finally {
      await away.close();
    }
  });
});

describe("GET /mandates", () => {
  test("200: the owner sees all, newest first; an agent its own", async () => {
    const person = await aPerson(made);
    const second = await person.key();
    const first = await aMandate(api, person);
    const later = await aMandate(api, person, { agent: `key:${second.id}` });
    const ids = async (headers: Headers) =>
      (await send("GET", "/mandates", headers)).json<{ id: string }[]>().map(({ id }) => id);
    expect(await ids(person.jwt)).toEqual([later.id, first.id]);
    expect(await ids(await person.sign("GET", "/mandates"))).toEqual([later.id, first.id]);
    expect(await ids(second.headers)).toEqual([later.id]);
    expect(await ids(other.jwt)).toEqual([]);
  });
  test("401: without a credential", async () => {
    expect((await send("GET", "/mandates")).statusCode).toBe(401);
  });
  test("403: for a server key", async () => {
    expect((await send("GET", "/mandates", server)).statusCode).toBe(403);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await limited("GET", "/mandates")).toBe(429);
  });
});

describe("GET /mandates/{id}", () => {
  test("200: for the owner and the agent", async () => {
    const { id } = await aMandate(api, owner);
    for (const headers of [owner.jwt, owner.agent.headers])
      expect((await send("GET", `/mandates/${id}`, headers)).json()).toMatchObject({ id, status: "ACTIVE" });
  });
  test("400: for a malformed id", async () => {
    expect((await send("GET", "/mandates/1", owner.jwt)).statusCode).toBe(400);
  });
  test("401: without a credential", async () => {
    expect((await send("GET", `/mandates/${randomUUID()}`)).statusCode).toBe(401);
  });
  test("403: for a server key", async () => {
    expect((await send("GET", `/mandates/${randomUUID()}`, server)).statusCode).toBe(403);
  });
  test("404: unknown, another account's, another agent's", async () => {
    const { id } = await aMandate(api, owner);
    const stranger = await owner.key();
    expect((await send("GET", `/mandates/${randomUUID()}`, owner.jwt)).statusCode).toBe(404);
    expect((await send("GET", `/mandates/${id}`, other.jwt)).statusCode).toBe(404);
    expect((await send("GET", `/mandates/${id}`, stranger.headers)).statusCode).toBe(404);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await limited("GET", `/mandates/${randomUUID()}`)).toBe(429);
  });
});

describe("DELETE /mandates/{id}", () => {
  test("200: by the owner or by the agent, and again without effect", async () => {
    for (const headers of [owner.jwt, owner.agent.headers]) {
      const { id } = await aMandate(api, owner);
      const first = await send("DELETE", `/mandates/${id}`, headers);
      expect(first.json()).toMatchObject({ id, status: "REVOKED", endedAt: expect.any(String) as string });
      expect((await send("DELETE", `/mandates/${id}`, headers)).json()).toEqual(first.json());
    }
  });
  test("400: for a malformed id", async () => {
    expect((await send("DELETE", "/mandates/1", owner.jwt)).statusCode).toBe(400);
  });
  test("401: without a credential", async () => {
    expect((await send("DELETE", `/mandates/${randomUUID()}`)).statusCode).toBe(401);
  });
  test("403: for a server key", async () => {
    expect((await send("DELETE", `/mandates/${randomUUID()}`, server)).statusCode).toBe(403);
  });
  test("404: another account's, another agent's", async () => {
    const { id } = await aMandate(api, owner);
    const stranger = await owner.key();
    for (const headers of [other.jwt, stranger.headers])
      expect((await send("DELETE", `/mandates/${id}`, headers)).statusCode).toBe(404);
    expect((await send("GET", `/mandates/${id}`, owner.jwt)).json()).toMatchObject({ status: "ACTIVE" });
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await limited("DELETE", `/mandates/${randomUUID()}`)).toBe(429);
  });
});

const ask = (who: Person, more: object = {}, headers: Headers = who.agent.headers) =>
  send("POST", "/mandates/requests", headers, aDraft(who, more));
const openOf = async (headers: Headers) =>
  (await send("GET", "/mandates/requests", headers)).json<{ id: string }[]>().map(({ id }) => id);

describe("POST /mandates/requests", () => {
  test("201: an agent asks, the owner grants it, and it is closed", async () => {
    const person = await aPerson(made);
    const answer = await ask(person);
    expect(answer.statusCode).toBe(201);
    const { id } = answer.json<{ id: string }>();
    expect(answer.json()).toMatchObject({
      agent: `key:${person.agent.id}`,
      draft: { purpose: "Office supplies" },
    });
    expect((await send("GET", "/mandates", person.jwt)).json()).toEqual([]);
    const granted = await grant(api, person, { ...(await signed(api, person)), requestId: id });
    expect(granted.statusCode).toBe(201);
    expect(await openOf(person.jwt)).toEqual([]);
  });
  test("400: for another agent, or with terms that no mandate may have", async () => {
    const second = await owner.key();
    expect((await ask(owner, { agent: `key:${second.id}` })).headers["x-error-code"]).toBe(
      "mandates.other-agent",
    );
    expect((await ask(owner, { acts: ["admin"] })).statusCode).toBe(400);
  });
  test("401: without a key, also for the owner's session", async () => {
    expect((await ask(owner, {}, {})).statusCode).toBe(401);
    expect((await ask(owner, {}, owner.jwt)).statusCode).toBe(401);
  });
  test("403: for a server key", async () => {
    expect((await ask(owner, {}, server)).statusCode).toBe(403);
  });
  test("409: with 20 open requests of the account", async () => {
    const person = await aPerson(made);
    for (let count = 0; count < 20; count++) expect((await ask(person)).statusCode).toBe(201);
    expect((await ask(person)).statusCode).toBe(409);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await limited("POST", "/mandates/requests")).toBe(429);
  });
});

describe("GET /mandates/requests", () => {
  test("200: the owner sees all open ones, an agent its own", async () => {
    const person = await aPerson(made);
    const second = await person.key();
    const { id } = (await ask(person)).json<{ id: string }>();
    expect(await openOf(person.jwt)).toEqual([id]);
    expect(await openOf(person.agent.headers)).toEqual([id]);
    expect(await openOf(second.headers)).toEqual([]);
  });
  test("401: without a credential", async () => {
    expect((await send("GET", "/mandates/requests")).statusCode).toBe(401);
  });
  test("403: for a server key", async () => {
    expect((await send("GET", "/mandates/requests", server)).statusCode).toBe(403);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await limited("GET", "/mandates/requests")).toBe(429);
  });
});

describe("DELETE /mandates/requests/{id}", () => {
  test("200: the owner declines it, or the agent takes it back", async () => {
    const person = await aPerson(made);
    for (const headers of [person.jwt, person.agent.headers]) {
      const { id } = (await ask(person)).json<{ id: string }>();
      expect((await send("DELETE", `/mandates/requests/${id}`, headers)).json()).toEqual({ id, open: false });
      expect(await openOf(person.jwt)).toEqual([]);
    }
  });
  test("400: for a malformed id", async () => {
    expect((await send("DELETE", "/mandates/requests/1", owner.jwt)).statusCode).toBe(400);
  });
  test("401: without a credential", async () => {
    expect((await send("DELETE", `/mandates/requests/${randomUUID()}`)).statusCode).toBe(401);
  });
  test("403: for a server key", async () => {
    expect((await send("DELETE", `/mandates/requests/${randomUUID()}`, server)).statusCode).toBe(403);
  });
  test("404: unknown, closed, another account's, another agent's", async () => {
    const person = await aPerson(made);
    const second = await person.key();
    const { id } = (await ask(person)).json<{ id: string }>();
    const url = `/mandates/requests/${id}`;
    for (const headers of [other.jwt, second.headers])
      expect((await send("DELETE", url, headers)).statusCode).toBe(404);
    await send("DELETE", url, person.jwt);
    expect((await send("DELETE", url, person.jwt)).statusCode).toBe(404);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await limited("DELETE", `/mandates/requests/${randomUUID()}`)).toBe(429);
  });
});
