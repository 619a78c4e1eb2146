// Approved transactions when the custodian, the chain or the owner misbehaves. In every case: at most one order, the
// approved call executed at most once, and the database says what the chain shows.
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { waitUntil } from "@countersign/tools/testing";
import { requestCsr } from "../../../test/custody.ts";
import { bearer } from "../../../test/sign-in.ts";
import { aReport } from "../../../test/transactions/decide-api.ts";
import type { Call, Hex, Transaction } from "../transaction.ts";
import type { Edge } from "../../../test/transactions/execute/journal.ts";
import {
  setExecutionStage,
  type ExecutionStage,
  type Owner,
} from "../../../test/transactions/execute/harness.ts";

let harness: ExecutionStage;
let owner: Owner;
beforeAll(async () => {
  harness = await setExecutionStage();
  owner = await harness.anOwner();
});
afterAll(() => harness.close());
afterEach(async () => {
  harness.whenAsked(undefined);
  await harness.chain.holdStill(false);
  harness.chain.mineEvery(150);
  await harness.tidyUp();
});

const somewhere = (): Hex => `0x${randomBytes(20).toString("hex")}`;
let amounts = 1_000n;
const aCall = (changes: Partial<Call> = {}): Call => ({
  ...{ to: somewhere(), value: ++amounts, data: "0x" },
  ...changes,
});

async function anApproved(call = aCall(), of = owner): Promise<Hex> {
  const requestHash = await harness.propose(of, call);
  const answer = await harness.postVerdict(requestHash);
  if (answer.statusCode !== 201) throw new Error(answer.body);
  return requestHash;
}
const isIn =
  (...phases: readonly Transaction["phase"][]) =>
  ({ phase }: Transaction): boolean =>
    phases.includes(phase);
/** How often this call is in a block. */
const countOf = async ({ to, value, data }: Call, of = owner): Promise<number> =>
  (await harness.sentFrom(of.vault)).filter(
    (sent) => sent.to === to && sent.value === value && sent.data === data,
  ).length;
/** Blocks at the edge of a step until a condition is met. */
const holdAt =
  (step: string, isSo: () => boolean | Promise<boolean>): Edge =>
  async (name, where) => {
    if (name === step && where === "before")
      await waitUntil(`it may go on with ${step}`, async () => await isSo());
  };
/** Sends an unapproved transaction from the vault, as its keeper can. */
async function sendFromVault({ to, value, data }: Call): Promise<Hex> {
  const { client } = harness.chain;
  await client.impersonateAccount({ address: owner.vault });
  return client.sendTransaction({ account: owner.vault, chain: null, to, value, data });
}

test("an approved transaction is sent once, as approved, and EXECUTED once it is final", async () => {
  const call = aCall();
  const requestHash = await anApproved(call);
  expect(await harness.drive(requestHash)).toMatchObject({
    phase: "EXECUTED",
    execs: 1,
    alert: null,
    late: false,
  });
  expect(harness.ordersOf(requestHash)).toMatchObject([call]);
  expect(await countOf(call)).toBe(1);
});

