import { describe, expect, test } from "vitest";
import type { Header, Receipt } from "../../adapters/chain/index.ts";
import type { Transition } from "../transition.ts";
import type { LifecycleEvent } from "../lifecycle.ts";
import { aMemory, aTransaction } from "../../../test/transactions/in-memory.ts";
import type { Execution, Hex, Transaction } from "../transaction.ts";
import { makeSightings } from "./sightings.ts";
import type { Carried } from "./store/executions.ts";

const word = (digits: string): Hex => `0x${digits.padStart(64, "0")}`;
const execution: Execution = { hash: word("a1"), block: 7n, blockHash: word("b7") };
const elsewhere: Execution = { ...execution, block: 8n, blockHash: word("b8") };
const another: Execution = { hash: word("a2"), block: 9n, blockHash: word("b9") };

const approved = ["pin", "register", "verdictApproved", "userApproves"] as const;
const ofOwner = { requireUser: false, adminMayApprove: false, external: true };
const ofUs = { ...ofOwner, external: false };
const asOwner = (...more: readonly LifecycleEvent[]) =>
  aTransaction({ policy: ofOwner, after: [...approved, ...more] });
const asUs = (...more: readonly LifecycleEvent[]) =>
  aTransaction({ policy: ofUs, after: [...approved, "startExecution", ...more] });

const ready = asOwner();
const confirming: Transaction = { ...asOwner("seeSuccess"), execution };
const reverted: Transaction = { ...asOwner("seeRevert"), execution };
const expired = asOwner("expireReady");
const lapsed = asOwner("lapse");
const refused = asUs("broadcast", "custodyFails");
const pending = aTransaction({ after: ["pin", "register"] });
const late: readonly (readonly [string, Transaction])[] = [
  ["expired", expired],
  ["lapsed", lapsed],
  ["refused by custody", refused],
];

type World = {
  readonly receipt?: Receipt | undefined;
  readonly header?: Partial<Header> | undefined;
  readonly change?: Transition["change"];
};

function aWatch(transaction: Transaction, { receipt, header, change }: World = {}) {
  const memory = aMemory(transaction);
  const asked: unknown[] = [];
  const keys: unknown[] = [];
  const sightings = makeSightings({
    transition: {
      change: (key, rule) => {
        keys.push(key);
        return (change ?? memory.transition.change)(key, rule);
      },
    },
    chain: {
      readReceipt: async (...of) => {
        asked.push(of);
        return receipt;
      },
      readHeader: async (number) => (number === 7n ? (header as Header | undefined) : undefined),
    },
  });
  return { memory, sightings, asked, keys };
}

const carriedBy = (transaction: Transaction): Carried => ({
  ...{ id: "transaction-1", escrow: transaction.escrow, phase: transaction.phase, final: false },
  ...execution,
});

describe("the first sighting", () => {
  test.each([
    ["an approved transaction", ready, true, [["seeSuccess"], "CONFIRMING"]],
    ["an approved transaction that reverts", ready, false, [["seeRevert"], "CONFIRMING"]],
    ["one that was broadcast", asUs("broadcast"), true, [["seeSuccess"], "CONFIRMING"]],
    ["one not yet noted as broadcast", asUs(), true, [["broadcast", "seeSuccess"], "CONFIRMING"]],
    ["one not yet noted as broadcast, reverting", asUs(), false, [["broadcast", "seeRevert"], "CONFIRMING"]],
    ["a pending one", pending, true, [["seeSuccess"], "REGISTERED"]],
    ["a rejected one", asOwner("userRejects"), true, [["seeSuccess"], "REJECTED"]],
  ] as const)("of %s", async (_, transaction, succeeded, expected) => {
    const [events, phase] = expected;
    const { memory, sightings, keys } = aWatch(transaction);
    expect(await sightings.see("transaction-1", { execution, succeeded })).toBe(true);
    expect(memory.changes).toEqual([{ events, facts: { execution } }]);
    expect(memory.current().phase).toBe(phase);
    expect(keys).toEqual([{ id: "transaction-1" }]);
  });

  test.each([
    ["pending", pending],
    ["rejected", asOwner("userRejects")],
    ["failed for another reason", asUs("failPreflight")],
    ...late,
  ] as const)("of a reverted call changes nothing if the transaction is %s", async (_, transaction) => {
    const { memory, sightings, asked } = aWatch(transaction);
    expect(await sightings.see("transaction-1", { execution, succeeded: false })).toBe(false);
    expect([memory.changes, asked]).toEqual([[], []]);
  });

  test.each(late)(
    "of a transaction that is %s is only recorded until it is final",
    async (_, transaction) => {
      const { memory, sightings } = aWatch(transaction);
      expect(await sightings.see("transaction-1", { execution, succeeded: true })).toBe(true);
      expect(memory.changes).toEqual([{ facts: { execution } }]);
    },
  );

  test("of a final transaction is ignored", async () => {
    const { memory, sightings } = aWatch(asUs("failPreflight"));
    expect(await sightings.see("transaction-1", { execution, succeeded: true })).toBe(false);
    expect(memory.changes).toEqual([]);
  });

  test("of a failed transaction that is neither expired nor refused is not recorded as late", async () => {
    const { memory, sightings } = aWatch({ ...expired, reason: "REVERTED" });
    await sightings.see("transaction-1", { execution, succeeded: true });
    expect(memory.changes).toEqual([{ events: ["seeSuccess"], facts: { execution } }]);
    const pendingForTheSameReason = aWatch({ ...pending, reason: "EXPIRED" });
    await pendingForTheSameReason.sightings.see("transaction-1", { execution, succeeded: true });
    expect(pendingForTheSameReason.memory.changes).toHaveLength(1);
    expect(pendingForTheSameReason.memory.changes[0]).toHaveProperty("events");
  });
});

