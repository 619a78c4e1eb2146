// What becomes of an approved transaction when the custodian, the chain or its owner is not as one would like. Whatever it
// is: one order at most, the approved bytes at most once, and the record says what the chain shows.
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { waitUntil } from "@countersign/tools/testing";
import { requestCsr } from "../../custody/testing.ts";
import { bearer } from "../../sign-in/testing.ts";
import { aReport } from "../testing/decide-api.ts";
import type { Call, Hex, Transaction } from "../transaction.ts";
import type { Edge } from "./testing/journal.ts";
import { setExecutionStage, type ExecutionStage, type Owner } from "./testing/stage.ts";

let stage: ExecutionStage;
let owner: Owner;
beforeAll(async () => {
  stage = await setExecutionStage();
  owner = await stage.anOwner();
});
afterAll(() => stage.close());
afterEach(async () => {
  stage.whenAsked(undefined);
  await stage.chain.holdStill(false);
  stage.chain.mineEvery(150);
  await stage.tidyUp();
});

const somewhere = (): Hex => `0x${randomBytes(20).toString("hex")}`;
let amounts = 1_000n;
const aCall = (changes: Partial<Call> = {}): Call => ({
  ...{ to: somewhere(), value: ++amounts, data: "0x" },
  ...changes,
});

async function anApproved(call = aCall(), of = owner): Promise<Hex> {
  const requestHash = await stage.propose(of, call);
  const answer = await stage.judge(requestHash);
  if (answer.statusCode !== 201) throw new Error(answer.body);
  return requestHash;
}
const isIn =
  (...phases: readonly Transaction["phase"][]) =>
  ({ phase }: Transaction): boolean =>
    phases.includes(phase);
/** How often these bytes are in a block. */
const countOf = async ({ to, value, data }: Call, of = owner): Promise<number> =>
  (await stage.sentFrom(of.vault)).filter(
    (sent) => sent.to === to && sent.value === value && sent.data === data,
  ).length;
/** Waits at the edge of a step until something is so. */
const holdAt =
  (step: string, isSo: () => boolean | Promise<boolean>): Edge =>
  async (name, where) => {
    if (name === step && where === "before")
      await waitUntil(`it may go on with ${step}`, async () => await isSo());
  };
/** Sends what nobody asked for, from the vault, as its keeper can. */
async function sendFromVault({ to, value, data }: Call): Promise<Hex> {
  const { client } = stage.chain;
  await client.impersonateAccount({ address: owner.vault });
  return client.sendTransaction({ account: owner.vault, chain: null, to, value, data });
}

test("an approved transaction is sent once, as approved, and executed once it is final", async () => {
  const call = aCall();
  const requestHash = await anApproved(call);
  expect(await stage.drive(requestHash)).toMatchObject({
    phase: "EXECUTED",
    execs: 1,
    alert: null,
    late: false,
  });
  expect(stage.ordersOf(requestHash)).toMatchObject([call]);
  expect(await countOf(call)).toBe(1);
});

describe("the stored verdict is verified again before anything is sent", () => {
  /** Approved by a good verdict, then changed behind the service's back by someone who owns the database. */
  const changed = async (change: string): Promise<Transaction> => {
    const requestHash = await anApproved();
    const { id } = await stage.find(requestHash);
    await stage.client.query("alter table approvals disable trigger user");
    await stage.client.query("alter table reports disable trigger user");
    await stage.client.query(change, [id]);
    await stage.client.query("alter table approvals enable trigger user");
    await stage.client.query("alter table reports enable trigger user");
    const found = await stage.drive(requestHash);
    expect(found).toMatchObject({ phase: "FAILED", reason: "PREFLIGHT" });
    expect(stage.ordersOf(requestHash)).toEqual([]);
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
    expect(await stage.reasonOf(requestHash)).toContain(why);
  });
  test("its service is no longer active: nothing is sent", async () => {
    const requestHash = await anApproved();
    await stage.client.query("update verification_services set active = false");
    expect(await stage.drive(requestHash)).toMatchObject({ phase: "FAILED", reason: "PREFLIGHT" });
    await stage.client.query("update verification_services set active = true");
    expect(await stage.reasonOf(requestHash)).toContain("active verification service");
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
    const requestHash = await stage.propose(owner, aCall());
    expect(
      (
        await stage.judge(
          requestHash,
          "APPROVED",
          JSON.parse(JSON.stringify(report)) as Record<string, unknown>,
        )
      ).statusCode,
    ).toBe(201);
    expect(await stage.drive(requestHash)).toMatchObject({ phase: "FAILED", reason: "PREFLIGHT" });
    expect(stage.ordersOf(requestHash)).toEqual([]);
  });
  test("UNDECIDED and approved by its owner: custody does not send it", async () => {
    const requestHash = await stage.propose(owner, aCall());
    await stage.judge(requestHash, "UNDECIDED");
    await stage.post(`/transactions/${requestHash}/approvals`, bearer(owner), { decision: "APPROVED" });
    expect(await stage.drive(requestHash)).toMatchObject({ phase: "FAILED", reason: "PREFLIGHT" });
    expect(await stage.reasonOf(requestHash)).toContain("its verdict is not APPROVED");
    expect(stage.ordersOf(requestHash)).toEqual([]);
  });
});

