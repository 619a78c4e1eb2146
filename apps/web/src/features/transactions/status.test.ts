import type { TransactionView } from "@countersign/sdk";
import { describe, expect, test } from "vitest";
import { effectTitle, subjectOf } from "../../components/report/effects.ts";
import { toAcknowledge } from "./acknowledge.ts";
import { countdown } from "./countdown.ts";
import { eventsOf } from "./history-events.ts";
import { itemOf } from "./inbox-items.ts";
import * as status from "./status.ts";

const at = "2026-01-01T00:00:00.000Z";
const verdict = (
  decision: "APPROVED" | "REJECTED" | "UNDECIDED",
  analysis = "Asked for one. Two are sent.\nMore.",
) => ({
  ...{
    id: "v",
    transactionId: "t",
    createdAt: at,
    type: "orion" as const,
    decision,
    confidence: 0.88,
    analysis,
  },
  attestation: null,
});
const said = (
  decision: "APPROVED" | "REJECTED",
  createdAt = at,
  verdictSeen: "APPROVED" | "UNDECIDED" | null = "APPROVED",
) => ({
  ...{ id: `u${createdAt}`, transactionId: "t", createdAt, type: "user" as const, decision, verdictSeen },
  approver: {} as never,
});

type Given = Partial<Omit<TransactionView, "approvals">> & Partial<TransactionView["approvals"]>;
const make = ({ user = [], orion = [], apiKey = [], ...rest }: Given): TransactionView => ({
  ...{
    id: "t",
    requestHash: "0x01",
    description: "words",
    status: "PENDING",
    execution: 1,
    createdAt: at,
    updatedAt: at,
  },
  ...{
    escrowAddress: "0x02",
    chainId: 1,
    tx: { to: "0x03", value: "1", data: "0x" },
    ...{
      shape: "tx" as const,
      signingHash: null,
      typedData: null,
      calls: null,
      safeTransaction: null,
      message: null,
      authorizationList: null,
      userOperation: null,
    },
    phase: "REGISTERED",
    reason: null,
  },
  ...{
    reasonDetail: null,
    needsOwner: null,
    agent: "key:a",
    mandateId: null,
    policyDecision: null,
    executor: "wallet",
    intentProvenance: "agent-claimed",
    chainWatched: true,
    notice: null,
    expiresAt: null,
    transactionHash: null,
    use: null,
  },
  ...{ alert: null, approvals: { user, orion, apiKey } },
  ...rest,
});

const awaiting = make({ phase: "AWAITING", orion: [verdict("APPROVED")] });
const ready = make({
  phase: "READY",
  status: "APPROVED",
  orion: [verdict("APPROVED")],
  user: [said("APPROVED")],
});
const stopped = make({
  phase: "REJECTED",
  status: "REJECTED",
  reason: "ORION",
  orion: [verdict("REJECTED")],
});
const undecided = make({ phase: "AWAITING", orion: [verdict("UNDECIDED")] });

describe("groupOf and inOrder", () => {
  test("put decisions and transactions to send under Needs you", () => {
    const groups = [
      awaiting,
      ready,
      make({}),
      stopped,
      { ...ready, execution: 2 },
      { ...ready, executor: "service" as const },
    ];
    expect(groups.map(status.groupOf)).toEqual([
      ...["needs-you", "needs-you", "in-progress", "blocked", "in-progress", "in-progress"],
    ]);
  });

  test("sort by expiry under Needs you, elsewhere newest first", () => {
    const [one, two, three] = [
      make({ id: "1", expiresAt: "2026-01-03T00:00:00Z" }),
      make({ id: "2", expiresAt: "2026-01-02T00:00:00Z" }),
      make({ id: "3", createdAt: "2026-01-05T00:00:00Z" }),
    ];
    expect(status.inOrder("needs-you", [three, one, two]).map(({ id }) => id)).toEqual(["2", "1", "3"]);
    expect(status.inOrder("decided", [one, two, three])[0]?.id).toBe("3");
  });
});