describe("a later sighting", () => {
  test("in the same block changes nothing", async () => {
    const { memory, sightings } = aWatch(confirming);
    expect(await sightings.see("transaction-1", { execution, succeeded: true })).toBe(true);
    expect(memory.changes).toEqual([]);
  });

  test.each([
    ["that succeeded", confirming, true, ["reorganise", "seeSuccess"]],
    ["that reverted", confirming, false, ["reorganise", "seeRevert"]],
    [
      "with other bytes",
      { ...asUs("broadcast", "seeMismatch"), execution },
      true,
      ["reorganise", "seeMismatch"],
    ],
    ["before approval", { ...pending, onchain: null, execution }, true, ["seeSuccess"]],
    ["before approval, that reverted", { ...pending, execution }, false, []],
  ] as const)("in another block follows a transaction %s", async (_, transaction, succeeded, events) => {
    const { memory, sightings } = aWatch(transaction);
    expect(await sightings.see("transaction-1", { execution: elsewhere, succeeded })).toBe(true);
    expect(memory.changes).toEqual([{ events, facts: { execution: elsewhere } }]);
  });

  test.each(late)("in another block only moves a transaction that is %s", async (_, transaction) => {
    const success = aWatch({ ...transaction, execution });
    expect(await success.sightings.see("transaction-1", { execution: elsewhere, succeeded: true })).toBe(
      true,
    );
    expect(success.memory.changes).toEqual([{ facts: { execution: elsewhere } }]);
    const revert = aWatch({ ...transaction, execution });
    expect(await revert.sightings.see("transaction-1", { execution: elsewhere, succeeded: false })).toBe(
      false,
    );
    expect(revert.memory.changes).toEqual([{ facts: { execution: null } }]);
  });

  test("in a block of the same hash by another transaction is a different sighting", async () => {
    const sameBlock = { ...execution, hash: another.hash };
    const { memory, sightings } = aWatch(reverted, { receipt: { ...execution, succeeded: false } });
    expect(await sightings.see("transaction-1", { execution: sameBlock, succeeded: true })).toBe(true);
    expect(memory.changes).toEqual([
      { events: ["reorganise", "seeSuccess"], facts: { execution: sameBlock } },
    ]);
  });
});