describe("the stored verdict is verified again before anything is sent", () => {
  /** Approved by a valid verdict, then changed directly in the database by its owner. */
  const changed = async (change: string): Promise<Transaction> => {
    const requestHash = await anApproved();
    const { id } = await harness.find(requestHash);
    await harness.client.query("alter table approvals disable trigger user");
    await harness.client.query("alter table reports disable trigger user");
    await harness.client.query(change, [id]);
    await harness.client.query("alter table approvals enable trigger user");
    await harness.client.query("alter table reports enable trigger user");
    const found = await harness.drive(requestHash);
    expect(found).toMatchObject({ phase: "FAILED", reason: "PREFLIGHT" });
    expect(harness.ordersOf(requestHash)).toEqual([]);
    return found;
  };
  const set = (path: string, value: string): string =>
    `update approvals set attestation = jsonb_set(attestation, '{${path}}', ${value})
     where transaction_id = $1 and kind = 'orion'`;
  test.each([
    [
      "another request hash",
      set("verdict,requestHash", `to_jsonb('0x${"0".repeat(64)}'::text)`),
      "requestHash",
    ],
    ["a later validity", set("verdict,validUntil", "to_jsonb(4000000000)"), "not signed by its signer"],
    [
      "a signature that differs in one nibble",
      set(
        "signature",
        `to_jsonb(overlay(attestation->>'signature' placing
           case substr(attestation->>'signature', 20, 1) when '0' then '1' else '0' end from 20 for 1))`,
      ),
      "not signed by its signer",
    ],
    [
      "no attestation",
      "update approvals set attestation = null where transaction_id = $1 and kind = 'orion'",
      "no signed verdict",
    ],
    [
      "another report",
      "update reports set report = jsonb_set(report, '{reason}', to_jsonb('fine'::text)) where transaction_id = $1",
      "reportHash",
    ],
  ])("%s: nothing is sent", async (_name, change, why) => {
    const { requestHash } = await changed(change);
    expect(await harness.reasonOf(requestHash)).toContain(why);
  });
  test("its service is no longer active: nothing is sent", async () => {
    const requestHash = await anApproved();
    await harness.client.query("update verification_services set active = false");
    expect(await harness.drive(requestHash)).toMatchObject({ phase: "FAILED", reason: "PREFLIGHT" });
    await harness.client.query("update verification_services set active = true");
    expect(await harness.reasonOf(requestHash)).toContain("active verification service");
  });
  const calls = [{ call: "proposed_tx", known: false, calls: [] }];
  const effects = [{ act: "transfer", gives: [{ kind: "token", symbol: null, address: somewhere() }] }];
  const { context } = aReport() as { readonly context: object };
  test.each([
    ["a call to an unknown contract", aReport({ context: { ...context, calls } })],
    ["a token in no table", aReport({ context: { ...context, effects } })],
    [
      "an inner call that was not read",
      aReport({ context: { ...context, calls: [{ known: true, calls }] } }),
    ],
    [
      "an assessment of not_checked",
      aReport({ assessment: { kind: "not_checked", unread: [], missing: [] } }),
    ],
    [
      "something missing",
      aReport({ assessment: { kind: "entailed", unread: [], missing: [{ what: "call" }] } }),
    ],
    ["no assessment", aReport({ assessment: undefined })],
  ])("%s in a signed report: custody does not send it", async (_name, report) => {
    const requestHash = await harness.propose(owner, aCall());
    expect(
      (
        await harness.postVerdict(
          requestHash,
          "APPROVED",
          JSON.parse(JSON.stringify(report)) as Record<string, unknown>,
        )
      ).statusCode,
    ).toBe(201);
    expect(await harness.drive(requestHash)).toMatchObject({ phase: "FAILED", reason: "PREFLIGHT" });
    expect(harness.ordersOf(requestHash)).toEqual([]);
  });
  test("UNDECIDED and approved by its owner: custody does not send it", async () => {
    const requestHash = await harness.propose(owner, aCall());
    await harness.postVerdict(requestHash, "UNDECIDED");
    await harness.post(`/transactions/${requestHash}/approvals`, bearer(owner), { decision: "APPROVED" });
    expect(await harness.drive(requestHash)).toMatchObject({ phase: "FAILED", reason: "PREFLIGHT" });
    expect(await harness.reasonOf(requestHash)).toContain("its verdict is not APPROVED");
    expect(harness.ordersOf(requestHash)).toEqual([]);
  });
});