test("groups blocked proposals and alerts apart, unless they still need the owner", () => {
  const wrong = make({ phase: "EXECUTED", status: "EXECUTED", alert: "EXECUTED_TWICE" });
  const rows = [
    stopped,
    awaiting,
    wrong,
    { ...ready, alert: "MISMATCH" },
    make({ reason: "USER", status: "REJECTED" }),
  ];
  expect(rows.map(status.groupOf)).toEqual(["blocked", "needs-you", "blocked", "needs-you", "decided"]);
});

test.each([
  ["EXPIRED", "Expired"],
  ["WITHDRAWN", "Withdrawn"],
  ["SUPERSEDED", "Replaced"],
  ["ORION", "Blocked"],
  ["USER", "Rejected"],
])("names an ending by its reason: %s", (reason, word) => {
  expect(status.statusOf(make({ phase: "REJECTED", status: "REJECTED", reason })).word).toBe(word);
});

test("says that the wallet has sent it before the service has seen it", () => {
  expect(status.headlineOf(ready).word).toBe("Approved. Send it with your wallet.");
  expect(status.headlineOf(ready, { hash: undefined }).word).toBe("Approved. Send it with your wallet.");
  expect(status.headlineOf(ready, { hash: "0x12" }).word).toBe("Sent by your wallet");
});

describe("a batch of calls", () => {
  const [to, spender] = [`0x${"11".repeat(20)}`, "22".repeat(20)];
  const calls = {
    ...{ version: "2.0.0", chainId: 1, from: "0x02", atomicRequired: true },
    calls: [
      { to, value: "1", data: "0x" },
      { to, value: "0", data: `0x095ea7b3${"0".repeat(24)}${spender}${"f".repeat(64)}` },
    ],
  };
  const batch = { ...ready, tx: null, shape: "calls" as const, calls };

  test("is sent by the agent's wallet, and then released", () => {
    expect(status.groupOf(batch)).toBe("in-progress");
    expect(status.headlineOf(batch).word).toBe("Approved. The agent can send it.");
    const released = { ...batch, status: "EXECUTED" as const, phase: "EXECUTED" as const };
    expect(status.headlineOf(released).word).toBe("Released to the wallet");
    expect(status.statusOf(released).word).toBe("Released");
  });

  test("is named by the number of its calls, and shows in the inbox that it gives access", () => {
    expect(effectTitle(undefined, subjectOf(batch) ?? expect.unreachable("encrypted"), 1)).toBe(
      "Send a batch of 2 calls",
    );
    const wordIn = (view: TransactionView) => itemOf(view, (agent) => agent).verdict.word;
    expect(wordIn({ ...batch, phase: "AWAITING", status: "PENDING" })).toBe("Matches, gives access");
    const [pays] = calls.calls;
    const plain = { ...batch, calls: { ...calls, calls: pays === undefined ? [] : [pays] } };
    expect(wordIn({ ...plain, phase: "AWAITING", status: "PENDING" })).toBe("Matches");
  });
});

