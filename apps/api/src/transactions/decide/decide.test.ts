import { gzipSync } from "node:zlib";
import { privateKeyToAccount } from "viem/accounts";
import { describe, expect, test } from "vitest";
import { requestErrors } from "@countersign/platform/errors";
import { hashReport, type Attestation } from "@countersign/wire";
import { makeDecide, type Wanted } from "./decide.ts";
import type { Decider } from "../caller.ts";
import { transactionErrors } from "../errors.ts";
import type { LifecycleEvent } from "../lifecycle.ts";
import { anAttestation, aReport, aShapedAttestation } from "../../../test/transactions/attestation.ts";
import { aMemory, aTransaction, now } from "../../../test/transactions/in-memory.ts";
import type { Approval, Hex, Transaction } from "../transaction.ts";

const wallet = privateKeyToAccount(`0x${"7a".repeat(32)}`);
const { account, requestHash } = aTransaction();
const stranger: Hex = `0x${"a1".repeat(19)}a0`;

const signedIn = { scheme: "jwt", subject: account, scopes: [], account } as unknown as Decider;
const bySignature = { scheme: "signature", subject: account, scopes: [], account } as unknown as Decider;
const aKey = (type: "user" | "admin" | "orion", more: object = {}): Decider =>
  ({
    ...{ scheme: "apiKey", subject: `${type}-1`, keyId: `${type}-1`, type, label: "agent" },
    account: type === "user" ? account : null,
    scopes: type === "user" ? ["transactions:approve:own"] : [],
    ...more,
  }) as unknown as Decider;
const [userKey, admin, orion] = [aKey("user"), aKey("admin"), aKey("orion")];

type World = {
  readonly transaction?: Transaction;
  readonly approvals?: readonly Approval[];
  /** Returned instead of the transaction on the first lookup. */
  readonly found?: Transaction | undefined;
  readonly isOwnerKnown?: boolean;
  /** Answers as if the same request had been answered before. */
  readonly isReplayed?: boolean;
};

/** A decision with in-memory parts. The attestation check has its own tests; here it accepts everything. */
function aDesk(world: World = {}) {
  const { transaction = aTransaction({ after: ["pin", "register"] }), isReplayed = false } = world;
  const memory = aMemory(transaction, [...(world.approvals ?? [])]);
  const asked: unknown[] = [];
  const required: unknown[] = [];
  const requests: unknown[] = [];
  const decide = makeDecide({
    store: {
      find: async (hash) =>
        hash === requestHash ? ("found" in world ? world.found : memory.current()) : undefined,
    },
    transition: memory.transition,
    accounts: {
      find: async (of) =>
        world.isOwnerKnown === false
          ? undefined
          : ({ id: "user-1", account: of } as unknown as { id: string; account: Hex; createdAt: Date }),
    },
    checkAttestation: async (of, sent) => {
      asked.push([of.id, sent]);
      return { attestation: sent.attestation as Attestation, service: 1 };
    },
    requireAttestation: async (of, decision) => void required.push([of.id, decision]),
    idempotently: async (request, effect) => {
      requests.push(request);
      if (isReplayed) return { status: 201, body: "replayed", headers: { replayed: "true" } } as never;
      return { ...(await effect({} as Parameters<typeof effect>[0])), headers: {} };
    },
  });
  return {
    ...{ memory, asked, required, requests },
    run: (caller: Decider, wanted: Wanted, hash: Hex = requestHash) =>
      decide(hash, wanted, { caller, idempotencyKey: "key-1" }),
  };
}

const after = (...events: readonly LifecycleEvent[]): Transaction =>
  aTransaction({ after: ["pin", "register", ...events] });

const anApproval = (changes: Partial<Approval>): Approval => ({
  ...{ id: "earlier", transactionId: "transaction-1", kind: "user", type: "user_ui", decision: "APPROVED" },
  ...{ approver: account, apiKeyId: null, label: null, confidence: null, analysis: null, attestation: null },
  ...{ reportHash: null, verdictSeen: null, createdAt: now },
  ...changes,
});
const byOrion = (decision: Approval["decision"], approver = "orion-0"): Approval =>
  anApproval({ kind: "orion", type: "orion", approver, decision });

