// An agent with mandates is approved without its owner only within them, however many proposals come at once.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PrivateKeyAccount } from "viem/accounts";
import {
  aMandate,
  anEffect,
  asset,
  audit,
  find,
  grant,
  reportOf,
  signed,
  unixNow,
  type Granted,
} from "../../../test/mandates.ts";
import {
  aDecideApi,
  anAttestation,
  aPerson,
  aServerKey,
  aService,
  aTransaction,
  post,
  registered,
  type DecideApi,
  type Person,
} from "../../../test/transactions/decide-api.ts";
import type { LifecycleEvent } from "../lifecycle.ts";
import type { Transaction } from "../transaction.ts";

let api: DecideApi;
let orion: { readonly headers: Record<string, string> };
let verifier: PrivateKeyAccount;
let serviceId: number;
beforeAll(async () => {
  api = await aDecideApi();
  orion = await aServerKey(api, "orion");
  ({ wallet: verifier, id: serviceId } = await aService(api));
});
afterAll(() => api.close());

let count = 0;
/** Each with a request of its own, because these tests are not about repeated ones. */
const propose = (owner: Person, agent = `key:${owner.agent.id}`): Promise<Transaction> =>
  aTransaction(api, owner, {
    ...{ executionType: 2, after: registered, serviceId, proposer: agent },
    ...{
      description: `Pay the shop, number ${++count}.`,
      tx: { to: owner.account, value: 0n, data: "0x01" },
    },
  });

type Judged = { readonly effects?: readonly unknown[] };

/** Posts a signed verdict with a report of these effects. */
async function verify(
  transaction: Transaction,
  { effects = [anEffect()] }: Judged = {},
  { send }: Pick<DecideApi, "send"> = api,
): Promise<Transaction> {
  const { report, reportHash } = reportOf(effects);
  const attestation = await anAttestation(transaction, verifier, { reportHash });
  const verdict = { decision: "APPROVED", attestation, report };
  expect((await post({ send }, transaction, orion.headers, verdict)).statusCode).toBe(201);
  return find(api.store, transaction);
}

const pay = async (owner: Person, effects?: readonly unknown[]): Promise<Transaction> =>
  verify(await propose(owner), effects === undefined ? {} : { effects });

const change = (transaction: Transaction, ...events: readonly LifecycleEvent[]) =>
  api.store.change({ id: transaction.id }, () => ({ events }));

const ofUnits = (units: number, more: object = {}) =>
  anEffect({
    gives: [{ kind: "token", address: asset.split(":").at(-1), units: String(units), decimals: 6 }],
    ...more,
  });

const read = async (owner: Person, { id }: Granted): Promise<Granted> =>
  (await api.api.http.send({ url: `/mandates/${id}`, headers: owner.jwt })).json<Granted>();

const limits = (...all: readonly object[]) => ({ limits: all });
const total = (most: string) => ({ measure: asset, span: "total", most, decimals: 6 });

/** Moves the counters of periods to the window an hour earlier, as if that time had passed. */
async function makeOlder({ id }: Granted): Promise<void> {
  const ofPeriod = "limit_id in (select id from mandate_limits where mandate_id = $1 and span = 'period')";
  const earlier = "window_start - interval '1 hour'";
  for (const statement of [
    `insert into budget_counters (limit_id, window_start, account, most, reserved, spent)
     select limit_id, ${earlier}, account, most, reserved, spent from budget_counters where ${ofPeriod}`,
    `update budget_uses set window_start = ${earlier} where ${ofPeriod}`,
    `delete from budget_counters c where ${ofPeriod} and not exists (
       select from budget_uses u where u.limit_id = c.limit_id and u.window_start = c.window_start)`,
  ])
    await api.client.query(statement, [id]);
}