describe("a Safe's transaction", () => {
  const [safe, to, nothing] = [`0x${"5a".repeat(20)}`, `0x${"11".repeat(20)}`, `0x${"00".repeat(20)}`];
  const safeTransaction = {
    ...{ chainId: 1, safe, to, value: "10000000000000000", data: "0x", operation: 0 },
    ...{
      safeTxGas: "0",
      baseGas: "0",
      gasPrice: "0",
      gasToken: nothing,
      refundReceiver: nothing,
      nonce: "3",
    },
  };
  const proposed = { ...ready, tx: null, shape: "safeTransaction" as const, safeTransaction };
  const titleOf = (view: TransactionView) =>
    effectTitle(undefined, subjectOf(view) ?? expect.unreachable("encrypted"), 1);

  test("is confirmed by the agent's wallet, and then released", () => {
    expect(status.groupOf(proposed)).toBe("in-progress");
    expect(status.headlineOf(proposed).word).toBe("Approved. The agent’s wallet can confirm it.");
    const released = { ...proposed, status: "EXECUTED" as const, phase: "EXECUTED" as const };
    expect(status.headlineOf(released).word).toBe("Confirmation released");
    expect(status.statusOf(released).word).toBe("Released");
  });

  test("is named by its call, and a delegatecall by what it is", () => {
    expect(titleOf(proposed)).toBe(`Send 0.01 ETH to ${to}`);
    const delegated = { ...proposed, safeTransaction: { ...safeTransaction, operation: 1 } };
    expect(titleOf(delegated)).toBe(`Run code of ${to} as the Safe ${safe}`);
  });

  test("shows in the inbox that it can be used later", () => {
    const waiting = { ...proposed, phase: "AWAITING" as const, status: "PENDING" as const };
    expect(itemOf(waiting, (agent) => agent).verdict).toEqual({
      ...{ tone: "risk", word: "Matches, can be used later" },
    });
  });
});

describe("a text to be signed", () => {
  const titleOf = (message: string) =>
    effectTitle(undefined, subjectOf({ ...ready, tx: null, message }) ?? expect.unreachable("encrypted"), 1);

  test("is named by its words, and a sign-in by its site", () => {
    expect(titleOf("I agree\nto the terms")).toBe("Sign the text “I agree to the terms”");
    expect(titleOf("x".repeat(100))).toMatch(/^Sign the text “x{59}…”$/);
    expect(titleOf("example.com wants you to sign in with your Ethereum account:\n0x00")).toBe(
      "Sign in to example.com",
    );
  });

  test("is signed by the agent's wallet, and then released", () => {
    const message = { ...ready, tx: null, shape: "message" as const, message: "I agree" };
    expect(status.headlineOf(message).word).toBe("Approved. The agent’s wallet can sign it.");
    const released = { ...message, status: "EXECUTED" as const, phase: "EXECUTED" as const };
    expect(status.headlineOf(released).word).toBe("Signature released");
  });
});

describe("an authorization", () => {
  const proposed = (address: string) => ({
    ...{ ...ready, tx: null, shape: "authorizationList" as const },
    authorizationList: [{ chainId: 1, address, nonce: "7" }],
  });
  const titleOf = (address: string) =>
    effectTitle(undefined, subjectOf(proposed(address)) ?? expect.unreachable("encrypted"), 1);
  const delegate = `0x${"63".repeat(20)}`;

  test("is named by the code that the wallet would run", () => {
    expect(titleOf(delegate)).toBe(`From now on, your wallet runs another contract’s code: ${delegate}`);
    expect(titleOf(`0x${"00".repeat(20)}`)).toBe("Removes delegated code from your wallet");
  });

  test("is signed by the agent's wallet, and then released", () => {
    expect(status.headlineOf(proposed(delegate)).word).toBe("Approved. The agent’s wallet can sign it.");
    const released = { ...proposed(delegate), status: "EXECUTED" as const, phase: "EXECUTED" as const };
    expect(status.headlineOf(released).word).toBe("Authorization released");
  });
});

describe("a user operation", () => {
  const proposed = {
    ...{ ...ready, tx: null, shape: "userOperation" as const },
    userOperation: { sender: `0x${"ac".repeat(20)}` },
  } as unknown as TransactionView;

  test("is named by its smart account", () => {
    const title = effectTitle(undefined, subjectOf(proposed) ?? expect.unreachable("encrypted"), 1);
    expect(title).toBe(`Run an operation of the smart account 0x${"ac".repeat(20)}`);
  });

  test("is signed by the agent's account, and then released", () => {
    expect(status.headlineOf(proposed).word).toBe("Approved. The agent’s account can sign it.");
    const released = { ...proposed, status: "EXECUTED" as const, phase: "EXECUTED" as const };
    expect(status.headlineOf(released).word).toBe("Signature released");
  });
});