const yes: Wanted = { decision: "APPROVED" };
const no: Wanted = { decision: "REJECTED" };
const undecided: Wanted = { decision: "UNDECIDED" };
const refusal = ({ code }: { readonly code: string }) => expect.objectContaining({ code }) as Error;

describe("who may decide", () => {
  test.each([
    ["signed in", { ...signedIn, account: stranger }],
    ["by signature", { ...bySignature, account: stranger }],
    ["with a key", aKey("user", { account: stranger })],
  ])("rejects another account, %s", async (_, caller) => {
    const desk = aDesk();
    await expect(desk.run(caller, no)).rejects.toThrow(refusal(transactionErrors.notYours));
    expect(desk.memory.approvals).toEqual([]);
  });

  test.each([
    ["the owner signed in", signedIn, "user", "user_ui", account, null, null],
    ["the owner by signature", bySignature, "user", "user", account, null, null],
    ["a key of the owner", userKey, "key", "user", "user-1", "user-1", "agent"],
    ["an ADMIN key", admin, "key", "admin", "admin-1", "admin-1", "agent"],
    ["an ORION key", orion, "orion", "orion", "orion-1", "orion-1", "agent"],
  ] as const)("records a rejection by %s as theirs", async (_, caller, ...expected) => {
    const desk = aDesk();
    const answer = await desk.run(caller, no);
    const [kind, type, approver, apiKeyId, label] = expected;
    expect(desk.memory.approvals).toMatchObject([
      { kind, type, approver, apiKeyId, label, decision: "REJECTED" },
    ]);
    expect(desk.memory.approvals[0]).not.toHaveProperty("events");
    expect(desk.memory.current().phase).toBe("REJECTED");
    expect(answer).toMatchObject({ status: 201, body: { type, decision: "REJECTED" } });
  });

  test.each([
    ["the owner", signedIn, "USER"],
    ["a key of the owner", userKey, "AGENT"],
    ["an ADMIN key", admin, "ADMIN"],
    ["an ORION key", orion, "ORION"],
  ])("names %s as the reason of the rejection", async (_, caller, reason) => {
    const desk = aDesk();
    await desk.run(caller, no);
    expect(desk.memory.current().reason).toBe(reason);
  });

  test("a key needs the scope to decide; the owner and server keys do not", async () => {
    const without = aKey("user", { scopes: ["transactions:read:own"] });
    await expect(aDesk().run(without, no)).rejects.toThrow(refusal(requestErrors.forbidden));
    for (const caller of [signedIn, admin, orion, userKey])
      expect(await aDesk().run(caller, no)).toMatchObject({ status: 201 });
  });

  test.each([
    ["UNDECIDED", undecided],
    ["an attestation", { ...no, attestation: { verdict: { reportHash: requestHash } } }],
    ["a report", { ...no, report: {} }],
  ])("accepts %s from ORION keys only", async (_, wanted) => {
    for (const caller of [signedIn, bySignature, userKey, admin])
      await expect(aDesk().run(caller, wanted)).rejects.toThrow(refusal(transactionErrors.onlyForOrion));
    expect(await aDesk().run(orion, wanted)).toMatchObject({ status: 201 });
  });

  test("rejects UNDECIDED from others before it looks up the transaction", async () => {
    const wrong = `${requestHash.slice(0, -1)}c` as Hex;
    await expect(aDesk().run(signedIn, undecided, wrong)).rejects.toThrow(
      refusal(transactionErrors.onlyForOrion),
    );
  });

  test("only a key is classified by its type", async () => {
    const asOrion = { ...signedIn, type: "orion" } as Decider;
    await expect(aDesk().run(asOrion, { ...no, report: {} })).rejects.toThrow(
      refusal(transactionErrors.onlyForOrion),
    );
    const asKey = { ...signedIn, type: "user" } as Decider;
    expect(await aDesk().run(asKey, no)).toMatchObject({ status: 201 });
  });

  test("rejects a request hash in the body that differs from the path", async () => {
    const wrong = `${requestHash.slice(0, -1)}c`;
    await expect(aDesk().run(signedIn, { ...no, requestHash: wrong })).rejects.toThrow(
      refusal(transactionErrors.otherRequestHash),
    );
    const upper = requestHash.toUpperCase();
    expect(await aDesk().run(signedIn, { ...no, requestHash: upper })).toMatchObject({ status: 201 });
  });
});