describe("a custodian whose answer is lost", () => {
  test.each(["timeout-after-accept", "drop-after-accept", "error-after-accept"] as const)(
    "%s: there is one order, and it is executed",
    async (how) => {
      harness.custodian.behave(how, 1);
      const call = aCall();
      const requestHash = await anApproved(call);
      expect(await harness.drive(requestHash)).toMatchObject({ phase: "EXECUTED", execs: 1 });
      expect([harness.ordersOf(requestHash).length, await countOf(call)]).toEqual([1, 1]);
    },
  );
  test.each([1, 3, 6])(
    "lost: not found %i times after it was accepted, there is one order",
    async (times) => {
      harness.custodian.behave("timeout-after-accept", 1);
      const call = aCall();
      const requestHash = await anApproved(call);
      const onEdge = holdAt("send 1.2", () => {
        harness.custodian.behave("lost", times);
        return true;
      });
      expect(await harness.drive(requestHash, { onEdge })).toMatchObject({ phase: "EXECUTED", execs: 1 });
      expect([harness.ordersOf(requestHash).length, await countOf(call)]).toEqual([1, 1]);
    },
  );
  test("lost permanently, and its idempotency key forgotten: what the chain shows counts", async () => {
    harness.custodian.behave("timeout-after-accept", 1);
    const call = aCall();
    const requestHash = await anApproved(call);
    const onEdge = holdAt("send 1.2", () => {
      harness.custodian.forgetIdempotencyKeys();
      harness.custodian.behave("lost");
      return true;
    });
    expect(await harness.drive(requestHash, { onEdge })).toMatchObject({ phase: "EXECUTED" });
    expect([harness.ordersOf(requestHash).length, await countOf(call)]).toEqual([1, 1]);
  });
  test.each([
    ["answer-twice", 1],
    ["answer-twice-and-send", 2],
  ] as const)("%s: it is executed once, whatever they sent", async (how, times) => {
    harness.custodian.behave("timeout-after-accept", 1);
    const call = aCall();
    const requestHash = await anApproved(call);
    // In a block that has not been read here yet, so that the wallet does not look busy on the retry.
    await harness.standStill(true);
    const onEdge = holdAt("send 1.2", async () => {
      if ((await countOf(call)) === 0) return false;
      harness.custodian.behave("lost", 1);
      harness.custodian.behave(how, 1);
      return true;
    });
    const driven = harness.drive(requestHash, { onEdge });
    await waitUntil("it was asked for again", () => harness.ordersOf(requestHash).length === 2);
    await waitUntil("they have sent what they send", async () => (await countOf(call)) === times);
    await harness.standStill(false);
    const alert = times === 1 ? null : "EXECUTED_TWICE";
    expect(await driven).toMatchObject({ phase: "EXECUTED", execs: 1, late: false, alert });
    await sleep(500);
    expect(await countOf(call)).toBe(times);
    const { rows } = await harness.client.query(
      "select from transactions where phase = 'EXECUTED' and value = $1",
      [call.value.toString()],
    );
    expect(rows).toHaveLength(1);
  });
});

