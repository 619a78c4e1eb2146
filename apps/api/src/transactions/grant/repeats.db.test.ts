// A request is used once: of several proposals of the same payment, the first is approved without the owner.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  aDecideApi,
  aPerson,
  aReport,
  aServerKey,
  aTransaction,
  post,
  registered,
  type DecideApi,
  type Person,
} from "../../../test/transactions/decide-api.ts";
import type { LifecycleEvent } from "../lifecycle.ts";
import type { NewTransaction, Transaction } from "../transaction.ts";

let api: DecideApi;
let orion: { readonly headers: Record<string, string> };
beforeAll(async () => {
  api = await aDecideApi();
  orion = await aServerKey(api, "orion");
});
afterAll(() => api.close());

type Changes = Partial<NewTransaction> & { readonly after?: readonly LifecycleEvent[] };

/** Proposed by the owner's agent and registered, so that a verdict takes effect at once. */
const propose = (owner: Person, changes: Changes = {}): Promise<Transaction> =>
  aTransaction(api, owner, {
    ...{ executionType: 2, after: registered, proposer: `key:${owner.agent.id}` },
    ...changes,
  });

const find = async ({ requestHash }: Transaction): Promise<Transaction> => {
  const found = await api.store.find(requestHash);
  if (found === undefined) throw new Error("gone");
  return found;
};

const verify = async (
  transaction: Transaction,
  more: object = {},
  { send }: Pick<DecideApi, "send"> = api,
): Promise<Transaction> => {
  const verdict = { decision: "APPROVED", ...more };
  expect((await post({ send }, transaction, orion.headers, verdict)).statusCode).toBe(201);
  return find(transaction);
};

const pay = async (owner: Person, changes: Changes = {}, more: object = {}): Promise<Transaction> =>
  verify(await propose(owner, changes), more);

const change = (transaction: Transaction, ...events: readonly LifecycleEvent[]) =>
  api.store.change({ id: transaction.id }, () => ({ events }));

const choose = (owner: Person, repeatWindowSeconds: number) =>
  api.api.http.send({
    method: "PUT",
    url: "/settings",
    payload: { executionType: 2, repeatWindowSeconds },
    headers: owner.jwt,
  });

const usesOf = async ({ account }: Person): Promise<readonly string[]> => {
  const { rows } = await api.client.query<{ state: string }>(
    "select state from request_uses where account = $1 order by number",
    [account],
  );
  return rows.map(({ state }) => state);
};

describe("a repeated payment", () => {
  test("waits for the owner, who sees why and which one it repeats", async () => {
    const owner = await aPerson(api);
    const first = await pay(owner);
    expect(first).toMatchObject({ phase: "READY", granted: true, needsOwner: null });
    const second = await pay(owner);
    const why = {
      code: "REPEATED_REQUEST",
      message: "This repeats a payment approved less than a minute ago",
      repeats: { requestHash: first.requestHash, at: expect.any(String) as string },
    };
    expect(second).toMatchObject({ phase: "AWAITING", granted: false, needsOwner: why });

    const url = `/transactions/${second.requestHash}`;
    const view = await api.send({ url, headers: owner.agent.headers });
    expect(view.json()).toMatchObject({ status: "PENDING", needsOwner: why });
    const status = await api.send({ url: `${url}/approval-status`, headers: owner.agent.headers });
    expect(status.json()).toMatchObject({ orion: [{ decision: "APPROVED" }], needsOwner: why });
    const { rows } = await api.client.query(
      "select event, status, needs_owner from account_events where transaction_id = $1 order by id desc limit 1",
      [second.id],
    );
    expect(rows).toEqual([{ event: "verdictApproved", status: "PENDING", needs_owner: why.code }]);

    expect((await post(api, second, owner.jwt)).statusCode).toBe(201);
    expect(await find(second)).toMatchObject({ phase: "READY", granted: false, needsOwner: why });
    expect(await usesOf(owner)).toEqual(["held", "held"]);
  });

  test("that was executed is named as made, with its age", async () => {
    const owner = await aPerson(api);
    const first = await pay(owner);
    await change(first, "seeSuccess", "finalize");
    await api.client.query(
      "update request_uses set at = at - interval '3 minutes' where transaction_id = $1",
      [first.id],
    );
    expect((await pay(owner)).needsOwner?.message).toBe("This repeats a payment made 3 minutes ago");
  });

  test("is recognised by its effects, although the call is another one", async () => {
    const owner = await aPerson(api);
    const swap = (least: string) => ({
      report: aReport({
        context: {
          effects: [
            {
              ...{ act: "swap", payer: "self", receiver: "self", authority: null, to_chain: null },
              gives: [{ kind: "native", symbol: "ETH", most: "1" }],
              gets: [{ kind: "token", symbol: "USDC", least }],
            },
          ],
        },
      }),
    });
    const tx = { to: owner.account, value: 1n, data: "0x01" } as const;
    expect((await pay(owner, { tx }, swap("3000"))).phase).toBe("READY");
    expect((await pay(owner, { tx: { ...tx, data: "0x02" } }, swap("2990"))).phase).toBe("AWAITING");
  });

  test("is recognised when its verdict came before its registration", async () => {
    const owner = await aPerson(api);
    const early = await propose(owner, { after: [] });
    await verify(early);
    expect((await pay(owner)).phase).toBe("READY");
    await change(early, ...registered);
    expect(await find(early)).toMatchObject({
      phase: "AWAITING",
      needsOwner: { code: "REPEATED_REQUEST" },
    });
  });

  test("repeats also one that the owner approved, or signed", async () => {
    const [asked, signer] = [await aPerson(api), await aPerson(api)];
    const first = await propose(asked);
    await verify(first, { decision: "UNDECIDED" });
    await post(api, first, asked.jwt);
    expect((await pay(asked)).phase).toBe("AWAITING");
    expect((await pay(signer, { intentProvenance: "user-signed" })).phase).toBe("READY");
    expect((await pay(signer)).phase).toBe("AWAITING");
  });
});