describe("a custodian whose answer is not heard", () => {
  test.each(["timeout-after-accept", "drop-after-accept", "error-after-accept"] as const)(
    "%s: there is one order, and it is executed",
    async (how) => {
      stage.custodian.behave(how, 1);
      const call = aCall();
      const requestHash = await anApproved(call);
      expect(await stage.drive(requestHash)).toMatchObject({ phase: "EXECUTED", execs: 1 });
      expect([stage.ordersOf(requestHash).length, await countOf(call)]).toEqual([1, 1]);
    },
  );
  test.each([1, 3, 6])("lost: not found %i times after it was taken, there is one order", async (times) => {
    stage.custodian.behave("timeout-after-accept", 1);
    const call = aCall();
    const requestHash = await anApproved(call);
    const onEdge = holdAt("send 1.2", () => {
      stage.custodian.behave("lost", times);
      return true;
    });
    expect(await stage.drive(requestHash, { onEdge })).toMatchObject({ phase: "EXECUTED", execs: 1 });
    expect([stage.ordersOf(requestHash).length, await countOf(call)]).toEqual([1, 1]);
  });
  test("lost for ever, and forgotten under its key: what the chain shows counts", async () => {
    stage.custodian.behave("timeout-after-accept", 1);
    const call = aCall();
    const requestHash = await anApproved(call);
    const onEdge = holdAt("send 1.2", () => {
      stage.custodian.forgetIdempotencyKeys();
      stage.custodian.behave("lost");
      return true;
    });
    expect(await stage.drive(requestHash, { onEdge })).toMatchObject({ phase: "EXECUTED" });
    expect([stage.ordersOf(requestHash).length, await countOf(call)]).toEqual([1, 1]);
  });
  test.each([
    ["answer-twice", 1],
    ["answer-twice-and-send", 2],
  ] as const)("%s: it is executed once, whatever they sent", async (how, times) => {
    stage.custodian.behave("timeout-after-accept", 1);
    const call = aCall();
    const requestHash = await anApproved(call);
    // In a block that nobody here has read yet, so that the wallet does not look busy when it is asked for again.
    await stage.standStill(true);
    const onEdge = holdAt("send 1.2", async () => {
      if ((await countOf(call)) === 0) return false;
      stage.custodian.behave("lost", 1);
      stage.custodian.behave(how, 1);
      return true;
    });
    const driven = stage.drive(requestHash, { onEdge });
    await waitUntil("it was asked for again", () => stage.ordersOf(requestHash).length === 2);
    await waitUntil("they have sent what they send", async () => (await countOf(call)) === times);
    await stage.standStill(false);
    const alert = times === 1 ? null : "EXECUTED_TWICE";
    expect(await driven).toMatchObject({ phase: "EXECUTED", execs: 1, late: false, alert });
    await sleep(500);
    expect(await countOf(call)).toBe(times);
    const { rows } = await stage.client.query(
      "select from transactions where phase = 'EXECUTED' and value = $1",
      [call.value.toString()],
    );
    expect(rows).toHaveLength(1);
  });
});