describe("a second transaction with the same call", () => {
  const sighting = { execution: another, succeeded: true };

  test.each([
    ["reverted", { ...execution, succeeded: false }],
    ["is gone", undefined],
  ])("replaces the first one if that %s", async (_, receipt) => {
    const { memory, sightings, asked } = aWatch(reverted, { receipt });
    expect(await sightings.see("transaction-1", sighting)).toBe(true);
    expect(memory.current().execution).toEqual(another);
    expect(asked).toEqual([[execution.hash, reverted.escrow]]);
  });
  test("does not replace one that succeeded", async () => {
    const { memory, sightings } = aWatch(confirming, { receipt: { ...execution, succeeded: true } });
    expect(await sightings.see("transaction-1", sighting)).toBe(false);
    expect(memory.changes).toEqual([]);
  });
  test("is not checked if it reverted", async () => {
    const { sightings, asked } = aWatch(reverted);
    expect(await sightings.see("transaction-1", { ...sighting, succeeded: false })).toBe(false);
    expect(asked).toEqual([]);
  });
  test("does not replace the first one of a final transaction", async () => {
    const { sightings } = aWatch({ ...reverted, final: true });
    expect(await sightings.see("transaction-1", sighting)).toBe(false);
  });
  test("is ignored if the transaction is gone by then", async () => {
    const memory = aMemory(reverted);
    let calls = 0;
    const change: Transition["change"] = async (key, rule) =>
      ++calls === 1 ? memory.transition.change(key, rule) : undefined;
    expect(await aWatch(reverted, { change }).sightings.see("transaction-1", sighting)).toBe(false);
    expect(calls).toBe(2);
  });
});

describe("a sighting that the store refuses", () => {
  const failWith = (error: Error) => aWatch(ready, { change: () => Promise.reject(error) });
  const see = (error: Error) =>
    failWith(error).sightings.see("transaction-1", { execution, succeeded: true });

  test("is ignored if another transaction already has it", async () => {
    const taken = Object.assign(new Error("duplicate"), { constraint: "transactions_carried_out" });
    expect(await see(taken)).toBe(false);
  });
  test.each([
    ["another constraint", Object.assign(new Error("duplicate"), { constraint: "transactions_pkey" })],
    ["no constraint", new Error("connection lost")],
    ["no error", { constraint: "transactions_carried_out" } as unknown as Error],
  ])("is passed on if it is %s", async (_, error) => {
    await expect(see(error)).rejects.toBe(error);
  });
  test("is ignored for an unknown transaction", async () => {
    const { sightings, asked } = aWatch(ready, { change: () => Promise.resolve(undefined) });
    expect(await sightings.see("transaction-1", { execution, succeeded: true })).toBe(false);
    expect(asked).toEqual([]);
  });
});

describe("alerts", () => {
  test("another call to the same destination raises an alert while the transaction is approved, once", async () => {
    const { memory, sightings, keys } = aWatch(ready);
    await sightings.seeOther("transaction-1");
    await sightings.seeOther("transaction-1");
    expect(memory.changes).toEqual([{ events: ["noticeMismatch"] }]);
    expect(keys[0]).toEqual({ id: "transaction-1" });
    const early = aWatch(pending);
    await early.sightings.seeOther("transaction-1");
    expect(early.memory.changes).toEqual([]);
  });
  test("the same call executed again raises an alert", async () => {
    const { memory, sightings, keys } = aWatch(confirming);
    await sightings.seeAgain("transaction-1");
    expect(memory.changes).toEqual([{ events: ["noticeRepetition"] }]);
    expect(memory.current().alert).toBe("EXECUTED_TWICE");
    expect(keys).toEqual([{ id: "transaction-1" }]);
  });
  test("another call that was sent for us is recorded, unless something is already known", async () => {
    const { memory, sightings, keys } = aWatch(asUs());
    await sightings.seeMismatch("transaction-1", execution);
    expect(memory.changes).toEqual([{ events: ["broadcast", "seeMismatch"], facts: { execution } }]);
    expect(memory.current()).toMatchObject({ phase: "CONFIRMING", onchain: "mismatch" });
    await sightings.seeMismatch("transaction-1", another);
    expect(memory.changes).toHaveLength(1);
    expect(keys[0]).toEqual({ id: "transaction-1" });
  });
});

