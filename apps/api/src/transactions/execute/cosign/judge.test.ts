import { describe, expect, test } from "vitest";
import { makeLog } from "@countersign/platform/log";
import { begin } from "../../lifecycle.ts";
import type { Fitness } from "../preflight/index.ts";
import type { Transaction } from "../../transaction.ts";
import { makeJudge, type Signing } from "./judge.ts";

const now = new Date("2026-01-01T00:00:00Z");
const later = new Date(now.getTime() + 60_000);
const account = `0x${"aa".repeat(20)}` as const;
const wallet = `0x${"bb".repeat(20)}` as const;
const call = { to: `0x${"11".repeat(20)}`, value: 5n, data: "0xabcd" } as const;
const external = { requireUser: false, adminMayApprove: false, external: true };
const ours = { ...external, external: false };

const aTransaction = (changes: Partial<Transaction> = {}): Transaction => ({
  ...begin(1, external),
  ...{ id: "one", account, escrow: wallet, requestHash: `0x${"ab".repeat(32)}`, chainId: 5, isWatched: true },
  ...{ form: "standard", proposer: "jwt:a", description: "", tx: call, expected: null },
  ...{ intentProvenance: "agent-claimed", deadline: later, salt: "0x", serviceId: 1, contentDigest: null },
  ...{ version: 1, expiresAt: later, isOverdue: false, supersedes: null, execution: null },
  ...{
    reasonDetail: null,
    protocol: null,
    failureNode: null,
    verdictAt: null,
    createdAt: now,
    updatedAt: now,
  },
  ...{ phase: "READY", orion: "APPROVED", user: "APPROVED" },
  ...changes,
});
const signing: Signing = { account, wallet, call: { ...call, chainId: 5, nonce: 0 }, isAgain: false };

type World = {
  readonly validUntil?: number | null;
  readonly isLookedAt?: boolean;
  readonly fitness?: Fitness | Error;
};

function judgeIn({ validUntil = later.getTime() / 1000, isLookedAt = true, fitness = { ok: true } }: World) {
  let looks = 0;
  const judge = makeJudge({
    store: { readSnapshot: async () => (isLookedAt ? {} : undefined) },
    readVerdict: async () =>
      validUntil === null ? { why: ["no signed verdict approves it"] } : { validUntil },
    preflight: async () => {
      looks++;
      if (fitness instanceof Error) throw fitness;
      return fitness;
    },
    clock: { now: () => now },
    log: makeLog({ app: "test", level: "silent" }),
  });
  return { judge, looks: () => looks };
}
const judge = (transaction: Transaction, world: World = {}, given: Signing = signing) =>
  judgeIn(world).judge(transaction, given);
const yes = { action: "APPROVE" };
const no = (reason: string) => ({ action: "REJECT", reason: expect.stringContaining(reason) as string });
const busy: Fitness = { ok: false, isPassing: true, reasons: ["another one"] };
const unfit: Fitness = { ok: false, isPassing: false, reasons: ["the code of somebody <script>"] };

describe("whose turn it is", () => {
  test.each([
    ["READY", external, "APPROVE"],
    ["EXECUTING", ours, "APPROVE"],
    ["BROADCAST", ours, "APPROVE"],
    ["READY", ours, "REJECT"],
    ["EXECUTING", external, "REJECT"],
    ["BROADCAST", external, "REJECT"],
    ["RECEIVED", external, "REJECT"],
    ["AWAITING", ours, "REJECT"],
    ["CONFIRMING", ours, "REJECT"],
    ["EXECUTED", ours, "REJECT"],
    ["SETTLED", ours, "REJECT"],
    ["REJECTED", external, "REJECT"],
    ["FAILED", ours, "REJECT"],
  ] as const)("%s, %j: %s", async (phase, policy, action) => {
    expect(await judge(aTransaction({ phase, policy }))).toMatchObject({ action });
  });
});

describe("the word that it hangs on", () => {
  test("must be there, and not have run out by a second", async () => {
    const seconds = now.getTime() / 1000;
    expect(await judge(aTransaction(), { validUntil: seconds + 1 })).toEqual(yes);
    expect(await judge(aTransaction(), { validUntil: seconds })).toEqual(no("time is up"));
    expect(await judge(aTransaction(), { validUntil: null })).toEqual(no("no signed verdict approves it"));
    expect(await judge(aTransaction({ deadline: now }))).toEqual(no("time is up"));
  });
  test("has run out also where nobody looked at what it does", async () => {
    const world = { isLookedAt: false, validUntil: now.getTime() / 1000 };
    expect(await judge(aTransaction(), world)).toEqual(no("time is up"));
  });
});

describe("the second look", () => {
  test("decides, and what contracts say does not come into the answer", async () => {
    for (const policy of [external, ours]) {
      const transaction = aTransaction({ phase: policy.external ? "READY" : "BROADCAST", policy });
      expect(await judge(transaction, { fitness: { ok: true } })).toEqual(yes);
      expect(await judge(transaction, { fitness: unfit })).toEqual({
        action: "REJECT",
        reason: "it would not do now what it did when it was verified",
      });
      expect(await judge(transaction, { fitness: busy })).toMatchObject({ action: "RETRY" });
      expect(await judge(transaction, { fitness: new Error("no node") })).toMatchObject({ action: "RETRY" });
    }
  });
  test("is left out only for what its owner sends and nobody looked at before", async () => {
    const world = judgeIn({ isLookedAt: false, fitness: unfit });
    expect(await world.judge(aTransaction(), signing)).toEqual(yes);
    expect(world.looks()).toBe(0);
    const sent = aTransaction({ phase: "EXECUTING", policy: ours });
    expect(await world.judge(sent, signing)).toMatchObject({ action: "REJECT" });
    expect(world.looks()).toBe(1);
  });
  test("does not mistake what was signed before for another that is in its way", async () => {
    const again = { ...signing, isAgain: true };
    const sent = aTransaction({ phase: "BROADCAST", policy: ours });
    expect(await judge(sent, { fitness: busy }, again)).toEqual(yes);
    expect(await judge(sent, { fitness: unfit }, again)).toMatchObject({ action: "REJECT" });
  });
  test("is not taken for what is refused anyway", async () => {
    const world = judgeIn({});
    await world.judge(aTransaction({ phase: "REJECTED" }), signing);
    await world.judge(aTransaction({ tx: null }), signing);
    await world.judge(aTransaction(), { ...signing, account: wallet });
    await world.judge(aTransaction(), { ...signing, call: { ...signing.call, value: 6n } });
    expect(world.looks()).toBe(0);
  });
});