describe("a custodian that says or does something else", () => {
  test("other-amount-reported: it is said at once, and executed as the chain shows it", async () => {
    stage.custodian.behave("other-amount-reported", 1);
    const call = aCall();
    const requestHash = await anApproved(call);
    const onEdge = holdAt("follow 1.1", () => stage.ordersOf(requestHash)[0]?.isSigned === true);
    expect(await stage.drive(requestHash, { onEdge })).toMatchObject({
      phase: "EXECUTED",
      alert: "MISMATCH",
    });
    expect(await countOf(call)).toBe(1);
    expect(stage.complaints()).toContain("something else on record");
  });
  test("other-amount-reported: what has not left yet is called back", async () => {
    stage.custodian.behave("blocked-forever", 1);
    const call = aCall();
    const requestHash = await anApproved(call);
    const onEdge = holdAt("follow 1.1", () => {
      const [order] = stage.ordersOf(requestHash);
      if (order !== undefined) Object.assign(order, { value: order.value + 1n });
      return order !== undefined;
    });
    expect(await stage.drive(requestHash, { onEdge })).toMatchObject({
      ...{ phase: "FAILED", reason: "CUSTODY", alert: "MISMATCH" },
    });
    expect(stage.ordersOf(requestHash)[0]?.status).toBe("CANCELLED");
  });
  test("other-amount-sent: it has failed, and is never taken for executed", async () => {
    stage.custodian.behave("other-amount-sent", 1);
    const call = aCall();
    const requestHash = await anApproved(call);
    const onEdge = holdAt("follow 1.1", () => stage.ordersOf(requestHash)[0]?.isSigned === true);
    expect(await stage.drive(requestHash, { onEdge })).toMatchObject({
      ...{ phase: "FAILED", reason: "MISMATCH", alert: "MISMATCH" },
    });
    expect(await countOf({ ...call, value: call.value + 1n })).toBe(1);
    expect(await countOf(call)).toBe(0);
  });
  test("other-hash: never executed by that hash; what the wallet did send counts", async () => {
    stage.custodian.behave("other-hash", 1);
    const call = aCall();
    const requestHash = await anApproved(call);
    const { execution, ...found } = await stage.drive(requestHash, {
      until: ({ phase }) => phase === "EXECUTED",
    });
    const [order] = stage.ordersOf(requestHash);
    expect(execution?.hash).toBe(order?.txHash);
    expect(execution?.hash).not.toBe(order?.toldHash);
    expect(found).toMatchObject({ phase: "EXECUTED", onchain: "success" });
  });
  test("other-hash, and their own is never in a block: it has failed", async () => {
    stage.custodian.behave("blocked-forever", 1);
    const requestHash = await anApproved();
    const unrelated = await stage.chain.client.sendTransaction({
      account: await aStranger(),
      chain: null,
      to: somewhere(),
      value: 1n,
    });
    await stage.chain.client.waitForTransactionReceipt({ hash: unrelated });
    const onEdge = holdAt("follow 1.1", () => {
      const [order] = stage.ordersOf(requestHash);
      if (order !== undefined)
        Object.assign(order, { status: "COMPLETED", toldHash: unrelated, isSigned: true });
      return order !== undefined;
    });
    const driven = stage.drive(requestHash, { onEdge });
    await waitUntil("it is said", async () => (await stage.find(requestHash)).alert === "MISMATCH");
    stage.clock.moveTo((await stage.find(requestHash)).deadline);
    expect(await driven).toMatchObject({ phase: "FAILED", reason: "CUSTODY", execution: null });
    expect(await stage.reasonOf(requestHash)).toContain("another wallet");
  });
  test("refuses, after an order that nobody heard of again: the wallet is let go of, long after its time", async () => {
    stage.custodian.behave("blocked-forever", 1);
    const requestHash = await anApproved();
    const onEdge = holdAt("follow 1.1", () => {
      stage.custodian.behave("refuses");
      return true;
    });
    const driven = stage.drive(requestHash, { onEdge });
    await waitUntil("they were asked", async () => isIn("BROADCAST")(await stage.find(requestHash)));
    const { deadline } = await stage.find(requestHash);
    stage.clock.moveTo(new Date(deadline.getTime() + 3_600_000));
    expect(await driven).toMatchObject({ phase: "FAILED", reason: "CUSTODY", final: false });
    expect(await stage.reasonOf(requestHash)).toContain("could not say what became of it");
  });
  test.each([
    ["rejects", "REJECTED: BLOCKED_BY_POLICY"],
    ["fails", "FAILED: INTERNAL_ERROR"],
  ] as const)("%s: it has failed, and it is told why", async (how, detail) => {
    stage.custodian.behave(how, 1);
    const requestHash = await anApproved();
    expect(await stage.drive(requestHash)).toMatchObject({
      phase: "FAILED",
      reason: "CUSTODY",
      final: false,
    });
    expect(await stage.reasonOf(requestHash)).toContain(detail);
  });
  test("says that it failed, and the chain has it later: executed, late", async () => {
    stage.custodian.behave("fails", 1);
    const call = aCall();
    const requestHash = await anApproved(call);
    await stage.drive(requestHash);
    await sendFromVault(call);
    const isExecuted = async () => (await stage.find(requestHash)).phase === "EXECUTED";
    await waitUntil("the chain is believed", isExecuted);
    expect(await stage.find(requestHash)).toMatchObject({ late: true, onchain: "success" });
  });
  test("blocked-forever: called back when its time is up", async () => {
    stage.custodian.behave("blocked-forever", 1);
    const requestHash = await anApproved();
    const isOut = ({ phase }: Transaction): boolean => {
      if (phase !== "BROADCAST") return phase === "FAILED";
      return false;
    };
    const driven = stage.drive(requestHash, { until: isOut });
    await waitUntil(
      "they have it",
      async () => stage.ordersOf(requestHash)[0]?.status === "PENDING_AUTHORIZATION",
    );
    await sleep(300);
    expect((await stage.find(requestHash)).phase).toBe("BROADCAST");
    stage.clock.moveTo((await stage.find(requestHash)).deadline);
    expect(await driven).toMatchObject({ phase: "FAILED", reason: "CUSTODY" });
    expect(stage.ordersOf(requestHash)[0]?.status).toBe("CANCELLED");
    expect(await stage.reasonOf(requestHash)).toContain("CANCELLED");
  });
});