describe("checking again", () => {
  const lookAgain = async (transaction: Transaction, world: World) => {
    const watch = aWatch(transaction, world);
    await watch.sightings.lookAgain(carriedBy(transaction));
    return watch;
  };
  const gone = { header: { hash: word("bb") } };

  test("changes nothing while the block exists", async () => {
    const { memory, asked } = await lookAgain(confirming, { header: { hash: execution.blockHash } });
    expect([memory.changes, asked]).toEqual([[], []]);
  });
  test.each([gone, { header: undefined }])("follows it into another block: %j", async (world) => {
    const receipt = { block: elsewhere.block, blockHash: elsewhere.blockHash, succeeded: false };
    const { memory, asked } = await lookAgain(confirming, { ...world, receipt });
    expect(memory.changes).toEqual([
      { events: ["reorganise", "seeRevert"], facts: { execution: elsewhere } },
    ]);
    expect(asked).toEqual([[execution.hash, confirming.escrow]]);
  });
  test("reverts it if it is in no block any more", async () => {
    const { memory, keys } = await lookAgain(confirming, gone);
    expect(memory.changes).toEqual([{ events: ["reorganise"], facts: { execution: null } }]);
    expect(memory.current()).toMatchObject({ phase: "READY", execution: null });
    expect(keys).toEqual([{ id: "transaction-1" }]);
  });
  test.each(late)("clears the block of a transaction that is %s", async (_, transaction) => {
    const { memory } = await lookAgain({ ...transaction, execution }, gone);
    expect(memory.current().execution).toBeNull();
  });
  test("keeps an execution from before the approval", async () => {
    const { memory } = await lookAgain({ ...pending, execution }, gone);
    expect(memory.changes).toEqual([]);
  });
  test.each([
    ["another transaction", { ...execution, hash: another.hash }],
    ["another block", elsewhere],
    ["nothing", null],
  ])("changes nothing if the transaction has %s by now", async (_, now) => {
    const { memory } = await lookAgain({ ...confirming, execution: now }, gone);
    expect(memory.changes).toEqual([]);
  });
});

describe("finishing", () => {
  const finish = async (transaction: Transaction, world: World) => {
    const watch = aWatch(transaction, world);
    await watch.sightings.finish(carriedBy(transaction));
    return watch;
  };
  const success = { ...execution, succeeded: true };
  const revert = { ...execution, succeeded: false };

  test.each([
    ["a success", confirming, success, "EXECUTED"],
    ["a revert", reverted, revert, "FAILED"],
  ] as const)("ends a transaction with %s", async (_, transaction, receipt, phase) => {
    const { memory, asked, keys } = await finish(transaction, { receipt });
    expect(memory.changes).toEqual([{ events: ["finalize"] }]);
    expect(memory.current()).toMatchObject({ phase, final: true });
    expect(asked).toEqual([[execution.hash, transaction.escrow]]);
    expect(keys).toEqual([{ id: "transaction-1" }]);
  });
  test.each(late)("a success revives a transaction that is %s", async (_, transaction) => {
    const { memory } = await finish({ ...transaction, execution }, { receipt: success });
    expect(memory.changes).toEqual([{ events: ["seeLateSuccess"] }]);
    expect(memory.current()).toMatchObject({ phase: "EXECUTED", late: true });
  });
  test.each(late)("a revert does not revive a transaction that is %s", async (_, transaction) => {
    const { memory } = await finish({ ...transaction, execution }, { receipt: revert });
    expect(memory.current()).toMatchObject({ phase: transaction.phase, execution: null });
  });
  test("a success that turned out to be a revert is undone", async () => {
    const { memory } = await finish(confirming, { receipt: revert });
    expect(memory.changes).toEqual([{ events: ["reorganise"], facts: { execution: null } }]);
  });
  test("changes nothing if the transaction has another execution by now", async () => {
    const { memory } = await finish({ ...confirming, execution: elsewhere }, { receipt: success });
    expect(memory.changes).toEqual([]);
  });
  test("follows it if its block was replaced", async () => {
    const receipt = { block: elsewhere.block, blockHash: elsewhere.blockHash, succeeded: true };
    const { memory } = await finish(confirming, { receipt, header: { hash: word("bb") } });
    expect(memory.current()).toMatchObject({ phase: "CONFIRMING", execution: elsewhere });
  });
  test("reverts it if its block was replaced and it is in none", async () => {
    const { memory } = await finish(confirming, { header: { hash: word("bb") } });
    expect(memory.current()).toMatchObject({ phase: "READY", execution: null });
  });
  test.each([{ header: undefined }, { header: { hash: execution.blockHash } }])(
    "changes nothing if the node contradicts itself: %j",
    async (world) => {
      const watch = aWatch(confirming, world);
      await expect(watch.sightings.finish(carriedBy(confirming))).rejects.toThrow("contradicts itself");
      expect(watch.memory.changes).toEqual([]);
    },
  );
});
