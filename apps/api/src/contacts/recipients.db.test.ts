import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import * as fc from "fast-check";
import { makeLog } from "@countersign/platform/log";
import { hashData } from "@countersign/wire";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aToken } from "../../test/mcp/over-http.ts";
import { exceedLimit } from "../../test/test-api.ts";
import { signIn } from "../../test/sign-in.ts";
import {
  aDecideApi,
  aPerson,
  aReport,
  aServerKey,
  aSignature,
  aTransaction,
  registered,
  type DecideApi,
  type Person,
} from "../../test/transactions/decide-api.ts";
import { watchedChains } from "../../test/transactions.ts";
import { connectDatabase } from "../platform/db/connect.ts";
import type { Hex } from "../platform/db/hex.ts";
import type { Transaction } from "../transactions/index.ts";
import { makeTransactionStore } from "../transactions/store/index.ts";
import { looksLike } from "./look-alike.ts";

let made: DecideApi;
beforeAll(async () => {
  made = await aDecideApi();
});
afterAll(() => made.close());

type Headers = Record<string, string>;
type Shown = {
  readonly complete: boolean;
  readonly uncounted: number;
  readonly recipients: readonly {
    readonly address: string;
    readonly role: string;
    readonly own: boolean;
    readonly contact: { readonly name: string } | null;
    readonly executed: number;
    readonly byOwner: number;
    readonly signatures: number;
    readonly firstAt: string | null;
    readonly lastAt: string | null;
    readonly lookAlikes: readonly {
      readonly address: string;
      readonly name: string | null;
      readonly executed: number;
      readonly own: boolean;
    }[];
  }[];
};

const log = makeLog({ app: "api", level: "silent" });

const anAddress = (): Hex => `0x${randomBytes(20).toString("hex")}`;
/** The same ends, another middle. */
const twinOf = (address: Hex): Hex =>
  `0x${address.slice(2, 6)}${randomBytes(16).toString("hex")}${address.slice(-4)}`;
const urlOf = ({ requestHash }: Pick<Transaction, "requestHash">): string =>
  `/transactions/${requestHash}/recipients`;
const ask = (transaction: Transaction, headers: Headers) =>
  made.api.http.send({ url: urlOf(transaction), headers });
const read = async (transaction: Transaction, { jwt }: Person): Promise<Shown> => {
  const shown = (await ask(transaction, jwt)).json<Shown>();
  const lower = <T extends { readonly address: string }>(one: T): T => ({
    ...one,
    address: one.address.toLowerCase(),
  });
  return {
    ...shown,
    recipients: shown.recipients.map((one) => ({ ...lower(one), lookAlikes: one.lookAlikes.map(lower) })),
  };
};
const name = (address: string, text: string, { jwt }: Person) =>
  made.api.http.send({ method: "PUT", url: `/contacts/${address}`, payload: { name: text }, headers: jwt });

type Proposed = Parameters<typeof aTransaction>[2];
const pay = (owner: Person, to: Hex, more: Proposed = {}): Promise<Transaction> =>
  aTransaction(made, owner, { after: registered, tx: { to, value: 5n, data: "0x" }, ...more });

/** A report of the validator that names these parties. */
const reportOf = (net: object, more: object = {}) =>
  aReport({
    context: {
      limit: null,
      calls: [],
      effects: [{ act: "transfer", knowledge: "full" }],
      net_effect: net,
      ...more,
    },
  });

const approved = ["verdictApproved", "userApproves"] as const;
const finish = async (
  transaction: Transaction,
  report?: unknown,
  store: Pick<DecideApi["store"], "change"> = made.store,
): Promise<Transaction> => {
  const changed = await store.change({ id: transaction.id }, () => ({
    events: [...approved, "seeSuccess", "finalize"],
    ...(report === undefined ? {} : { report }),
  }));
  if (changed?.after.phase !== "EXECUTED") throw new Error("not executed");
  return changed.after;
};
const judge = (transaction: Transaction, report: unknown) =>
  made.store.change({ id: transaction.id }, () => ({ events: ["verdictApproved"], report }));

const token = anAddress();
const transferTo = (to: Hex): Hex => `0xa9059cbb${to.slice(2).padStart(64, "0")}${"5".padStart(64, "0")}`;