describe("a custodian that reports or sends something else", () => {
  test("other-amount-reported: raises an alert at once, and executed as the chain shows", async () => {
    harness.custodian.behave("other-amount-reported", 1);
    const call = aCall();
    const requestHash = await anApproved(call);
    const onEdge = holdAt("follow 1.1", () => harness.ordersOf(requestHash)[0]?.isSigned === true);
    expect(await harness.drive(requestHash, { onEdge })).toMatchObject({
      phase: "EXECUTED",
      alert: "MISMATCH",
    });
    expect(await countOf(call)).toBe(1);
    expect(harness.complaints()).toContain("custodian order differs");
  });
  test("other-amount-reported: an order that has not been sent is cancelled", async () => {
    harness.custodian.behave("blocked-forever", 1);
    const call = aCall();
    const requestHash = await anApproved(call);
    const onEdge = holdAt("follow 1.1", () => {
      const [order] = harness.ordersOf(requestHash);
      if (order !== undefined) Object.assign(order, { value: order.value + 1n });
      return order !== undefined;
    });
    expect(await harness.drive(requestHash, { onEdge })).toMatchObject({
      ...{ phase: "FAILED", reason: "CUSTODY", alert: "MISMATCH" },
    });
    expect(harness.ordersOf(requestHash)[0]?.status).toBe("CANCELLED");
  });
  test("other-amount-sent: it has failed, and never counts as executed", async () => {
    harness.custodian.behave("other-amount-sent", 1);
    const call = aCall();
    const requestHash = await anApproved(call);
    const onEdge = holdAt("follow 1.1", () => harness.ordersOf(requestHash)[0]?.isSigned === true);
    expect(await harness.drive(requestHash, { onEdge })).toMatchObject({
      ...{ phase: "FAILED", reason: "MISMATCH", alert: "MISMATCH" },
    });
    expect(await countOf({ ...call, value: call.value + 1n })).toBe(1);
    expect(await countOf(call)).toBe(0);
  });
  test("other-hash: never executed by that hash; what the wallet did send counts", async () => {
    harness.custodian.behave("other-hash", 1);
    const call = aCall();
    const requestHash = await anApproved(call);
    const { execution, ...found } = await harness.drive(requestHash, {
      until: ({ phase }) => phase === "EXECUTED",
    });
    const [order] = harness.ordersOf(requestHash);
    expect(execution?.hash).toBe(order?.txHash);
    expect(execution?.hash).not.toBe(order?.toldHash);
    expect(found).toMatchObject({ phase: "EXECUTED", onchain: "success" });
  });
  test("other-hash, and their own is never in a block: it has failed", async () => {
    harness.custodian.behave("blocked-forever", 1);
    const requestHash = await anApproved();
    const unrelated = await harness.chain.client.sendTransaction({
      account: await aStranger(),
      chain: null,
      to: somewhere(),
      value: 1n,
    });
    await harness.chain.client.waitForTransactionReceipt({ hash: unrelated });
    const onEdge = holdAt("follow 1.1", () => {
      const [order] = harness.ordersOf(requestHash);
      if (order !== undefined)
        Object.assign(order, { status: "COMPLETED", toldHash: unrelated, isSigned: true });
      return order !== undefined;
    });
    const driven = harness.drive(requestHash, { onEdge });
    await waitUntil("they reported", async () => (await harness.find(requestHash)).alert === "MISMATCH");
    harness.clock.moveTo((await harness.find(requestHash)).deadline);
    expect(await driven).toMatchObject({ phase: "FAILED", reason: "CUSTODY", execution: null });
    expect(await harness.reasonOf(requestHash)).toContain("another wallet");
  });
  test("refuses, after an order that was never confirmed: the wallet is released long after the deadline", async () => {
    harness.custodian.behave("blocked-forever", 1);
    const requestHash = await anApproved();
    const onEdge = holdAt("follow 1.1", () => {
      harness.custodian.behave("refuses");
      return true;
    });
    const driven = harness.drive(requestHash, { onEdge });
    await waitUntil("they were asked", async () => isIn("BROADCAST")(await harness.find(requestHash)));
    const { deadline } = await harness.find(requestHash);
    harness.clock.moveTo(new Date(deadline.getTime() + 3_600_000));
    expect(await driven).toMatchObject({ phase: "FAILED", reason: "CUSTODY", final: false });
    expect(await harness.reasonOf(requestHash)).toContain("did not report the outcome");
  });
  test.each([
    ["rejects", "REJECTED: BLOCKED_BY_POLICY"],
    ["fails", "FAILED: INTERNAL_ERROR"],
  ] as const)("%s: it has failed, with the reason", async (how, detail) => {
    harness.custodian.behave(how, 1);
    const requestHash = await anApproved();
    expect(await harness.drive(requestHash)).toMatchObject({
      phase: "FAILED",
      reason: "CUSTODY",
      final: false,
    });
    expect(await harness.reasonOf(requestHash)).toContain(detail);
  });
  test("reports a failure, and the chain has it later: executed, late", async () => {
    harness.custodian.behave("fails", 1);
    const call = aCall();
    const requestHash = await anApproved(call);
    await harness.drive(requestHash);
    await sendFromVault(call);
    const isExecuted = async () => (await harness.find(requestHash)).phase === "EXECUTED";
    await waitUntil("the chain is believed", isExecuted);
    expect(await harness.find(requestHash)).toMatchObject({ late: true, onchain: "success" });
  });
  test("blocked-forever: cancelled after its deadline", async () => {
    harness.custodian.behave("blocked-forever", 1);
    const requestHash = await anApproved();
    const isOut = ({ phase }: Transaction): boolean => {
      if (phase !== "BROADCAST") return phase === "FAILED";
      return false;
    };
    const driven = harness.drive(requestHash, { until: isOut });
    await waitUntil(
      "they have it",
      async () => harness.ordersOf(requestHash)[0]?.status === "PENDING_AUTHORIZATION",
    );
    await sleep(300);
    expect((await harness.find(requestHash)).phase).toBe("BROADCAST");
    harness.clock.moveTo((await harness.find(requestHash)).deadline);
    expect(await driven).toMatchObject({ phase: "FAILED", reason: "CUSTODY" });
    expect(harness.ordersOf(requestHash)[0]?.status).toBe("CANCELLED");
    expect(await harness.reasonOf(requestHash)).toContain("CANCELLED");
  });
});