describe("available decisions", () => {
  test("offers none for a blocked, executing or executed transaction", () => {
    for (const over of [
      stopped,
      make({ phase: "EXECUTING", status: "APPROVED" }),
      make({ phase: "EXECUTED", status: "EXECUTED" }),
    ])
      expect([status.mayApprove(over), status.mayReject(over)]).toEqual([false, false]);
  });

  test("offers approval once after a verdict, and rejection until it is sent", () => {
    expect([awaiting, undecided, make({}), ready].map(status.mayApprove)).toEqual([true, true, false, false]);
    expect([awaiting, undecided, make({}), ready].map(status.mayReject)).toEqual([true, true, true, true]);
  });

  test("uses the owner's last decision", () => {
    expect(
      status.ownersDecision(make({ user: [said("REJECTED", "2026-01-02T00:00:00Z"), said("APPROVED")] })),
    ).toBe("REJECTED");
  });

  test("ignores an approval from before an UNDECIDED verdict and asks the owner again", () => {
    const early = make({
      phase: "AWAITING",
      orion: [verdict("UNDECIDED")],
      user: [said("APPROVED", at, null)],
    });
    expect(status.ownersDecision(early)).toBeUndefined();
    expect(status.mayApprove(early)).toBe(true);
    expect(eventsOf(early).some(({ text }) => text?.endsWith("It doesn’t count.") === true)).toBe(true);
  });

  test("claims no outcome for an approval that expired on an unwatched chain", () => {
    const reasonDetail = "We do not watch this chain. Check your wallet before proposing again.";
    const lapsed = make({ phase: "LAPSED", status: "APPROVED", reason: "UNWATCHED", reasonDetail });
    expect(status.headlineOf(lapsed)).toMatchObject({ tone: "open", detail: reasonDetail });
    expect(status.statusOf(lapsed)).toEqual({ tone: "open", word: "Outcome unknown" });
    expect([status.groupOf(lapsed), status.mayReject(lapsed)]).toEqual(["decided", false]);
    const notice = "We do not watch this chain.";
    expect(status.headlineOf({ ...ready, chainWatched: false, notice }).detail).toContain(notice);
  });
});

describe("texts", () => {
  const phases = [
    "RECEIVED",
    "PINNED",
    "REGISTERED",
    "AWAITING",
    "READY",
    "EXECUTING",
    "BROADCAST",
    "CONFIRMING",
    "REJECTED",
    "EXECUTED",
    "SETTLED",
    "FAILED",
  ] as const;
  const reasons = [
    null,
    "ORION",
    "USER",
    "ADMIN",
    "AGENT",
    "EXPIRED",
    "SUPERSEDED",
    "WITHDRAWN",
    "PREFLIGHT",
    "REVERTED",
    "REPLACED",
    "MISMATCH",
    "CUSTODY",
    "NEW",
  ];
  test("exist for every phase and reason", () => {
    for (const phase of phases)
      for (const reason of reasons) {
        const { word, detail } = status.headlineOf(make({ phase, reason }));
        expect(word).not.toBe("");
        expect(detail).toMatch(/\.$/);
      }
  });

  test("exist for every alert, known or not", () => {
    for (const alert of ["EXECUTED_WITHOUT_APPROVAL", "MISMATCH", "EXECUTED_TWICE", "NEW"])
      expect(status.alertOf(make({ alert }))?.tone).toBe("bad");
    expect(status.alertOf(make({}))).toBeUndefined();
  });

  test("give the reason only if the verifier blocked it", () => {
    expect(status.flagReasonOf(stopped)).toBe("Asked for one. Two are sent.");
    expect(status.flagReasonOf(awaiting)).toBeUndefined();
    expect(status.flagReasonOf({ ...stopped, reason: "USER" })).toBeUndefined();
  });

  test("list the history in order, with the credential used", () => {
    const events = eventsOf(
      make({ orion: [verdict("UNDECIDED")], user: [said("APPROVED", "2026-01-02T00:00:00Z")] }),
    );
    expect(events.map(({ who, what, how }) => `${who} ${what}, ${how}`)).toEqual([
      "Proposed , with the agent’s wording",
      "The verifier could not verify it, confidence 88 %",
      "You approved, by wallet signature",
    ]);
  });

  test("show the remaining time in two units", () => {
    const now = new Date(at);
    const after = (seconds: number) => countdown(new Date(now.getTime() + seconds * 1000), now);
    expect([90_000, 3_700, 61, 5, 0].map((seconds) => after(seconds).text)).toEqual([
      ...["1 d 1 h left", "1 h 1 min left", "1 min 1 s left", "5 s left", "expired"],
    ]);
    expect([after(7200).isSoon, after(60).isSoon]).toEqual([false, true]);
  });
});