describe("GET /transactions/{requestHash}/recipients", () => {
  test("200: a first payment, then how often and when the address was paid before", async () => {
    const [owner, to] = [await aPerson(made), anAddress()];
    const first = await pay(owner, to);
    expect(await read(first, owner)).toEqual({
      ...{ complete: true, uncounted: 0 },
      recipients: [
        {
          ...{ address: to, role: "paid", own: false, contact: null, executed: 0, byOwner: 0, signatures: 0 },
          ...{ firstAt: null, lastAt: null, lookAlikes: [] },
        },
      ],
    });
    await finish(first);
    await finish(await pay(owner, to));
    // Neither pending nor rejected ones count.
    await pay(owner, to);
    await pay(owner, to, { after: ["userRejects"] });
    const [shown] = (await read(await pay(owner, to), owner)).recipients;
    expect(shown).toMatchObject({ executed: 2, byOwner: 2, signatures: 0 });
    expect(Date.parse(shown?.firstAt ?? "")).toBeLessThan(Date.parse(shown?.lastAt ?? ""));
  });

  test("200: an executed transaction counts those before it, not itself and not later ones", async () => {
    const [owner, to] = [await aPerson(made), anAddress()];
    const done: Transaction[] = [];
    for (let time = 0; time < 3; time++) done.push(await finish(await pay(owner, to)));
    const counts = await Promise.all(
      done.map(async (one) => (await read(one, owner)).recipients[0]?.executed),
    );
    expect(counts).toEqual([0, 1, 2]);
  });

  test("200: the recipient of a token transfer, from the report and else from the calldata", async () => {
    const [owner, to, other] = [await aPerson(made), anAddress(), anAddress()];
    const tx = { to: token, value: 0n, data: transferTo(to) };
    await finish(await pay(owner, token, { tx }));
    await finish(await pay(owner, token, { tx }), reportOf({ others: [{ party: to }, { party: other }] }));
    const next = await pay(owner, token, { tx });
    expect((await read(next, owner)).recipients).toMatchObject([{ address: to, role: "paid", executed: 2 }]);
    await judge(next, reportOf({ others: [{ party: other }] }));
    expect((await read(next, owner)).recipients).toMatchObject([{ address: other, executed: 1 }]);
  });

  test("200: access is counted apart from payments", async () => {
    const [owner, spender] = [await aPerson(made), anAddress()];
    const report = reportOf({ authority: [{ spender, most: "unlimited" }] });
    await finish(await pay(owner, token, { tx: { to: token, value: 0n, data: "0x01" } }), report);
    const next = await pay(owner, token, { tx: { to: token, value: 0n, data: "0x01" } });
    await judge(next, report);
    expect((await read(next, owner)).recipients).toMatchObject([
      { address: spender, role: "access", executed: 1 },
    ]);
    expect((await read(await pay(owner, spender), owner)).recipients).toMatchObject([
      { address: spender, role: "paid", executed: 0 },
    ]);
  });

  test("200: payments without the owner are told apart, and signatures are not counted as payments", async () => {
    const [owner, to] = [await aPerson(made), anAddress()];
    const automatic = await pay(owner, to, { executionType: 2 });
    await made.store.change({ id: automatic.id }, () => ({
      events: ["verdictApproved", "grant", "seeSuccess", "finalize"],
    }));
    const signature = await aSignature(made, owner, { after: registered });
    await made.store.change({ id: signature.id }, () => ({
      events: [...approved, "release"],
      report: reportOf({ others: [{ party: to }] }),
    }));
    expect((await read(await pay(owner, to), owner)).recipients).toMatchObject([
      { address: to, executed: 1, byOwner: 0, signatures: 1 },
    ]);
  });

  test("200: an encrypted transaction names no recipient before its verdict, then only what the verdict proves", async () => {
    const [owner, to] = [await aPerson(made), anAddress()];
    const sealed = { form: "sealed", tx: null, description: "" } as const;
    const expected = (dataHash: Hex) => ({ facts: { expected: { to, value: 5n, dataHash } } });
    const one = await pay(owner, to, sealed);
    expect(await read(one, owner)).toMatchObject({ complete: false, recipients: [] });
    await made.store.change({ id: one.id }, () => expected(hashData("0x")));
    expect(await read(one, owner)).toMatchObject({
      complete: true,
      recipients: [{ address: to, role: "paid" }],
    });
    await finish(one);
    const other = await pay(owner, to, sealed);
    await made.store.change({ id: other.id }, () => expected(hashData("0x01")));
    expect(await read(other, owner)).toMatchObject({
      ...{ complete: false, uncounted: 0 },
      recipients: [{ address: to, role: "called", executed: 0 }],
    });
    await finish(other);
    expect(await read(await pay(owner, to), owner)).toMatchObject({
      uncounted: 1,
      recipients: [{ address: to, role: "paid", executed: 1 }],
    });
  });

  test("200: the contact's name, which changes with the address book and changes nothing else", async () => {
    const [owner, to] = [await aPerson(made), anAddress()];
    const transaction = await pay(owner, to);
    const state = async () => {
      const { rows } = await made.client.query("select to_jsonb(t) as t from transactions t where id = $1", [
        transaction.id,
      ]);
      return rows as readonly unknown[];
    };
    const before = await state();
    await name(to, "Alice", owner);
    expect((await read(transaction, owner)).recipients[0]?.contact).toMatchObject({ name: "Alice" });
    await name(to, "Alice Moreau", owner);
    expect((await read(transaction, owner)).recipients[0]?.contact).toMatchObject({ name: "Alice Moreau" });
    expect(await state()).toEqual(before);
  });

  test("200: an address that looks like one paid before, like a contact, and like the owner's own", async () => {
    const owner = await aPerson(made);
    const to = anAddress();
    const [paid, contact] = [twinOf(to), twinOf(to)];
    await finish(await pay(owner, paid));
    await finish(await pay(owner, paid));
    await name(contact, "Alice", owner);
    await name(paid, "Bob", await aPerson(made));
    expect((await read(await pay(owner, to), owner)).recipients[0]?.lookAlikes).toEqual([
      { address: contact, name: "Alice", executed: 0, own: false },
      { address: paid, name: null, executed: 2, own: false },
    ]);
    expect((await read(await pay(owner, twinOf(owner.account)), owner)).recipients[0]?.lookAlikes).toEqual([
      { address: owner.account, name: null, executed: 0, own: true },
    ]);
    expect((await read(await pay(owner, contact), owner)).recipients[0]?.lookAlikes).toMatchObject([
      { address: paid, executed: 2 },
    ]);
  });

  test("200: look-alikes are exactly the known addresses with the same ends", async () => {
    const digits = fc.string({ unit: fc.constantFrom("0", "a"), minLength: 1, maxLength: 1 });
    // Few digits, so that ends are equal by chance.
    const near = fc
      .tuple(digits, digits, digits)
      .map(([start, middle, end]): Hex => `0x000${start}${middle.repeat(32)}${end}000`);
    await fc.assert(
      fc.asyncProperty(near, fc.uniqueArray(near, { maxLength: 4 }), async (to, known) => {
        const owner = await aPerson(made);
        for (const [index, one] of known.entries()) await name(one, `Contact ${index}`, owner);
        const [recipient] = (await read(await pay(owner, to), owner)).recipients;
        expect(new Set(recipient?.lookAlikes.map(({ address }) => address))).toEqual(
          new Set(known.filter((one) => looksLike(one, to))),
        );
        expect(recipient?.contact !== null).toBe(known.includes(to));
      }),
      { numRuns: 20 },
    );
  });

  test("200: nothing of another account's history, contacts and look-alikes", async () => {
    const [owner, other, to] = [await aPerson(made), await aPerson(made), anAddress()];
    await finish(await pay(other, to));
    await finish(await pay(other, twinOf(to)));
    await name(to, "Alice", other);
    await name(twinOf(to), "Bob", other);
    expect((await read(await pay(owner, to), owner)).recipients).toMatchObject([
      { executed: 0, contact: null, lookAlikes: [] },
    ]);
  });

  test("200: at most 200 recipients, and then it is not complete", async () => {
    const owner = await aPerson(made);
    const others = Array.from({ length: 201 }, () => ({ party: anAddress() }));
    const transaction = await pay(owner, token);
    await judge(transaction, reportOf({ others }));
    const { complete, recipients } = await read(transaction, owner);
    expect([complete, recipients.length]).toEqual([false, 200]);
  });

  test("400: two credentials at once", async () => {
    const { jwt, agent } = await aPerson(made);
    const url = `/transactions/0x${"0".repeat(64)}/recipients`;
    const answer = await made.api.http.send({ url, headers: { ...jwt, ...agent.headers } });
    expect(answer.statusCode).toBe(400);
  });
  test("401: without a credential, and for every program of the owner and of the service", async () => {
    const owner = await aPerson(made);
    const transaction = await pay(owner, anAddress());
    const programs = [
      {},
      owner.agent.headers,
      (await owner.key("user")).headers,
      (await aServerKey(made, "admin")).headers,
      (await aServerKey(made, "orion")).headers,
      await aToken(made.api, await signIn(made.api, owner.wallet)),
    ];
    for (const headers of programs) expect((await ask(transaction, headers)).statusCode).toBe(401);
  });
  test("404: unknown, and another account's", async () => {
    const [owner, other] = [await aPerson(made), await aPerson(made)];
    const transaction = await pay(owner, anAddress());
    expect((await ask(transaction, other.jwt)).statusCode).toBe(404);
    const unknown = { ...transaction, requestHash: `0x${"0".repeat(64)}` as const };
    expect((await ask(unknown, owner.jwt)).statusCode).toBe(404);
  });
  test("429: rejects a request beyond the standard limit of its address", async () => {
    const url = `/transactions/0x${"0".repeat(64)}/recipients`;
    expect(await exceedLimit(made.api, { method: "GET", url })).toBe(429);
  });
});

