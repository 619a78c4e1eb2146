import type { TransactionView } from "@countersign/sdk";
import { describe, expect, test } from "vitest";
import { toAcknowledge } from "./acknowledge.ts";
import { countdown } from "./countdown.ts";
import { eventsOf } from "./history-events.ts";
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
    ...{ shape: "tx" as const, signingHash: null, typedData: null },
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