describe("within a mandate", () => {
  test("a payment is approved without the owner and reserves its amount", async () => {
    const owner = await aPerson(api);
    const mandate = await aMandate(api.api, owner);
    const paid = await pay(owner);
    expect(paid).toMatchObject({ phase: "READY", granted: true, mandateId: mandate.id, needsOwner: null });
    const view = await api.send({ url: `/transactions/${paid.requestHash}`, headers: owner.jwt });
    expect(view.json()).toMatchObject({ mandateId: mandate.id });
    for (const part of ["approval-status", "receipt"]) {
      const url = `/transactions/${paid.requestHash}/${part}`;
      const answer = await api.send({ url, headers: owner.agent.headers });
      expect(answer.json()).toMatchObject({ mandateId: mandate.id, needsOwner: null, policyDecision: null });
    }
    expect(await read(owner, mandate)).toMatchObject({ limits: [{ reserved: "5", spent: "0", left: "95" }] });
  });

  test("an executed payment is spent, a reorg reserves it again, a failed one is released", async () => {
    const owner = await aPerson(api);
    const mandate = await aMandate(api.api, owner);
    const [done, failed] = [await pay(owner), await pay(owner)];
    await change(done, "seeSuccess");
    expect(await read(owner, mandate)).toMatchObject({ limits: [{ reserved: "5", spent: "5" }] });
    await change(done, "reorganise");
    expect(await read(owner, mandate)).toMatchObject({ limits: [{ reserved: "10", spent: "0" }] });
    await change(done, "seeSuccess", "finalize");
    await change(failed, "userRejects");
    expect(await read(owner, mandate)).toMatchObject({ limits: [{ reserved: "0", spent: "5", left: "95" }] });
    expect(await audit(api.client)).toEqual([]);
  });

  test("a late execution counts, also beyond the limit", async () => {
    const owner = await aPerson(api);
    const mandate = await aMandate(api.api, owner, limits(total("5")));
    const late = await pay(owner);
    await change(late, "expireReady");
    expect((await pay(owner)).phase).toBe("READY");
    await change(late, "seeLateSuccess");
    expect(await read(owner, mandate)).toMatchObject({ limits: [{ reserved: "5", spent: "5", left: "0" }] });
    expect((await pay(owner)).phase).toBe("AWAITING");
    expect(await audit(api.client)).toEqual([]);
  });

  test.each([
    [
      "per transaction",
      limits(total("100"), { ...total("4.999999"), span: "transaction" }),
      "per transaction: 4.999999 of 4.999999 left",
    ],
    ["in total", limits(total("4")), "in total: 4 of 4 left"],
    ["per period", limits({ ...total("3"), span: "period", seconds: 3600 }), "per period: 3 of 3 left"],
    [
      "of transactions",
      limits(total("100"), { measure: "count", span: "total", most: "0" }),
      "in total: 0 of 0 left",
    ],
    [
      "in dollars, for want of a price",
      limits(total("100"), { measure: "usd", span: "total", most: "9999" }),
      "no current price of",
    ],
  ])("a limit %s is kept", async (_, more, message) => {
    const owner = await aPerson(api);
    await aMandate(api.api, owner, more);
    expect(await pay(owner)).toMatchObject({
      phase: "AWAITING",
      needsOwner: {
        code: "OUTSIDE_MANDATE",
        message: expect.stringContaining(message) as string,
        repeats: null,
      },
    });
  });

  test("a period begins again, and the total goes on", async () => {
    const owner = await aPerson(api);
    const mandate = await aMandate(
      api.api,
      owner,
      limits({ ...total("5"), span: "period", seconds: 3600 }, total("10")),
    );
    expect((await pay(owner)).phase).toBe("READY");
    expect((await pay(owner)).phase).toBe("AWAITING");
    await makeOlder(mandate);
    expect((await pay(owner)).phase).toBe("READY");
    expect(await pay(owner)).toMatchObject({ phase: "AWAITING" });
  });

  describe("in any hour", () => {
    const hourly = limits({ ...total("5"), span: "rolling", seconds: 3600 });
    /** As if a time had passed since the last change. */
    const age = ({ id }: Transaction, by: string) =>
      api.client.query(
        "update budget_uses set changed_at = changed_at - $2::interval where transaction_id = $1",
        [id, by],
      );

    test("an executed payment counts for an hour, and no longer", async () => {
      const owner = await aPerson(api);
      const mandate = await aMandate(api.api, owner, hourly);
      const paid = await pay(owner);
      await change(paid, "seeSuccess");
      await age(paid, "59 minutes");
      expect(await pay(owner)).toMatchObject({
        phase: "AWAITING",
        needsOwner: { message: "This exceeds the mandate's limit in any 60 minutes: 0 of 5 left" },
      });
      expect(await read(owner, mandate)).toMatchObject({ limits: [{ spent: "5", left: "0" }] });
      await age(paid, "61 seconds");
      expect(await read(owner, mandate)).toMatchObject({ limits: [{ spent: "0", left: "5" }] });
      expect((await pay(owner)).phase).toBe("READY");
      expect(await audit(api.client)).toEqual([]);
    });

    test("an approved payment counts until it is executed or released", async () => {
      const owner = await aPerson(api);
      await aMandate(api.api, owner, hourly);
      const held = await pay(owner);
      await age(held, "2 days");
      expect((await pay(owner)).phase).toBe("AWAITING");
      // Executed now, so the hour begins now.
      await change(held, "seeSuccess");
      expect((await pay(owner)).phase).toBe("AWAITING");
    });

    test("the table refuses what exceeds it", async () => {
      const owner = await aPerson(api);
      await aMandate(api.api, owner, hourly);
      const [paid, next] = [await pay(owner), await propose(owner)];
      const copy = `insert into budget_uses (transaction_id, limit_id, account, window_start, amount, state)
        select $2, limit_id, account, window_start, 1, 'held' from budget_uses where transaction_id = $1`;
      await expect(api.client.query(copy, [paid.id, next.id])).rejects.toThrow("is overspent");
    });
  });

  test.each(["day", "week", "month"])("a calendar %s begins at midnight of its time zone", async (unit) => {
    const owner = await aPerson(api);
    const zone = "Pacific/Auckland";
    const mandate = await aMandate(api.api, owner, limits({ ...total("5"), span: `${unit} in ${zone}` }));
    const paid = await pay(owner);
    const { needsOwner } = await pay(owner);
    expect(needsOwner?.message).toBe(`This exceeds the mandate's limit per ${unit} in ${zone}: 0 of 5 left`);
    const [limit] = (await read(owner, mandate)).limits as unknown as readonly { windowStart: string }[];
    const local = new Intl.DateTimeFormat("en-GB", {
      ...{ timeZone: zone, weekday: "short", day: "numeric", hour: "2-digit", minute: "2-digit" },
    }).formatToParts(new Date(limit?.windowStart ?? ""));
    const parts = Object.fromEntries(local.map(({ type, value }) => [type, value]));
    expect(parts).toMatchObject({
      ...{ hour: "00", minute: "00" },
      ...(unit === "week" ? { weekday: "Mon" } : unit === "month" ? { day: "1" } : {}),
    });
    // Uses of an earlier window do not count in this one.
    await api.client.query(
      `with moved as (
         insert into budget_counters (limit_id, window_start, account, most, reserved)
         select limit_id, window_start - interval '40 days', account, most, reserved from budget_counters
         where limit_id in (select limit_id from budget_uses where transaction_id = $1) returning window_start)
       select from moved`,
      [paid.id],
    );
    await api.client.query(
      "update budget_uses set window_start = window_start - interval '40 days' where transaction_id = $1",
      [paid.id],
    );
    await api.client.query(
      `delete from budget_counters c where not exists (
         select from budget_uses u where u.limit_id = c.limit_id and u.window_start = c.window_start)`,
    );
    expect((await pay(owner)).phase).toBe("READY");
  });

  test("the newest mandate that covers it is used, otherwise another one", async () => {
    const owner = await aPerson(api);
    const large = await aMandate(api.api, owner);
    const small = await aMandate(api.api, owner, limits(total("5")));
    expect((await pay(owner)).mandateId).toBe(small.id);
    expect((await pay(owner)).mandateId).toBe(large.id);
  });
});