describe("lookup", () => {
  test("finds nothing under another hash", async () => {
    const wrong = `${requestHash.slice(0, -1)}c` as Hex;
    await expect(aDesk().run(signedIn, no, wrong)).rejects.toThrow(refusal(transactionErrors.notFound));
  });
  test("fails if the transaction's account does not exist", async () => {
    await expect(aDesk({ isOwnerKnown: false }).run(signedIn, no)).rejects.toThrow("without a user");
  });
  test("finds nothing if the transaction is gone once it is locked", async () => {
    const desk = aDesk();
    const gone = { ...desk.memory.transition, changeWithin: async () => undefined };
    const decide = makeDecide({
      store: { find: async () => aTransaction() },
      transition: gone,
      accounts: { find: async () => ({ id: "user-1", account }) as never },
      checkAttestation: async () => ({}) as never,
      requireAttestation: async () => undefined,
      idempotently: async (_, effect) => ({ ...(await effect({} as never)), headers: {} }),
    });
    const by = { caller: signedIn, idempotencyKey: undefined };
    await expect(decide(requestHash, yes, by)).rejects.toThrow(refusal(transactionErrors.notFound));
  });
});

describe("the effect of a decision", () => {
  test.each([
    ["the owner's approval before the verdict", signedIn, yes, { phase: "REGISTERED", user: "APPROVED" }],
    ["a key's approval", userKey, yes, { phase: "REGISTERED", agent: "APPROVED", user: null }],
    ["an ADMIN key's approval", admin, yes, { phase: "REGISTERED", admin: "APPROVED", user: null }],
    ["an APPROVED verdict", orion, yes, { phase: "AWAITING", orion: "APPROVED" }],
    ["an UNDECIDED verdict", orion, undecided, { phase: "AWAITING", orion: "UNDECIDED" }],
    ["a REJECTED verdict", orion, no, { phase: "REJECTED", orion: "REJECTED" }],
  ] as const)("%s", async (_, caller, wanted, state) => {
    const desk = aDesk();
    await desk.run(caller, wanted);
    expect(desk.memory.current()).toMatchObject(state);
    expect(desk.memory.pokes()).toBe(1);
  });

  test("the owner cancels an approval until the transaction is executed", async () => {
    const transaction = after("userApproves", "verdictApproved");
    const approvals = [anApproval({}), byOrion("APPROVED")];
    const desk = aDesk({ transaction, approvals });
    await desk.run(signedIn, no);
    expect(desk.memory.current()).toMatchObject({ phase: "REJECTED", reason: "USER" });
  });

  test.each([
    ["the owner's approval", after("userRejects"), signedIn, yes],
    ["a key's approval", after("agentRejects"), aKey("user", { keyId: "user-2" }), yes],
    ["an ADMIN key's approval", after("userRejects"), admin, yes],
    ["a verdict", after("userRejects"), orion, yes],
    ["a key's rejection", after("verdictApproved", "userApproves", "seeSuccess"), userKey, no],
    ["the owner's rejection", after("verdictApproved", "userApproves", "seeSuccess"), signedIn, no],
  ])("rejects %s after the end", async (_, transaction, caller, wanted) => {
    const desk = aDesk({ transaction });
    await expect(desk.run(caller, wanted)).rejects.toThrow(refusal(transactionErrors.notPending));
    expect(desk.memory.approvals).toEqual([]);
    expect(desk.memory.pokes()).toBe(0);
  });

  test.each([
    ["key", userKey, "agentApproves"],
    ["ADMIN key", admin, "adminApproves"],
  ] as const)("records the approval of a second %s while the transaction is pending", async (...given) => {
    const [, caller, event] = given;
    const earlier = anApproval({ kind: "key", type: "user", approver: "another-key" });
    const pending = aDesk({ transaction: after(event), approvals: [earlier] });
    await pending.run(caller, yes);
    expect(pending.memory.approvals).toHaveLength(2);
    const approved = aDesk({ transaction: after(event, "userApproves", "verdictApproved") });
    await expect(approved.run(caller, yes)).rejects.toThrow(refusal(transactionErrors.notPending));
  });

  test("a key may still reject an approved transaction that waits to be sent", async () => {
    const desk = aDesk({ transaction: after("userApproves", "verdictApproved") });
    await desk.run(userKey, no);
    expect(desk.memory.current().reason).toBe("AGENT");
  });
});