describe("a custodian that is unavailable", () => {
  test("refuses: it has failed, with the reason, and the credential appears nowhere", async () => {
    const requestHash = await anApproved();
    harness.custodian.behave("refuses");
    expect(await harness.drive(requestHash)).toMatchObject({ phase: "FAILED", reason: "CUSTODY" });
    expect(await harness.reasonOf(requestHash)).toContain("does not accept our credential");
    expect(harness.ordersOf(requestHash)).toEqual([]);
    const apiKey = harness.custodian.accepted()[0]?.apiKey ?? "?";
    expect(`${harness.complaints()} ${await harness.reasonOf(requestHash)}`).not.toContain(apiKey);
  });
  test("down for a while: it waits, and is executed", async () => {
    const call = aCall();
    const requestHash = await anApproved(call);
    harness.custodian.behave("down");
    const driven = harness.drive(requestHash);
    await sleep(1_500);
    expect(["EXECUTING", "BROADCAST"]).toContain((await harness.find(requestHash)).phase);
    harness.custodian.behave("good");
    expect(await driven).toMatchObject({ phase: "EXECUTED" });
    expect([harness.ordersOf(requestHash).length, await countOf(call)]).toEqual([1, 1]);
  });
  test("down past the deadline: nothing is sent any more", async () => {
    const requestHash = await anApproved();
    harness.custodian.behave("down");
    const driven = harness.drive(requestHash);
    const asked = (): number => harness.custodian.requests().length;
    const before = asked();
    await waitUntil("the custodian was asked", () => asked() > before);
    harness.clock.moveTo((await harness.find(requestHash)).deadline);
    // Longer than a check takes that began before.
    await sleep(1_500);
    // Pretends that the time is over in which the custodian might still have the order.
    await harness.client.query(
      "update executions set begun_at = begun_at - interval '2 minutes' where is_open",
    );
    harness.custodian.behave("good");
    expect(await driven).toMatchObject({ phase: "FAILED" });
    expect(await harness.reasonOf(requestHash)).toMatch(/deadline has passed|validUntil has passed/);
    expect(harness.ordersOf(requestHash)).toEqual([]);
  });
});

describe("a change since the approval", () => {
  const anew = (who: Owner) => requestCsr(harness.api, who, { type: "agent", recreate: true });
  test("the integration was recreated before the execution began: nothing is sent", async () => {
    const other = await harness.anOwner();
    const requestHash = await anApproved(aCall(), other);
    await anew(other);
    const driven = harness.drive(requestHash);
    await sleep(700);
    expect((await harness.find(requestHash)).phase).toBe("READY");
    await harness.client.query(
      "update transactions set expires_at = now() - interval '1 second' where phase = 'READY' and expires_at is not null",
    );
    await harness.expireOverdue();
    expect(await driven).toMatchObject({ phase: "FAILED", reason: "EXPIRED" });
    expect(harness.ordersOf(requestHash)).toEqual([]);
  });
  test.each([
    ["when the intent was just durable", "begin 1.1", "after"],
    ["before it was asked for", "send 1.1", "before"],
  ] as const)("the integration was recreated %s: nothing is sent", async (_when, step, where) => {
    const other = await harness.anOwner();
    const requestHash = await anApproved(aCall(), other);
    const onEdge: Edge = async (name, edge) => {
      if (name === step && edge === where) await anew(other);
    };
    expect(await harness.drive(requestHash, { onEdge })).toMatchObject({
      ...{ phase: "FAILED", reason: "PREFLIGHT" },
    });
    expect(await harness.reasonOf(requestHash)).toContain("may no longer be asked to send");
    expect(harness.ordersOf(requestHash)).toEqual([]);
  });
  test("the integration was recreated during the preflight: nothing is sent", async () => {
    const other = await harness.anOwner();
    const requestHash = await anApproved(aCall(), other);
    // However long that takes, and however often it is asked in the meantime.
    let making: Promise<unknown> | undefined;
    harness.whenAsked(async (question) => {
      if (question.includes("eth_getTransactionCount")) await (making ??= anew(other));
    });
    expect(await harness.drive(requestHash)).toMatchObject({ phase: "FAILED", reason: "PREFLIGHT" });
    expect(await harness.reasonOf(requestHash)).toContain("may no longer be asked to send");
    expect(harness.ordersOf(requestHash)).toEqual([]);
  });
  test("the contract changed: it has failed, and the reason names it", async () => {
    const to = somewhere();
    await harness.chain.client.setCode({ address: to, bytecode: "0x00" });
    const requestHash = await anApproved(aCall({ to, data: "0xabcdef01" }));
    await harness.chain.client.setCode({ address: to, bytecode: "0x5b00" });
    expect(await harness.drive(requestHash)).toMatchObject({
      phase: "FAILED",
      reason: "PREFLIGHT",
      final: true,
    });
    expect(await harness.reasonOf(requestHash)).toBe(`the code at ${to} has changed since it was verified`);
    expect(harness.ordersOf(requestHash)).toEqual([]);
  });
});

