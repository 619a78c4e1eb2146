// How a change moves the flows of its transaction, in the same commit.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  aDecideApi,
  aPerson,
  aTransaction,
  registered,
  type DecideApi,
  type Person,
} from "../../../test/transactions/decide-api.ts";
import { begin, type LifecycleEvent } from "../lifecycle.ts";
import type { Transaction } from "../transaction.ts";

let api: DecideApi;
let owner: Person;
beforeAll(async () => {
  api = await aDecideApi();
  owner = await aPerson(api);
});
afterAll(() => api.close());

const flowsOf = async ({ requestHash }: Transaction): Promise<Readonly<Record<string, string>>> => {
  const { rows } = await api.client.query<{ flow: string; status: string }>(
    "select flow, status from flows where key = $1",
    [requestHash],
  );
  return Object.fromEntries(rows.map(({ flow, status }) => [flow, status]));
};
const setFlow = async ({ requestHash }: Transaction, status: string): Promise<Transaction> => {
  await api.client.query("update flows set status = $2, run = 'run' where key = $1", [requestHash, status]);
  const found = await api.store.find(requestHash);
  if (found === undefined) throw new Error("it is missing");
  return found;
};
const change = ({ id }: Transaction, ...events: readonly LifecycleEvent[]) =>
  api.store.change({ id }, () => ({ events }));

describe("the verification of a proposal", () => {
  test.each([
    ["waiting", "finished"],
    ["started", "started"],
    ["accepted", "accepted"],
  ])("that is %s is %s after a verdict: a run that has it ends it", async (before, after) => {
    const made = await setFlow(await aTransaction(api, owner, { after: registered }), before);
    await change(made, "verdictApproved");
    expect(await flowsOf(made)).toEqual({ verification: after });
  });
  test.each(["waiting", "started", "accepted"])("that is %s ends with the proposal", async (before) => {
    const made = await setFlow(await aTransaction(api, owner, { after: registered }), before);
    await change(made, "withdraw");
    expect(await flowsOf(made)).toEqual({ verification: "finished" });
  });
  test.each(["waiting", "started", "accepted"])(
    "that is %s and never registered ends with its verdict",
    async (before) => {
      const made = await aTransaction(api, owner, { form: "unsealed", after: registered });
      await change(await setFlow(made, before), "verdictApproved");
      expect(await flowsOf(made)).toEqual({ verification: "finished" });
    },
  );
  test("goes on after a verdict that came before the registration", async () => {
    const made = await setFlow(await aTransaction(api, owner), "waiting");
    await change(made, "verdictApproved");
    expect(await flowsOf(made)).toEqual({ verification: "waiting" });
  });
  test("that is parked stays so", async () => {
    const made = await setFlow(await aTransaction(api, owner, { after: registered }), "parked");
    await change(made, "withdraw");
    expect(await flowsOf(made)).toEqual({ verification: "parked" });
  });
});

describe("an execution", () => {
  const ready = [...registered, "verdictApproved", "userApproves"] as const;

  test("is accepted and started once the service may send, in the trace of the proposal", async () => {
    const lifecycle = begin(1, { requireUser: false, adminMayApprove: false, external: false });
    const made = await aTransaction(api, owner, { lifecycle });
    const traceparent = `00-${"1".repeat(32)}-${"2".repeat(16)}-01`;
    await api.client.query("update flows set traceparent = $2 where key = $1", [
      made.requestHash,
      traceparent,
    ]);
    expect((await change(made, ...registered, "verdictApproved"))?.start).toBeUndefined();
    expect((await change(made, "userApproves"))?.start).toEqual({
      ...{ flow: "transaction", key: made.requestHash, traceparent },
    });
    expect(await flowsOf(made)).toMatchObject({ transaction: "accepted" });
    const again = await api.store.change({ id: made.id }, () => ({ facts: { remindedAt: "now" } }));
    expect(again?.start).toBeUndefined();
    expect(again?.wake).toMatchObject({ flow: "transaction", key: made.requestHash });
  });
  test("of a transaction that its owner sends is not ours", async () => {
    const made = await aTransaction(api, owner, { after: ready });
    expect(await flowsOf(made)).not.toHaveProperty("transaction");
  });
  test("is settled by its flow if the settlement was reported early", async () => {
    const made = await aTransaction(api, owner, { after: ready });
    await api.attest.keepSettlement(made.requestHash, { blockNumber: 7 });
    const changed = await change(made, "seeSuccess", "finalize");
    expect(changed?.start).toMatchObject({ flow: "transaction", key: made.requestHash });
  });
});

describe("changes that are asked for at the same time", () => {
  test("of different transactions: each has its own outcome, and a rule that throws fails alone", async () => {
    const all = await Promise.all(Array.from({ length: 12 }, () => aTransaction(api, owner)));
    const results = await Promise.allSettled(
      all.map(({ id }, index) =>
        api.store.change({ id }, () => {
          if (index === 5) throw new Error("refused");
          return index === 7 ? undefined : { events: ["pin", "register"] };
        }),
      ),
    );
    expect(
      results.map((result) => (result.status === "fulfilled" ? result.value?.after.phase : "failed")),
    ).toEqual(all.map((_, index) => (index === 5 ? "failed" : index === 7 ? "RECEIVED" : "REGISTERED")));
  });
  test("of one transaction: each sees the one before, and the versions have no gap", async () => {
    const made = await aTransaction(api, owner, { after: registered });
    const seen: number[] = [];
    await Promise.all(
      Array.from({ length: 8 }, () =>
        api.store.change({ id: made.id }, ({ version }) => {
          seen.push(version);
          return { facts: { remindedAt: "now" } };
        }),
      ),
    );
    expect(seen).toEqual(Array.from({ length: 8 }, (_, index) => made.version + index));
  });
  test("of an unknown transaction: there is none, and the others are changed", async () => {
    const made = await aTransaction(api, owner);
    const unknown = { requestHash: `0x${"00".repeat(32)}` } as const;
    const [missing, changed] = await Promise.all([
      api.store.change(unknown, () => ({ events: ["pin"] })),
      change(made, "pin"),
    ]);
    expect([missing, changed?.after.phase]).toEqual([undefined, "PINNED"]);
  });
});