describe("a second decision of the same caller", () => {
  const asKey = (decision: "APPROVED" | "REJECTED") =>
    anApproval({ kind: "key", type: "user", approver: "user-1", apiKeyId: "user-1", decision });

  test.each([
    ["owner", signedIn, after("userApproves"), anApproval({}), yes],
    ["owner's rejection", signedIn, after("userRejects"), anApproval({ decision: "REJECTED" }), no],
    ["key", userKey, after("agentApproves"), asKey("APPROVED"), yes],
    ["verdict of another ORION key", orion, after("verdictApproved"), byOrion("APPROVED"), yes],
  ])("returns the first one if it is the same: %s", async (_, caller, ...given) => {
    const [transaction, earlier, wanted] = given;
    const desk = aDesk({ transaction, approvals: [earlier] });
    expect(await desk.run(caller, wanted)).toMatchObject({ status: 201, body: { id: "earlier" } });
    expect(desk.memory.changes).toEqual([]);
    expect(desk.memory.pokes()).toBe(0);
  });

  test.each([
    ["a key that approved", userKey, after("agentApproves"), asKey("APPROVED"), no],
    ["a key that rejected", userKey, after("agentRejects"), asKey("REJECTED"), yes],
    ["the owner who rejected", signedIn, after("userRejects"), anApproval({ decision: "REJECTED" }), yes],
  ])("rejects the opposite from %s", async (_, caller, ...given) => {
    const [transaction, earlier, wanted] = given;
    const desk = aDesk({ transaction, approvals: [earlier] });
    await expect(desk.run(caller, wanted)).rejects.toThrow(refusal(transactionErrors.contradiction));
  });

  test.each([
    ["APPROVED", "verdictApproved", no],
    ["APPROVED", "verdictApproved", undecided],
    ["UNDECIDED", "verdictUndecided", no],
  ] as const)("rejects another verdict after %s, whichever ORION key sends it", async (...given) => {
    const [decision, event, wanted] = given;
    const desk = aDesk({ transaction: after(event), approvals: [byOrion(decision)] });
    await expect(desk.run(orion, wanted)).rejects.toThrow(refusal(transactionErrors.otherVerdict));
  });

  test("the owner approves again after an UNDECIDED verdict cleared the approval", async () => {
    const transaction = after("userApproves", "verdictUndecided");
    const desk = aDesk({ transaction, approvals: [anApproval({}), byOrion("UNDECIDED")] });
    await desk.run(signedIn, yes);
    expect(desk.memory.current()).toMatchObject({ phase: "READY", user: "APPROVED" });
    expect(desk.memory.approvals.at(-1)).toMatchObject({ kind: "user", verdictSeen: "UNDECIDED" });
  });

  test("the last of several decisions of the owner counts", async () => {
    const approvals = [anApproval({ id: "first" }), anApproval({ id: "second", decision: "REJECTED" })];
    const desk = aDesk({ transaction: after("userRejects"), approvals });
    expect(await desk.run(signedIn, no)).toMatchObject({ body: { id: "second" } });
  });

  test("an owner's approval is not an earlier verdict", async () => {
    const desk = aDesk({ transaction: after("userApproves"), approvals: [anApproval({})] });
    await desk.run(orion, no);
    expect(desk.memory.current()).toMatchObject({ phase: "REJECTED", reason: "ORION" });
  });

  test("decisions of others, or of another kind, are not the caller's", async () => {
    const approvals = [asKey("APPROVED"), byOrion("APPROVED", account)];
    const transaction = after("agentApproves", "verdictApproved", "userApproves");
    const approved = aDesk({ transaction, approvals });
    await approved.run(signedIn, no);
    expect(approved.memory.current().reason).toBe("USER");
    const other = aDesk({ transaction: after("agentApproves"), approvals: [asKey("APPROVED")] });
    await other.run(aKey("user", { keyId: "user-2" }), no);
    expect(other.memory.current().reason).toBe("AGENT");
  });
});