describe("a wallet with several transactions to send", () => {
  test("two at once: one after the other, both executed", async () => {
    const calls = [aCall(), aCall()];
    const [first, second] = await Promise.all(calls.map((call) => anApproved(call)));
    const over = await Promise.all([first, second].map((requestHash) => harness.drive(requestHash ?? "0x")));
    expect(over).toMatchObject([{ phase: "EXECUTED" }, { phase: "EXECUTED" }]);
    for (const call of calls) expect(await countOf(call)).toBe(1);
  });
  test("two identical ones: both are executed, each by its own transaction", async () => {
    const call = aCall();
    const [older, newer] = [await anApproved(call), await anApproved(call)];
    // The newer one is first, as when the older one has waited for a third.
    const begun = harness.drive(newer);
    await waitUntil("the newer one has begun", async () =>
      isIn("EXECUTING", "BROADCAST")(await harness.find(newer)),
    );
    const over = await Promise.all([begun, harness.drive(older)]);
    expect(over).toMatchObject([{ phase: "EXECUTED" }, { phase: "EXECUTED" }]);
    expect(over[0].execution?.hash).toBe(harness.ordersOf(newer)[0]?.txHash);
    expect(over[1].execution?.hash).toBe(harness.ordersOf(older)[0]?.txHash);
    expect(await countOf(call)).toBe(2);
  });
  test("waits for a pending transaction that its keeper has sent", async () => {
    harness.chain.stopMining();
    await harness.chain.holdStill(true);
    const requestHash = await anApproved();
    await sendFromVault(aCall());
    const driven = harness.drive(requestHash);
    await sleep(1_000);
    expect((await harness.find(requestHash)).phase).toBe("EXECUTING");
    expect(harness.ordersOf(requestHash)).toEqual([]);
    await harness.chain.holdStill(false);
    harness.chain.mineEvery(150);
    expect(await driven).toMatchObject({ phase: "EXECUTED" });
  });
});

describe("a chain reorg", () => {
  test("that removes an execution: it is in progress again, and then executed, by the same order", async () => {
    const call = aCall();
    const requestHash = await anApproved(call);
    const driven = harness.drive(requestHash, { seconds: 40 });
    await waitUntil("it is in a block", async () => isIn("CONFIRMING")(await harness.find(requestHash)));
    harness.chain.stopMining();
    await harness.chain.holdStill(true);
    const { execution } = await harness.find(requestHash);
    const raw = await harness.chain.rawOf(execution?.hash ?? "0x");
    await harness.chain.reorganise(await harness.chain.depthOf(execution?.block ?? 0n));
    await waitUntil("it is taken back", async () => isIn("BROADCAST")(await harness.find(requestHash)));
    await harness.chain.client.sendRawTransaction({ serializedTransaction: raw });
    await harness.chain.holdStill(false);
    harness.chain.mineEvery(150);
    expect(await driven).toMatchObject({ phase: "EXECUTED", execs: 1 });
    expect([harness.ordersOf(requestHash).length, await countOf(call)]).toEqual([1, 1]);
  });
});

async function aStranger(): Promise<Hex> {
  const address = somewhere();
  await harness.chain.giveMoney(address);
  await harness.chain.client.impersonateAccount({ address });
  return address;
}