describe("a custodian that is not to be had", () => {
  test("refuses: it has failed, it is told why, and the credential is in neither", async () => {
    const requestHash = await anApproved();
    stage.custodian.behave("refuses");
    expect(await stage.drive(requestHash)).toMatchObject({ phase: "FAILED", reason: "CUSTODY" });
    expect(await stage.reasonOf(requestHash)).toContain("does not accept our credential");
    expect(stage.ordersOf(requestHash)).toEqual([]);
    const apiKey = stage.custodian.accepted()[0]?.apiKey ?? "?";
    expect(`${stage.complaints()} ${await stage.reasonOf(requestHash)}`).not.toContain(apiKey);
  });
  test("down for a while: it waits, and is executed", async () => {
    const call = aCall();
    const requestHash = await anApproved(call);
    stage.custodian.behave("down");
    const driven = stage.drive(requestHash);
    await sleep(1_500);
    expect(["EXECUTING", "BROADCAST"]).toContain((await stage.find(requestHash)).phase);
    stage.custodian.behave("good");
    expect(await driven).toMatchObject({ phase: "EXECUTED" });
    expect([stage.ordersOf(requestHash).length, await countOf(call)]).toEqual([1, 1]);
  });
  test("down until its time is up: nothing is sent any more", async () => {
    const requestHash = await anApproved();
    stage.custodian.behave("down");
    const driven = stage.drive(requestHash);
    await sleep(500);
    stage.clock.moveTo((await stage.find(requestHash)).deadline);
    // Longer than a look takes that was begun before.
    await sleep(1_500);
    // Whoever was asked may yet have it, for a while: it is as if that were over.
    await stage.client.query(
      "update executions set begun_at = begun_at - interval '2 minutes' where is_open",
    );
    stage.custodian.behave("good");
    expect(await driven).toMatchObject({ phase: "FAILED" });
    expect(await stage.reasonOf(requestHash)).toContain("validUntil has passed");
    expect(stage.ordersOf(requestHash)).toEqual([]);
  });
});

describe("what changed since it was approved", () => {
  const anew = (who: Owner) => requestCsr(stage.api, who, { type: "agent", recreate: true });
  test("the integration was made anew before it was begun: nothing is sent", async () => {
    const other = await stage.anOwner();
    const requestHash = await anApproved(aCall(), other);
    await anew(other);
    const driven = stage.drive(requestHash);
    await sleep(700);
    expect((await stage.find(requestHash)).phase).toBe("READY");
    await stage.client.query(
      "update transactions set expires_at = now() - interval '1 second' where phase = 'READY' and expires_at is not null",
    );
    await stage.expireOverdue();
    expect(await driven).toMatchObject({ phase: "FAILED", reason: "EXPIRED" });
    expect(stage.ordersOf(requestHash)).toEqual([]);
  });
  test.each([
    ["when the intent was just durable", "begin 1.1", "after"],
    ["before it was asked for", "send 1.1", "before"],
  ] as const)("the integration was made anew %s: nothing is sent", async (_when, step, where) => {
    const other = await stage.anOwner();
    const requestHash = await anApproved(aCall(), other);
    const onEdge: Edge = async (name, edge) => {
      if (name === step && edge === where) await anew(other);
    };
    expect(await stage.drive(requestHash, { onEdge })).toMatchObject({
      ...{ phase: "FAILED", reason: "PREFLIGHT" },
    });
    expect(await stage.reasonOf(requestHash)).toContain("may no longer be asked to send");
    expect(stage.ordersOf(requestHash)).toEqual([]);
  });
  test("the integration was made anew during the last look: nothing is sent", async () => {
    const other = await stage.anOwner();
    const requestHash = await anApproved(aCall(), other);
    // However long that takes, and however often it is asked meanwhile.
    let making: Promise<unknown> | undefined;
    stage.whenAsked(async (question) => {
      if (question.includes("eth_getTransactionCount")) await (making ??= anew(other));
    });
    expect(await stage.drive(requestHash)).toMatchObject({ phase: "FAILED", reason: "PREFLIGHT" });
    expect(await stage.reasonOf(requestHash)).toContain("may no longer be asked to send");
    expect(stage.ordersOf(requestHash)).toEqual([]);
  });
  test("the contract: it has failed, and it is told which", async () => {
    const to = somewhere();
    await stage.chain.client.setCode({ address: to, bytecode: "0x00" });
    const requestHash = await anApproved(aCall({ to, data: "0xabcdef01" }));
    await stage.chain.client.setCode({ address: to, bytecode: "0x5b00" });
    expect(await stage.drive(requestHash)).toMatchObject({
      phase: "FAILED",
      reason: "PREFLIGHT",
      final: true,
    });
    expect(await stage.reasonOf(requestHash)).toBe(
      `the code at ${to} is not what it was when it was verified`,
    );
    expect(stage.ordersOf(requestHash)).toEqual([]);
  });
});

