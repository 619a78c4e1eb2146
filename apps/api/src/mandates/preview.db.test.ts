import { randomUUID } from "node:crypto";
import type { PrivateKeyAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  aDraft,
  aMandate,
  anEffect,
  asset,
  find,
  reportOf,
  shop,
  unixNow,
  usdc,
} from "../../test/mandates.ts";
import { aPolicy } from "../../test/policies.ts";
import { exceedLimit } from "../../test/test-api.ts";
import {
  aDecideApi,
  anAttestation,
  aPerson,
  aServerKey,
  aService,
  aTransaction,
  registered,
  post,
  type DecideApi,
  type Person,
} from "../../test/transactions/decide-api.ts";

let made: DecideApi;
let api: DecideApi["api"];
let owner: Person;
let orion: { readonly headers: Record<string, string> };
let verifier: PrivateKeyAccount;
let serviceId: number;
beforeAll(async () => {
  made = await aDecideApi();
  ({ api } = made);
  owner = await aPerson(made);
  orion = await aServerKey(made, "orion");
  ({ wallet: verifier, id: serviceId } = await aService(made));
});
afterAll(() => made.close());

let count = 0;
type Paid = { readonly usdc?: number; readonly effect?: object; readonly more?: object };

/** A payment that the verifier approved. The owner approves everything, unless `more` says otherwise. */
async function pay(who: Person, { usdc: whole = 5, effect = {}, more = {} }: Paid = {}) {
  const transaction = await aTransaction(made, who, {
    ...{ executionType: 1, after: registered, serviceId, proposer: `key:${who.agent.id}` },
    ...{ description: `Pay the shop, number ${++count}.`, tx: { to: usdc, value: 0n, data: "0x01" } },
    ...more,
  } as Parameters<typeof aTransaction>[2]);
  const gives = [{ kind: "token", address: usdc, units: String(whole * 1_000_000), decimals: 6 }];
  const { report, reportHash } = reportOf([anEffect({ gives, ...effect })]);
  const attestation = await anAttestation(transaction, verifier, { reportHash });
  const verdict = { decision: "APPROVED", attestation, report };
  expect((await post(made, transaction, orion.headers, verdict)).statusCode).toBe(201);
  return find(made.store, transaction);
}

const move = ({ id }: { readonly id: string }, days: number) =>
  made.client.query("update transactions set verdict_at = now() - make_interval(days => $2) where id = $1", [
    id,
    days,
  ]);

type Headers = Record<string, string>;
const preview = (who: Person, more: object = {}, headers: Headers = who.jwt) =>
  api.http.send({ method: "POST", url: "/mandates/preview", payload: aDraft(who, more), headers });

const total = (most: string) => ({ measure: asset, span: "total", most, decimals: 6 });
const tables = ["mandates", "mandate_limits", "mandate_requests", "budget_uses", "budget_counters"];
const rowsOf = async (): Promise<readonly unknown[]> => {
  const all: unknown[] = [];
  for (const table of tables) all.push((await made.client.query(`select * from ${table}`)).rows);
  return all;
};