describe("the owner is asked", () => {
  test("about another recipient, act or asset, with the reason", async () => {
    const owner = await aPerson(api);
    await aMandate(api.api, owner);
    const other = `0x${"0b".repeat(20)}`;
    for (const more of [{ receiver: other }, { act: "approve" }, { payer: other }])
      expect(await pay(owner, [anEffect(more)])).toMatchObject({
        phase: "AWAITING",
        mandateId: null,
        needsOwner: { code: "OUTSIDE_MANDATE" },
      });
  });

  test("about a batch that exceeds the limit only in sum", async () => {
    const owner = await aPerson(api);
    await aMandate(api.api, owner);
    expect(
      (
        await pay(
          owner,
          Array.from({ length: 21 }, () => anEffect()),
        )
      ).phase,
    ).toBe("AWAITING");
    expect(
      (
        await pay(
          owner,
          Array.from({ length: 20 }, () => anEffect()),
        )
      ).phase,
    ).toBe("READY");
  });

  test("about effects that the report does not have in base units", async () => {
    const owner = await aPerson(api);
    await aMandate(api.api, owner);
    expect(await pay(owner, [{ act: "transfer" }])).toMatchObject({
      needsOwner: { code: "UNKNOWN_EFFECTS" },
    });
  });

  test("about a payload that the sender encrypted, whatever its report says", async () => {
    const owner = await aPerson(api);
    await aMandate(api.api, owner);
    const sealed = await aTransaction(api, owner, {
      ...{ executionType: 2, after: registered, serviceId, proposer: `key:${owner.agent.id}` },
      ...{ form: "sealed", tx: null },
    });
    expect(await verify(sealed)).toMatchObject({
      phase: "AWAITING",
      needsOwner: { code: "UNKNOWN_EFFECTS" },
    });
  });

  test("about everything once the mandate has ended, not started, or was revoked", async () => {
    const [ended, scheduled, revoked] = [await aPerson(api), await aPerson(api), await aPerson(api)];
    const { id } = await aMandate(api.api, ended);
    await api.client.query("update mandates set valid_until = now() where id = $1", [id]);
    await aMandate(api.api, scheduled, { validFrom: unixNow() + 3600 });
    const url = `/mandates/${(await aMandate(api.api, revoked)).id}`;
    expect((await api.api.http.send({ method: "DELETE", url, headers: revoked.jwt })).statusCode).toBe(200);
    for (const owner of [ended, scheduled, revoked])
      expect(await pay(owner)).toMatchObject({ phase: "AWAITING", needsOwner: { code: "NO_MANDATE" } });
  });

  test("not about an agent that is older than the first mandate and never had one", async () => {
    const owner = await aPerson(api);
    const other = await owner.key();
    await aMandate(api.api, owner);
    const free = await verify(await propose(owner, `key:${other.id}`), { effects: [ofUnits(999_000_000)] });
    expect(free).toMatchObject({ phase: "READY", mandateId: null });
  });

  test("about a key or connection that is newer than the first mandate, until it has its own", async () => {
    const owner = await aPerson(api);
    await aMandate(api.api, owner);
    const next = await owner.key();
    for (const agent of [`key:${next.id}`, "key:gone", "oauth:gone"])
      expect(await verify(await propose(owner, agent))).toMatchObject({
        phase: "AWAITING",
        needsOwner: { code: "NO_MANDATE" },
      });
    await aMandate(api.api, owner, { agent: `key:${next.id}` });
    expect((await verify(await propose(owner, `key:${next.id}`))).phase).toBe("READY");
  });

  test("not about a transaction that the owner proposed in person", async () => {
    const owner = await aPerson(api);
    await aMandate(api.api, owner);
    expect((await verify(await propose(owner, `jwt:${owner.account}`))).phase).toBe("READY");
  });

  test("and an owner's approval needs no budget", async () => {
    const owner = await aPerson(api);
    const mandate = await aMandate(api.api, owner, limits(total("1")));
    const asked = await pay(owner);
    expect((await post(api, asked, owner.jwt)).statusCode).toBe(201);
    expect(await find(api.store, asked)).toMatchObject({ phase: "READY", mandateId: null });
    expect(await read(owner, mandate)).toMatchObject({ limits: [{ reserved: "0" }] });
  });
});

