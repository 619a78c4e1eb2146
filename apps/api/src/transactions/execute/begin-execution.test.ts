import { describe, expect, test } from "vitest";
import type { Within } from "../store/index.ts";
import { aMemory, aTransaction } from "../../../test/transactions/in-memory.ts";
import type { Transaction } from "../transaction.ts";
import { makeBeginExecution, WalletBusy } from "./begin-execution.ts";

const sender = { keptBy: "custodian", senderId: "sender-1" } as const;
const approved = ["pin", "register", "verdictApproved", "userApproves"] as const;
const policy = { requireUser: false, adminMayApprove: false, external: false };
const ours = (changes: Partial<Transaction> = {}): Transaction =>
  aTransaction({ after: approved, policy, ...changes });
const theirs = aTransaction({ after: approved });

/** One transaction, and the executions that were stored for it. */
function aBeginning(transaction: Transaction | undefined, { isWalletFree = true } = {}) {
  const memory = aMemory(transaction ?? ours());
  const executions: unknown[] = [];
  const { transition } = memory;
  const { begin, beginWithin } = makeBeginExecution({
    store: {
      inTransaction: (work) => work({} as Within),
      insertExecution: async (_, { id, phase }, by) => {
        executions.push([id, phase, by]);
        return isWalletFree;
      },
    },
    transition:
      transaction === undefined ? { ...transition, changeWithin: async () => undefined } : transition,
  });
  const { requestHash } = memory.current();
  return { memory, executions, beginWithin, begin, intent: { requestHash, sender } };
}

test("begins an approved transaction that we send, and records the sender", async () => {
  const { memory, executions, begin, intent } = aBeginning(ours());
  expect(await begin(intent)).toBe(true);
  expect(memory.current()).toMatchObject({ phase: "EXECUTING", nonceHeld: true });
  expect(executions).toEqual([["transaction-1", "EXECUTING", sender]]);
  expect(memory.pokes()).toBe(1);
});

test.each([
  ["its chain is not watched", ours({ isWatched: false })],
  ["it is overdue", ours({ isOverdue: true })],
  ["it is not approved yet", aTransaction({ after: ["pin", "register"], policy })],
  ["it was begun before", aTransaction({ after: [...approved, "startExecution"], policy })],
  ["its owner sends it", theirs],
  ["its verdict is stale", ours({ verdictFresh: false })],
  ["an alert is open", ours({ alert: "MISMATCH" })],
])("does not begin if %s", async (_, transaction) => {
  const { memory, executions, begin, intent } = aBeginning(transaction);
  expect(await begin(intent)).toBe(false);
  expect(memory.changes).toEqual([]);
  expect(executions).toEqual([]);
});

test("does not begin a transaction that expired before it was locked", async () => {
  const executions: unknown[] = [];
  const before = ours();
  const after: Transaction = { ...before, phase: "REJECTED", reason: "EXPIRED" };
  const changed = { before, after, approval: undefined, wake: undefined };
  const { begin } = makeBeginExecution({
    store: {
      inTransaction: (work) => work({} as Within),
      insertExecution: async () => Boolean(executions.push("inserted")),
    },
    transition: { changeWithin: async () => changed, announce: async () => undefined },
  });
  expect(await begin({ requestHash: before.requestHash, sender })).toBe(false);
  expect(executions).toEqual([]);
});

test("does not begin an unknown transaction", async () => {
  const { begin, executions, intent } = aBeginning(undefined);
  expect(await begin(intent)).toBe(false);
  expect(executions).toEqual([]);
});

describe("handing over", () => {
  test("sends for the owner, whose wallet was to send", async () => {
    const { memory, begin, intent } = aBeginning(theirs);
    expect(await begin({ ...intent, isHandedOver: true })).toBe(true);
    expect(memory.changes).toEqual([{ events: ["handOver", "startExecution"] }]);
    expect(memory.current()).toMatchObject({ phase: "EXECUTING", policy: { external: false } });
  });
  test("takes nothing from the owner if the transaction cannot be begun", async () => {
    const stale = { ...theirs, verdictFresh: false };
    const { memory, begin, intent } = aBeginning(stale);
    expect(await begin({ ...intent, isHandedOver: true })).toBe(false);
    expect(memory.current()).toBe(stale);
  });
  test("happens only on request", async () => {
    const { begin, intent } = aBeginning(theirs);
    expect(await begin({ ...intent, isHandedOver: false })).toBe(false);
  });
});

describe("a wallet that is busy", () => {
  test("begins nothing and announces nothing", async () => {
    const { memory, begin, intent } = aBeginning(ours(), { isWalletFree: false });
    expect(await begin(intent)).toBe(false);
    expect(memory.pokes()).toBe(0);
  });
  test("rolls back the caller's database transaction", async () => {
    const { beginWithin, intent } = aBeginning(ours(), { isWalletFree: false });
    const error = await beginWithin({} as Within, intent).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(WalletBusy);
    expect(error).toMatchObject({ name: "WalletBusy" });
  });
});

test("the caller's check sees the locked transaction and can reject it", async () => {
  const { memory, begin, intent } = aBeginning(ours());
  const check = (current: Transaction) => {
    throw new Error(`refused ${current.id}`);
  };
  await expect(begin({ ...intent, check })).rejects.toThrow("refused transaction-1");
  expect(memory.changes).toEqual([]);
});