describe("approved without the owner is", () => {
  test("another agent's payment, or another request", async () => {
    const owner = await aPerson(api);
    await pay(owner);
    expect((await pay(owner, { proposer: "key:another" })).phase).toBe("READY");
    expect((await pay(owner, { description: "Send the same to Ann again." })).phase).toBe("READY");
    expect((await pay(await aPerson(api))).phase).toBe("READY");
  });

  test("each request that the owner signed, by its nonce", async () => {
    const owner = await aPerson(api);
    for (let count = 0; count < 2; count++)
      expect((await pay(owner, { intentProvenance: "user-signed" })).phase).toBe("READY");
  });

  test.each<readonly [string, readonly LifecycleEvent[]]>([
    ["cancelled", ["userRejects"]],
    ["expired", ["expireReady"]],
    ["reverted", ["seeRevert", "finalize"]],
  ])("the same payment once the first was %s", async (_, events) => {
    const owner = await aPerson(api);
    await change(await pay(owner), ...events);
    expect(await usesOf(owner)).toEqual(["released"]);
    expect((await pay(owner)).phase).toBe("READY");
  });

  test("the same payment once an earlier proposal was withdrawn before its verdict", async () => {
    const owner = await aPerson(api);
    await change(await propose(owner), "withdraw");
    expect((await pay(owner)).phase).toBe("READY");
    expect(await usesOf(owner)).toEqual(["held"]);
  });

  test("the same payment after the owner's window, or without one", async () => {
    const owner = await aPerson(api);
    const first = await pay(owner);
    await choose(owner, 60);
    const age = "update request_uses set at = at - interval '61 seconds' where transaction_id = $1";
    await api.client.query(age, [first.id]);
    const second = await pay(owner);
    expect(second.phase).toBe("READY");
    expect((await pay(owner)).phase).toBe("AWAITING");
    await choose(owner, 0);
    expect((await pay(owner)).phase).toBe("READY");
  });
});

describe("still counts", () => {
  test("a payment whose approval lapsed, because it may have been executed", async () => {
    const owner = await aPerson(api);
    await change(await pay(owner), "lapse");
    expect((await pay(owner)).phase).toBe("AWAITING");
  });
  test("a payment that was executed after it had expired", async () => {
    const owner = await aPerson(api);
    await change(await pay(owner), "expireReady", "seeLateSuccess");
    expect(await usesOf(owner)).toEqual(["made"]);
    expect((await pay(owner)).phase).toBe("AWAITING");
  });
  test("a payment that was sent although it was cancelled", async () => {
    const owner = await aPerson(api);
    await change(await pay(owner), "userRejects", "seeSuccess");
    expect(await usesOf(owner)).toEqual(["made"]);
  });
});

test("asks the owner if it is unknown what the sender encrypted", async () => {
  const asked = await pay(await aPerson(api), { form: "sealed", tx: null });
  expect(asked).toMatchObject({ phase: "AWAITING", needsOwner: { code: "UNKNOWN_REQUEST", repeats: null } });
});

test("counts nothing for accounts whose owner approves everything", async () => {
  const owner = await aPerson(api);
  const first = await pay(owner, { lifecycle: { ...(await propose(owner)), executionType: 1 } });
  await post(api, first, owner.jwt);
  expect(await usesOf(owner)).toEqual([]);
});

test("of many verdicts at the same instant in two processes, one is approved without the owner", async () => {
  const owner = await aPerson(api);
  const other = await api.another();
  const same = await Promise.all(Array.from({ length: 40 }, () => propose(owner)));
  const decided = await Promise.all(same.map((one, index) => verify(one, {}, index % 2 === 0 ? api : other)));
  const phases = decided.map(({ phase }) => phase);
  expect(phases.filter((phase) => phase === "READY")).toHaveLength(1);
  expect(phases.filter((phase) => phase === "AWAITING")).toHaveLength(39);
  expect(await usesOf(owner)).toEqual(["held"]);
  await other.close();
}, 60_000);

test("the table refuses two uses that were counted without the lock", async () => {
  const owner = await aPerson(api);
  const [first, second] = [await pay(owner), await propose(owner)];
  const insert = `insert into request_uses (transaction_id, account, agent, number, by_call, state)
    select $1, account, agent, number, by_call, 'held' from request_uses where transaction_id = $2`;
  await expect(api.client.query(insert, [second.id, first.id])).rejects.toMatchObject({
    constraint: "request_uses_counted_once",
  });
});