test("of 200 proposals at once in two processes, a budget for 20 approves exactly 20 without the owner", async () => {
  const owner = await aPerson(api);
  const mandate = await aMandate(api.api, owner);
  const other = await api.another();
  const all: Transaction[] = [];
  for (let made = 0; made < 200; made++) all.push(await propose(owner));
  const decided = await Promise.all(all.map((one, index) => verify(one, {}, index % 2 === 0 ? api : other)));
  const phases = decided.map(({ phase }) => phase);
  expect(phases.filter((phase) => phase === "READY")).toHaveLength(20);
  expect(phases.filter((phase) => phase === "AWAITING")).toHaveLength(180);
  expect(await read(owner, mandate)).toMatchObject({ limits: [{ reserved: "100", left: "0" }] });
  expect(await audit(api.client)).toEqual([]);
  await other.close();
}, 120_000);

const revoke = async (owner: Person, { id }: Granted): Promise<void> => {
  const answer = await api.api.http.send({ method: "DELETE", url: `/mandates/${id}`, headers: owner.jwt });
  expect(answer.statusCode).toBe(200);
};

describe("when a mandate is revoked", () => {
  test("the owner is asked again about what is approved and not sent, and may approve it", async () => {
    const owner = await aPerson(api);
    const mandate = await aMandate(api.api, owner);
    const [open, sent] = [await pay(owner), await pay(owner)];
    await change(sent, "seeSuccess");
    await revoke(owner, mandate);
    expect(await find(api.store, open)).toMatchObject({
      ...{ phase: "AWAITING", granted: false, mandateId: null },
      needsOwner: { code: "MANDATE_ENDED", repeats: null },
    });
    expect(await find(api.store, sent)).toMatchObject({ phase: "CONFIRMING", mandateId: mandate.id });
    expect(await read(owner, mandate)).toMatchObject({ limits: [{ reserved: "0", spent: "5" }] });
    expect((await post(api, open, owner.jwt)).statusCode).toBe(201);
    expect(await find(api.store, open)).toMatchObject({ phase: "READY", mandateId: null });
    expect(await read(owner, mandate)).toMatchObject({ limits: [{ reserved: "0", spent: "5" }] });
    expect(await audit(api.client)).toEqual([]);
  });

  test("another mandate that covers it keeps it approved, within its own budget", async () => {
    const owner = await aPerson(api);
    const small = await aMandate(api.api, owner, limits(total("5")));
    const large = await aMandate(api.api, owner);
    const [first, second] = [await pay(owner), await pay(owner)];
    expect([first.mandateId, second.mandateId]).toEqual([large.id, large.id]);
    await revoke(owner, large);
    const after = await Promise.all([first, second].map((one) => find(api.store, one)));
    expect(after.map(({ phase }) => phase).sort()).toEqual(["AWAITING", "READY"]);
    expect(await read(owner, small)).toMatchObject({ limits: [{ reserved: "5", left: "0" }] });
    expect(await audit(api.client)).toEqual([]);
  });

  test("a transaction that is being sent stays approved", async () => {
    const owner = await aPerson(api);
    const mandate = await aMandate(api.api, owner);
    const sent = await pay(owner);
    await change(sent, "handOver", "startExecution");
    await revoke(owner, mandate);
    expect(await find(api.store, sent)).toMatchObject({ phase: "EXECUTING", mandateId: mandate.id });
  });

  test("nothing is approved under it afterwards, however many verdicts arrive meanwhile", async () => {
    const owner = await aPerson(api);
    const mandate = await aMandate(api.api, owner, limits(total("1000")));
    const all = await Promise.all(Array.from({ length: 20 }, () => propose(owner)));
    const early = all.slice(0, 10).map((one) => verify(one));
    await revoke(owner, mandate);
    const late = await Promise.all(all.slice(10).map((one) => verify(one)));
    expect(late.map(({ phase }) => phase)).toEqual(late.map(() => "AWAITING"));
    await Promise.all(early);
    const after = await Promise.all(all.map((one) => find(api.store, one)));
    expect(after.map(({ phase }) => phase)).toEqual(all.map(() => "AWAITING"));
    expect(await read(owner, mandate)).toMatchObject({ limits: [{ reserved: "0", spent: "0" }] });
    expect(await audit(api.client)).toEqual([]);
  }, 60_000);
});

