import { describe, expect, test } from "vitest";
import { aMemory, aTransaction, now } from "../../../test/transactions/in-memory.ts";
import type { Transaction } from "../transaction.ts";
import { makeGiveUp, makeAbandonIfStale } from "./outcome.ts";

const policy = { requireUser: false, adminMayApprove: false, external: false };
const approved = ["pin", "register", "verdictApproved", "userApproves"] as const;
const ready = aTransaction({ policy, after: approved });
const executing = aTransaction({ policy, after: [...approved, "startExecution"] });
const broadcast = aTransaction({ policy, after: [...approved, "startExecution", "broadcast"] });
const hour = 3_600_000;

describe("giving up", () => {
  test.each([
    ["before anyone was asked to send", executing, "failPreflight", "PREFLIGHT"],
    ["after someone was asked to send", broadcast, "custodyFails", "CUSTODY"],
  ])("%s", async (_, transaction, ...expected) => {
    const [event, reason] = expected;
    const memory = aMemory(transaction);
    await makeGiveUp(memory)(transaction.requestHash, ["the nonce is used", "the balance is too low"]);
    const reasonDetail = "the nonce is used; the balance is too low";
    expect(memory.changes).toEqual([{ events: [event], facts: { reasonDetail } }]);
    expect(memory.current()).toMatchObject({ phase: "FAILED", reason });
  });

  test("changes nothing in a transaction that is not being sent", async () => {
    const memory = aMemory(ready);
    await makeGiveUp(memory)(ready.requestHash, ["late"]);
    expect(memory.changes).toEqual([]);
  });
});

describe("abandoning a stale execution", () => {
  async function run(found: Transaction | undefined, isKeptUp = true) {
    const given: unknown[] = [];
    const abandonIfStale = makeAbandonIfStale({
      store: { find: async () => found, isKeptUp: async (chainId) => isKeptUp && chainId === 11_155_111 },
      giveUp: async (hash, why) => void given.push([hash, why.length]),
      clock: { now: () => now },
    });
    return { isOver: await abandonIfStale(broadcast.requestHash), given };
  }
  const over = { ...broadcast, deadline: new Date(now.getTime() - hour) };

  test("happens an hour after the deadline", async () => {
    expect(await run(over)).toEqual({ isOver: true, given: [[broadcast.requestHash, 1]] });
  });
  test.each([
    ["a millisecond earlier", { ...over, deadline: new Date(now.getTime() - hour + 1) }, true],
    ["while its chain is not read to the end", over, false],
    ["before anyone was asked to send", { ...over, phase: "EXECUTING" } as const, true],
    ["once it is in a block", { ...over, phase: "CONFIRMING" } as const, true],
    ["if it does not exist", undefined, true],
  ])("does not happen %s", async (_, found, isKeptUp) => {
    expect(await run(found, isKeptUp)).toEqual({ isOver: false, given: [] });
  });
});