describe("toAcknowledge", () => {
  const report = (severity: string, isOpen = false, authority: readonly object[] = []) =>
    ({ issues: [{ severity, isOpen, reasoning: "It pays too much." }], net: { authority } }) as never;
  test("asks to acknowledge access, also of a match, but not that access is taken away", () => {
    const held = { spender: `0x${"ab".repeat(20)}`, asset: { kind: "token", symbol: "USDC" }, until: null };
    const of = (most: string) =>
      toAcknowledge(awaiting, report("LOW", false, [{ ...held, most, signed: false }]));
    expect(of("unlimited")).toBe(
      "I understand that 0xababab…ababab can take any amount of USDC, now and later.",
    );
    expect(of("100")).toMatch(/can take up to 100 USDC/);
    expect(of("0")).toBeUndefined();
  });
  test("asks to acknowledge an unverified, critically flagged or missing report", () => {
    expect(toAcknowledge(undecided, report("CRITICAL"))).toMatch(/hasn’t been verified.*Asked for one/);
    expect(toAcknowledge(awaiting, report("CRITICAL"))).toMatch(/understand the risk.*It pays too much/);
    expect(toAcknowledge(awaiting, undefined)).toMatch(/no report/);
    expect(toAcknowledge(awaiting, report("LOW"))).toBeUndefined();
    expect(toAcknowledge(awaiting, report("CRITICAL", true))).toBeUndefined();
  });
});

describe("a released signature", () => {
  const use = { watched: true, outcome: null, transactionHash: null, blockNumber: null, final: false };
  const released = (over: Partial<NonNullable<TransactionView["use"]>> = {}) =>
    make({ phase: "EXECUTED", status: "EXECUTED", shape: "typedData", use: { ...use, ...over } });

  test("is released while no use is known", () => {
    expect(status.headlineOf(released())).toMatchObject({ tone: "good", word: "Signature released" });
    expect(status.statusOf(released())).toEqual({ tone: "good", word: "Released" });
  });
  test.each([
    ["used", true, "Used on the chain", "Used"],
    ["used", false, "Used, not final yet", "Used"],
    ["failed", true, "Used, and failed", "Used, failed"],
    ["spent", true, "Its nonce is used", "Nonce used"],
    ["unusable", true, "Not used", "Not used"],
    ["expired", true, "Expired without being used", "Not used"],
    ["unusable", false, "Signature released", "Released"],
    ["expired", false, "Signature released", "Released"],
  ] as const)("shows the outcome %s, final %s, as “%s”", (outcome, final, word, inList) => {
    const seen = released({ outcome, final, blockNumber: "77" });
    expect(status.headlineOf(seen).word).toBe(word);
    expect(status.statusOf(seen).word).toBe(inList);
  });
  test("names the block, and whether it is final", () => {
    const { detail } = status.headlineOf(released({ outcome: "used", final: true, blockNumber: "77" }));
    expect(detail).toBe("Seen in block 77, which is final. It can’t be used again.");
    expect(status.headlineOf(released({ outcome: "used", blockNumber: "77" })).detail).toBe(
      "Seen in block 77, which can still be replaced.",
    );
  });
});