describe("when a mandate is replaced", () => {
  const replace = async (owner: Person, { id }: Granted, more: object): Promise<Granted> => {
    const payload = { ...(await signed(api.api, owner, more)), replaces: id };
    const answer = await grant(api.api, owner, payload);
    expect(answer.statusCode).toBe(201);
    return answer.json<Granted>();
  };

  test("approved transactions count under the new one, and the owner is asked about the others", async () => {
    const owner = await aPerson(api);
    const old = await aMandate(api.api, owner);
    const paid = [await pay(owner), await pay(owner), await pay(owner)];
    const next = await replace(owner, old, limits(total("10")));
    const after = await Promise.all(paid.map((one) => find(api.store, one)));
    expect(after.filter(({ mandateId }) => mandateId === next.id)).toHaveLength(2);
    expect(after.filter(({ needsOwner }) => needsOwner?.code === "MANDATE_ENDED")).toHaveLength(1);
    expect(await read(owner, old)).toMatchObject({ status: "REVOKED", limits: [{ reserved: "0" }] });
    expect(await read(owner, next)).toMatchObject({
      status: "ACTIVE",
      limits: [{ reserved: "10", left: "0" }],
    });
    expect(await audit(api.client)).toEqual([]);
  });

  test("an execution is settled under the new one", async () => {
    const owner = await aPerson(api);
    const old = await aMandate(api.api, owner);
    const paid = await pay(owner);
    const next = await replace(owner, old, {});
    await change(paid, "seeSuccess", "finalize");
    expect(await read(owner, old)).toMatchObject({ limits: [{ reserved: "0", spent: "0" }] });
    expect(await read(owner, next)).toMatchObject({ limits: [{ reserved: "0", spent: "5" }] });
    expect(await audit(api.client)).toEqual([]);
  });
});

