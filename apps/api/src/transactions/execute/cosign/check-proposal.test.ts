import { describe, expect, test } from "vitest";
import { makeLog } from "@countersign/platform/log";
import { begin } from "../../lifecycle.ts";
import type { Fitness } from "../preflight/index.ts";
import type { Transaction } from "../../transaction.ts";
import { makeCheckProposal, type Signing } from "./check-proposal.ts";

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
  ...{ shape: null, payload: null, signingHash: null },
  ...{ intentProvenance: "agent-claimed", deadline: later, salt: "0x", serviceId: 1, contentDigest: null },
  ...{ version: 1, expiresAt: later, isOverdue: false, supersedes: null, execution: null },
  ...{ useKind: null, use: null },
  ...{
    reasonDetail: null,
    needsOwner: null,
    policyDecision: null,
    mandateId: null,
    protocol: null,
    failureNode: null,
    verdictAt: null,
    remindedAt: null,
    createdAt: now,
    updatedAt: now,
  },
  ...{ phase: "READY", orion: "APPROVED", user: "APPROVED" },
  ...changes,
});
const terms = { gas: 90_000n, maxFeePerGas: 9n, maxPriorityFeePerGas: 1n, accessList: [] };
const signing: Signing = { account, wallet, call: { ...call, chainId: 5, nonce: 0 }, terms, isAgain: false };

type World = {
  readonly validUntil?: number | null;
  readonly isLookedAt?: boolean;
  readonly fitness?: Fitness | Error;
};

function checkerIn({
  validUntil = later.getTime() / 1000,
  isLookedAt = true,
  fitness = { ok: true },
}: World) {
  let looks = 0;
  let lookedWith: unknown;
  const check = makeCheckProposal({
    store: { readSnapshot: async () => (isLookedAt ? {} : undefined) },
    readVerdict: async () =>
      validUntil === null ? { why: ["no signed verdict approves it"] } : { validUntil },
    preflight: async (_transaction, _verdict, given) => {
      looks++;
      lookedWith = given;
      if (fitness instanceof Error) throw fitness;
      return fitness;
    },
    clock: { now: () => now },
    log: makeLog({ app: "test", level: "silent" }),
  });
  return { check, looks: () => looks, lookedWith: () => lookedWith };
}
const check = (transaction: Transaction, world: World = {}, given: Signing = signing) =>
  checkerIn(world).check(transaction, given);
const yes = { action: "APPROVE" };
const no = (reason: string) => ({ action: "REJECT", reason: expect.stringContaining(reason) as string });
const busy: Fitness = { ok: false, isPassing: true, reasons: ["another one"] };
const unfit: Fitness = { ok: false, isPassing: false, reasons: ["the code of a stranger <script>"] };

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
    expect(await check(aTransaction({ phase, policy }))).toMatchObject({ action });
  });
});

describe("the decision it depends on", () => {
  test("must exist, and not have expired by a second", async () => {
    const seconds = now.getTime() / 1000;
    expect(await check(aTransaction(), { validUntil: seconds + 1 })).toEqual(yes);
    expect(await check(aTransaction(), { validUntil: seconds })).toEqual(no("it has expired"));
    expect(await check(aTransaction(), { validUntil: null })).toEqual(no("no signed verdict approves it"));
    expect(await check(aTransaction({ deadline: now }))).toEqual(no("it has expired"));
  });
  test("expires also where no effect was recorded", async () => {
    const world = { isLookedAt: false, validUntil: now.getTime() / 1000 };
    expect(await check(aTransaction(), world)).toEqual(no("it has expired"));
  });
});

describe("the preflight", () => {
  test("decides, and texts of contracts do not appear in the answer", async () => {
    for (const policy of [external, ours]) {
      const transaction = aTransaction({ phase: policy.external ? "READY" : "BROADCAST", policy });
      expect(await check(transaction, { fitness: { ok: true } })).toEqual(yes);
      expect(await check(transaction, { fitness: unfit })).toEqual({
        action: "REJECT",
        reason: "its effect has changed since it was verified",
      });
      expect(await check(transaction, { fitness: busy })).toMatchObject({ action: "RETRY" });
      expect(await check(transaction, { fitness: new Error("no node") })).toMatchObject({ action: "RETRY" });
    }
  });
  test("gets the gas and fees that would be signed", async () => {
    const world = checkerIn({});
    await world.check(aTransaction(), signing);
    expect(world.lookedWith()).toEqual(terms);
  });
  test("is skipped only for a transaction that its owner sends and that has no snapshot", async () => {
    const world = checkerIn({ isLookedAt: false, fitness: unfit });
    expect(await world.check(aTransaction(), signing)).toEqual(yes);
    expect(world.looks()).toBe(0);
    const sent = aTransaction({ phase: "EXECUTING", policy: ours });
    expect(await world.check(sent, signing)).toMatchObject({ action: "REJECT" });
    expect(world.looks()).toBe(1);
  });
  test("does not treat the pending transaction that was signed before as another one", async () => {
    const again = { ...signing, isAgain: true };
    const sent = aTransaction({ phase: "BROADCAST", policy: ours });
    expect(await check(sent, { fitness: busy }, again)).toEqual(yes);
    expect(await check(sent, { fitness: unfit }, again)).toMatchObject({ action: "REJECT" });
  });
  test("is not run for a transaction that is rejected anyway", async () => {
    const world = checkerIn({});
    await world.check(aTransaction({ phase: "REJECTED" }), signing);
    await world.check(aTransaction({ tx: null }), signing);
    await world.check(aTransaction(), { ...signing, account: wallet });
    await world.check(aTransaction(), { ...signing, call: { ...signing.call, value: 6n } });
    expect(world.looks()).toBe(0);
  });
});