describe("the stored decision", () => {
  test("an owner's decision stores the existing verdict, and no evidence", async () => {
    const desk = aDesk({ transaction: after("verdictApproved") });
    await desk.run(signedIn, yes);
    const [change] = desk.memory.changes;
    expect(change).toMatchObject({
      events: ["userApproves"],
      approval: {
        ...{ verdictSeen: "APPROVED", attestation: null, reportHash: null },
        ...{ confidence: null, analysis: null },
      },
    });
    expect(change).not.toHaveProperty("facts");
    expect(change).not.toHaveProperty("report");
    expect([desk.asked, desk.required]).toEqual([[], []]);
  });

  test("a verdict stores what the service sent with it", async () => {
    const desk = aDesk();
    const report = aReport({ primary_failure_node: "intent.amount" });
    await desk.run(orion, { ...yes, confidence: 0.5, analysis: "fine", report });
    expect(desk.memory.changes).toMatchObject([
      {
        approval: {
          ...{ confidence: 0.5, analysis: "fine", attestation: null, verdictSeen: null },
          reportHash: hashReport(report),
        },
        facts: { verdictAt: "now", protocol: "uniswap-v3", failureNode: "intent.amount" },
        report,
      },
    ]);
    expect(desk.required).toEqual([["transaction-1", "APPROVED"]]);
    expect(desk.asked).toEqual([]);
  });

  test("a verdict without a report stores no report hash", async () => {
    const desk = aDesk();
    await desk.run(orion, yes);
    expect(desk.memory.changes[0]?.approval?.reportHash).toBeNull();
    expect(desk.memory.changes[0]?.facts).toEqual({ verdictAt: "now", protocol: null, failureNode: null });
  });

  test.each([
    ["the longest", "a".repeat(100), true],
    ["one character longer", "a".repeat(101), false],
    ["an empty", "", false],
    ["every allowed character in a", "Uniswap_v3 .:/-", true],
    ["a line feed in a", "a\n", false],
    ["a character before a", "\na", false],
    ["a bracket in a", "a<", false],
  ])("%s protocol name", async (_, protocol, isKept) => {
    const desk = aDesk();
    await desk.run(orion, { ...yes, report: { protocol, primary_failure_node: 7 } });
    expect(desk.memory.changes[0]?.facts).toEqual({
      ...{ verdictAt: "now", protocol: isKept ? protocol : null, failureNode: null },
    });
  });

  test("an attested verdict is checked, and stores the attestation and its report hash", async () => {
    const desk = aDesk();
    const attestation = await anAttestation(desk.memory.current(), wallet);
    const report = aReport();
    await desk.run(orion, { ...yes, attestation, report });
    expect(desk.asked).toEqual([["transaction-1", { decision: "APPROVED", attestation, report }]]);
    expect(desk.required).toEqual([]);
    const { reportHash } = attestation.verdict;
    expect(desk.memory.changes[0]?.approval).toMatchObject({ attestation, reportHash });
  });

  test("the call of an encrypted transaction is learned from its attestation only", async () => {
    const transaction = aTransaction({
      ...{ after: ["pin", "register"] },
      ...{ form: "sealed", tx: null, expected: null },
    });
    const attestation = await anAttestation(transaction, wallet, { value: 8n });
    const attested = aDesk({ transaction });
    await attested.run(orion, { ...yes, attestation, report: aReport() });
    const { to, dataHash } = attestation.verdict;
    expect(attested.memory.changes[0]?.facts).toEqual({
      verdictAt: "now",
      expected: { to, value: 8n, dataHash },
    });
    const unsigned = aDesk({ transaction });
    await unsigned.run(orion, { ...no, report: aReport() });
    expect(unsigned.memory.changes[0]?.facts).toEqual({ verdictAt: "now" });
  });

  test("the digest of encrypted data to sign is learned from its attestation", async () => {
    const signingHash: Hex = `0x${"5c".repeat(32)}`;
    const transaction = aTransaction({
      ...{ after: ["pin", "register"], form: "sealed", tx: null, expected: null, signingHash },
    });
    const attestation = await aShapedAttestation(transaction, wallet);
    const desk = aDesk({ transaction });
    await desk.run(orion, { ...yes, attestation, report: aReport() });
    expect(desk.memory.changes[0]?.facts).toEqual({
      ...{ verdictAt: "now", shaped: { shape: "typedData", signingHash } },
    });
  });

  test("the inputs of a verdict are stored if the report names them", async () => {
    const inputs = { human_intent: "Send 1 USDC to Ann." };
    const hash = hashReport(inputs);
    const report = aReport({ context: { inputs: { hash } } });
    const content = gzipSync(JSON.stringify(inputs));
    const desk = aDesk();
    await desk.run(orion, { ...yes, report, bundle: content.toString("base64") });
    expect(desk.memory.changes[0]?.bundle).toEqual({ hash, content });
    const without = aDesk();
    await without.run(orion, { ...yes, report });
    expect(without.memory.changes[0]).not.toHaveProperty("bundle");
    const other = gzipSync(JSON.stringify({ human_intent: "Send 2 USDC to Ann." })).toString("base64");
    await expect(aDesk().run(orion, { ...yes, report, bundle: other })).rejects.toThrow(
      refusal(transactionErrors.wrongBundle),
    );
  });

  test("rejects an attestation that was checked against another service than the stored one", async () => {
    const found = aTransaction({ after: ["pin"], serviceId: 1 });
    const attestation = await anAttestation(found, wallet);
    const moved = { found, transaction: aTransaction({ after: ["pin"], serviceId: 2 }) };
    await expect(aDesk(moved).run(orion, { ...yes, attestation })).rejects.toThrow(
      expect.objectContaining({
        code: transactionErrors.wrongAttestation.code,
        message: "attestation: made before a service was assigned",
      }) as Error,
    );
    expect(await aDesk(moved).run(orion, no)).toMatchObject({ status: 201 });
    const same = { found, transaction: found };
    expect(await aDesk(same).run(orion, { ...yes, attestation })).toMatchObject({ status: 201 });
  });
});

test("asks for idempotency under the caller, the endpoint and the body", async () => {
  const desk = aDesk();
  await desk.run(signedIn, no);
  expect(desk.requests).toEqual([
    {
      ...{ principal: `jwt:${account}`, key: "key-1", body: no, isSeveralStatements: true },
      operation: `POST /transactions/${requestHash}/approvals`,
    },
  ]);
});

test("a replayed answer decides nothing and announces nothing", async () => {
  const desk = aDesk({ isReplayed: true });
  expect(await desk.run(signedIn, no)).toMatchObject({ body: "replayed", headers: { replayed: "true" } });
  expect(desk.memory.changes).toEqual([]);
  expect(desk.memory.pokes()).toBe(0);
});