test("the table refuses more than the limit, whatever a statement gets wrong", async () => {
  const owner = await aPerson(api);
  await aMandate(api.api, owner);
  await pay(owner);
  await expect(
    api.client.query("update budget_counters set reserved = reserved + 95000001 where account = $1", [
      owner.account,
    ]),
  ).rejects.toMatchObject({ constraint: "budget_counters_not_overspent" });
});

describe("DELETE /mandates/{id}", () => {
  test("503: if transactions keep being approved under it at the same time", async () => {
    const owner = await aPerson(api);
    const mandate = await aMandate(api.api, owner);
    const paid = await pay(owner);
    // Shows the transaction only after the mandate's transactions are locked, as if it were approved at that moment.
    await api.client.query("update transactions set mandate_id = null where id = $1", [paid.id]);
    await api.client.query(`
      create function approve_meanwhile() returns trigger language plpgsql security definer as $$ begin
        update transactions set mandate_id = new.id where id = '${paid.id}'; return null; end $$;
      create trigger approve_meanwhile after update on mandates for each row execute function approve_meanwhile()`);
    try {
      const answer = await api.api.http.send({
        ...{ method: "DELETE", url: `/mandates/${mandate.id}`, headers: owner.jwt },
      });
      expect([answer.statusCode, answer.headers["x-error-code"]]).toEqual([503, "mandates.busy"]);
      expect(await read(owner, mandate)).toMatchObject({ status: "ACTIVE" });
    } finally {
      await api.client.query("drop function approve_meanwhile cascade");
    }
  });
});