describe("a wallet with more than one to send", () => {
  test("two at once: one after the other, both executed", async () => {
    const calls = [aCall(), aCall()];
    const [first, second] = await Promise.all(calls.map((call) => anApproved(call)));
    const over = await Promise.all([first, second].map((requestHash) => stage.drive(requestHash ?? "0x")));
    expect(over).toMatchObject([{ phase: "EXECUTED" }, { phase: "EXECUTED" }]);
    for (const call of calls) expect(await countOf(call)).toBe(1);
  });
  test("two that are the same to the byte: both are executed, each by its own", async () => {
    const call = aCall();
    const [older, newer] = [await anApproved(call), await anApproved(call)];
    // The newer one is first, as happens when the older one has waited for a third.
    const begun = stage.drive(newer);
    await waitUntil("the newer one has begun", async () =>
      isIn("EXECUTING", "BROADCAST")(await stage.find(newer)),
    );
    const over = await Promise.all([begun, stage.drive(older)]);
    expect(over).toMatchObject([{ phase: "EXECUTED" }, { phase: "EXECUTED" }]);
    expect(over[0].execution?.hash).toBe(stage.ordersOf(newer)[0]?.txHash);
    expect(over[1].execution?.hash).toBe(stage.ordersOf(older)[0]?.txHash);
    expect(await countOf(call)).toBe(2);
  });
  test("one that its keeper has sent is under way: it waits for that", async () => {
    stage.chain.stopMining();
    await stage.chain.holdStill(true);
    const requestHash = await anApproved();
    await sendFromVault(aCall());
    const driven = stage.drive(requestHash);
    await sleep(1_000);
    expect((await stage.find(requestHash)).phase).toBe("EXECUTING");
    expect(stage.ordersOf(requestHash)).toEqual([]);
    await stage.chain.holdStill(false);
    stage.chain.mineEvery(150);
    expect(await driven).toMatchObject({ phase: "EXECUTED" });
  });
});

describe("a chain that changes its mind", () => {
  test("about an execution: it is under way again, and then executed, by the same order", async () => {
    const call = aCall();
    const requestHash = await anApproved(call);
    const driven = stage.drive(requestHash, { seconds: 40 });
    await waitUntil("it is in a block", async () => isIn("CONFIRMING")(await stage.find(requestHash)));
    stage.chain.stopMining();
    await stage.chain.holdStill(true);
    const { execution } = await stage.find(requestHash);
    const raw = await stage.chain.rawOf(execution?.hash ?? "0x");
    await stage.chain.reorganise(await stage.chain.depthOf(execution?.block ?? 0n));
    await waitUntil("it is taken back", async () => isIn("BROADCAST")(await stage.find(requestHash)));
    await stage.chain.client.sendRawTransaction({ serializedTransaction: raw });
    await stage.chain.holdStill(false);
    stage.chain.mineEvery(150);
    expect(await driven).toMatchObject({ phase: "EXECUTED", execs: 1 });
    expect([stage.ordersOf(requestHash).length, await countOf(call)]).toEqual([1, 1]);
  });
});

async function aStranger(): Promise<Hex> {
  const address = somewhere();
  await stage.chain.giveMoney(address);
  await stage.chain.client.impersonateAccount({ address });
  return address;
}