describe("parties of executed transactions", () => {
  const rowsOf = async ({ account }: Person) => {
    const { rows } = await made.client.query(
      `select transaction_id, role, address, released, by_owner from executed_parties where account = $1
       order by transaction_id, role, address`,
      [account],
    );
    return rows as readonly Record<string, unknown>[];
  };

  test("are the same whether they are recorded at once or by the migration", async () => {
    const owner = await aPerson(made);
    // The migration ran before reports were compressed.
    const { db, close } = connectDatabase({ url: made.api.config.DATABASE_URL, poolSize: 1, log });
    const store = makeTransactionStore({ db, approvedSeconds: 7200, watchedChains, compactStorage: false });
    const [to, other] = [anAddress(), anAddress()];
    const word = (text: string): string => text.replace("0x", "").padStart(64, "0");
    const calls: readonly Hex[] = [
      ...([
        transferTo(to),
        `0x23b872dd${word(other)}${word(to)}${word("5")}`,
        `0x095ea7b3${word(to)}${word("5")}`,
      ] as const),
      ...([
        `0x095ea7b3${word(to)}${word("0")}`,
        "0xdeadbeef",
        `${transferTo(to)}00`,
        transferTo(owner.account),
      ] as const),
    ];
    for (const data of calls) await finish(await pay(owner, token, { tx: { to: token, value: 0n, data } }));
    await finish(await pay(owner, token, { tx: { to: token, value: 1n, data: transferTo(to) } }));
    await finish(await pay(owner, to));
    const nets = [
      ...[{ others: [{ party: to }, { party: to }, { party: other.toUpperCase().replace("0X", "0x") }] }, {}],
      {
        authority: [
          { spender: to, most: null },
          { spender: other, most: "0" },
        ],
        admin: [{ kind: "add_owner", party: other }],
      },
      ...[
        { admin: [{ kind: "delegatecall", party: to }] },
        { others: [{ party: "self" }, { party: "venue" }] },
      ],
    ];
    for (const net of nets) await finish(await pay(owner, token), reportOf(net), store);
    for (const more of [
      { limit: "deep" },
      { effects: [{ act: "opaque" }] },
      { effects: [] },
      { net_effect: null },
    ])
      await finish(await pay(owner, token), reportOf({ others: [{ party: to }] }, more), store);
    for (const dataHash of [hashData("0x"), hashData("0x01")]) {
      const sealed = await pay(owner, to, { form: "sealed", tx: null, description: "" });
      await made.store.change({ id: sealed.id }, () => ({
        facts: { expected: { to, value: 5n, dataHash } },
      }));
      await finish(sealed);
    }
    const signature = await aSignature(made, owner, { after: registered });
    await made.store.change({ id: signature.id }, () => ({ events: [...approved, "release"] }));
    const atOnce = await rowsOf(owner);
    expect(new Set(atOnce.map(({ role }) => role))).toEqual(new Set(["paid", "access", "called", "unknown"]));
    await made.client.query("delete from executed_parties");
    const file = await readFile(new URL("../../migrations/0032_contacts.sql", import.meta.url), "utf8");
    await made.client.query(file.slice(file.indexOf("with executed as")));
    expect(await rowsOf(owner)).toEqual(atOnce);
    await close();
  });

  test("are not recorded for one that failed", async () => {
    const owner = await aPerson(made);
    const { id } = await pay(owner, anAddress());
    await made.store.change({ id }, () => ({ events: [...approved, "seeRevert", "finalize"] }));
    expect(await rowsOf(owner)).toEqual([]);
  });

  test("are read with an index, however many the account has", async () => {
    const owner = await aPerson(made);
    const to = anAddress();
    const { id } = await finish(await pay(owner, to));
    await made.client.query(
      `insert into executed_parties (account, transaction_id, role, address, released, by_owner)
       select $1, $2, 'paid', '0x' || md5(n::text) || lpad(to_hex(n), 8, '0'), false, true from generate_series(1, 50000) n`,
      [owner.account, id],
    );
    await made.client.query("analyze executed_parties");
    const transaction = await pay(owner, to);
    const startedAt = performance.now();
    expect((await read(transaction, owner)).recipients).toMatchObject([{ executed: 1 }]);
    // Without an index it reads 50,000 rows several times. Generous, because other tests run at the same time.
    expect(performance.now() - startedAt).toBeLessThan(1_000);
    const { rows } = await made.client.query<{ "QUERY PLAN": string }>(
      `explain select count(*) from executed_parties p where p.account = '${owner.account}' and p.address = '${to}' and p.role = 'paid'`,
    );
    expect(rows.map((row) => row["QUERY PLAN"]).join("\n")).toContain("executed_parties_by_address");
  });
});