describe("POST /mandates/preview", () => {
  test("200: without past transactions nothing is counted, and nothing is stored", async () => {
    const before = await rowsOf();
    const answer = await preview(await aPerson(made));
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({
      ...{ transactions: 0, complete: true, counts: { allowed: 0, asked: 0, denied: 0 }, before: null },
      limits: [{ measure: asset, span: "period", most: "100", used: "0", at: null }],
      totals: [{ asset, allowed: "0", asked: "0" }],
      decisions: [],
    });
    expect(await rowsOf()).toEqual(before);
  });

  test("200: counts limits in dollars at the current price, and asks without one", async () => {
    const person = await aPerson(made);
    await pay(person, { usdc: 60 });
    await pay(person, { usdc: 41 });
    const dollars = { limits: [total("1000"), { measure: "usd", span: "total", most: "120", decimals: 2 }] };
    const counts = async () => (await preview(person, dollars)).json<{ counts: object }>().counts;
    expect(await counts()).toEqual({ allowed: 0, asked: 2, denied: 0 });
    await made.client.query(
      `insert into prices (asset, usd, source, as_of, fresh_seconds)
       values ($1, 2e18, 'eip155:1:0x5f', now(), 3600)`,
      [asset],
    );
    expect(await counts()).toEqual({ allowed: 1, asked: 1, denied: 0 });
    await made.client.query("delete from prices");
  });

  test("200: allows within the limits with the room left, and asks with the reason", async () => {
    const person = await aPerson(made);
    const first = await pay(person, { usdc: 60 });
    const other = await pay(person, { effect: { receiver: `0x${"0b".repeat(20)}` } });
    const large = await pay(person, { usdc: 41 });
    const rest = await pay(person, { usdc: 40 });
    const answer = await preview(person, { limits: [total("100"), { ...total("60"), span: "transaction" }] });
    expect(answer.json()).toMatchObject({
      ...{ transactions: 4, counts: { allowed: 2, asked: 2, denied: 0 } },
      totals: [{ asset, allowed: "100", asked: "46" }],
      limits: [
        { used: "100", most: "100" },
        { used: "60", most: "60" },
      ],
      decisions: [
        { requestHash: rest.requestHash, outcome: "allowed", reason: null, left: ["0", "60"] },
        {
          ...{ requestHash: large.requestHash, outcome: "asked", from: null, left: ["40", "60"] },
          description: large.description,
          reason: {
            code: "OUTSIDE_MANDATE",
            message: "This exceeds the mandate's limit in total: 40 of 100 left",
          },
        },
        {
          ...{ requestHash: other.requestHash, outcome: "asked" },
          reason: { message: expect.stringContaining("does not name the recipient") as string },
        },
        { requestHash: first.requestHash, outcome: "allowed", left: ["40", "60"] },
      ],
    });
  });

  test("200: counts a period in windows that reach back before the mandate begins", async () => {
    const person = await aPerson(made);
    const paid = [await pay(person, { usdc: 60 }), await pay(person, { usdc: 60 }), await pay(person)];
    for (const [index, one] of paid.entries()) await move(one, 20 - index * 3);
    const of = async (seconds: number) => {
      const limits = [{ ...total("100"), span: "period", seconds }];
      const answer = await preview(person, { limits, validFrom: unixNow() + 60 });
      return answer.json<{ counts: object }>().counts;
    };
    expect(await of(86_400)).toEqual({ allowed: 3, asked: 0, denied: 0 });
    expect(await of(30 * 86_400)).toEqual({ allowed: 2, asked: 1, denied: 0 });
  });

  test("200: looks at this agent's transactions of these days only", async () => {
    const person = await aPerson(made);
    const second = await person.key();
    await pay(person, { more: { proposer: `key:${second.id}` } });
    const old = await pay(person);
    await move(old, 40);
    const of = async (days: number) =>
      (await preview(person, { days })).json<{ transactions: number }>().transactions;
    expect([await of(30), await of(41)]).toEqual([0, 1]);
  });

  test("200: compares with another mandate of the owner", async () => {
    const person = await aPerson(made);
    const mandate = await aMandate(api, person, { limits: [total("50")] });
    for (const amount of [40, 30]) await pay(person, { usdc: amount });
    const answer = await preview(person, { limits: [total("100")], against: mandate.id });
    expect(answer.json()).toMatchObject({
      ...{ counts: { allowed: 2, asked: 0 }, before: { allowed: 1, asked: 1 } },
      decisions: [
        { outcome: "allowed", from: "asked" },
        { outcome: "allowed", from: "allowed" },
      ],
    });
  });

  test("200: repeated requests and policies count as they did then", async () => {
    const person = await aPerson(made);
    await aPolicy(api, person);
    const more = { executionType: 2 };
    await pay(person, { more });
    const approve = {
      ...{ act: "approve", gives: [], receiver: null },
      authority: { spender: shop, asset: { kind: "token", address: usdc }, units: "5", decimals: 6 },
    };
    await pay(person, { more, effect: approve });
    const answer = await preview(person, { acts: ["transfer", "approve"] });
    expect(answer.json()).toMatchObject({
      counts: { allowed: 0, asked: 1, denied: 1 },
      decisions: [
        { outcome: "denied", reason: { code: "POLICY", message: "Approvals are not allowed" } },
        { outcome: "asked", reason: { code: "POLICY", message: "New recipient" } },
      ],
    });
    const repeating = await aPerson(made);
    for (let index = 0; index < 2; index++)
      await pay(repeating, { more: { ...more, description: "Pay the shop." } });
    expect((await preview(repeating)).json()).toMatchObject({
      decisions: [{ outcome: "asked", reason: { code: "REPEATED_REQUEST" } }, { outcome: "allowed" }],
    });
  });

  test("200: asks about a transaction whose sender encrypted it", async () => {
    const person = await aPerson(made);
    await pay(person, { more: { form: "sealed", tx: null } });
    expect((await preview(person)).json()).toMatchObject({
      decisions: [{ outcome: "asked", reason: { code: "UNKNOWN_EFFECTS" } }],
    });
  });

  test("200: cuts a long request between characters", async () => {
    const person = await aPerson(made);
    await pay(person, { more: { description: "🙂".repeat(300) } });
    const [decision] = (await preview(person)).json<{ decisions: { description: string }[] }>().decisions;
    expect(decision?.description).toBe(`${"🙂".repeat(199)}…`);
  });

  test("200: with a signed request", async () => {
    const payload = JSON.stringify(aDraft(owner));
    const signed = await owner.sign("POST", "/mandates/preview", payload);
    const headers = { ...signed, "content-type": "application/json" };
    const answer = await api.http.send({ method: "POST", url: "/mandates/preview", headers, payload });
    expect(answer.statusCode).toBe(200);
  });

  test.each([
    ["no limit", { limits: [] }],
    ["only a limit per transaction", { limits: [{ ...total("1"), span: "transaction" }] }],
    ["more than a year", { validUntil: unixNow() + 367 * 86_400 }],
    ["an agent that does not exist", { agent: `key:${randomUUID()}` }],
    ["no days", { days: 0 }],
    ["more days than a year", { days: 366 }],
    ["a malformed mandate to compare with", { against: "1" }],
  ])("400: %s", async (_, more) => {
    expect((await preview(owner, more)).statusCode).toBe(400);
  });

  test("401: without a credential, and with a key", async () => {
    for (const headers of [{}, owner.agent.headers])
      expect((await preview(owner, {}, headers)).statusCode).toBe(401);
  });

  test("404: compared with an unknown mandate, and with another account's", async () => {
    const stranger = await aPerson(made);
    const { id } = await aMandate(api, stranger);
    for (const against of [randomUUID(), id]) {
      const answer = await preview(owner, { against });
      expect([answer.statusCode, answer.headers["x-error-code"]]).toEqual([404, "mandates.not-found"]);
    }
  });

  test("429: rejects a request beyond the standard limit of its address", async () => {
    expect(await exceedLimit(api, { method: "POST", url: "/mandates/preview" })).toBe(429);
  });
});
