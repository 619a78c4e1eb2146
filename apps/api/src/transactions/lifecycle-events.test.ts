// Tests which fields each event changes. lifecycle.test.ts checks the invariants across all events.
import { describe, expect, test } from "vitest";
import {
  apply,
  begin,
  isPending,
  isTerminal,
  mayBeSent,
  statusOf,
  statusOfPhase,
  useOf,
  type ExecutionType,
  type Lifecycle,
  type LifecycleEvent,
  type Phase,
} from "./lifecycle.ts";

const policy = { requireUser: false, adminMayApprove: false, external: true };
type Start = { readonly type?: ExecutionType; readonly policy?: Partial<Lifecycle["policy"]> };

const after = ({ type = 1, policy: more }: Start, ...events: readonly LifecycleEvent[]): Lifecycle =>
  events.reduce(apply, begin(type, { ...policy, ...more }));
const ours: Start = { policy: { external: false } };
const approved = ["pin", "register", "verdictApproved", "userApproves"] as const;
const released = [...approved, "release"] as const;
const executing = [...approved, "startExecution"] as const;
const broadcast = [...executing, "broadcast"] as const;

/** Returns the fields that differ between two states. */
const changes = (before: Lifecycle, now: Lifecycle): Partial<Lifecycle> =>
  Object.fromEntries(
    Object.entries(now).filter(([name, value]) => value !== before[name as keyof Lifecycle]),
  );

test("a transaction starts undecided", () => {
  expect(begin(2, policy)).toEqual({
    ...{ executionType: 2, policy, phase: "RECEIVED", orion: null, user: null, admin: null, agent: null },
    granted: false,
    ...{ verdictFresh: true, nonceHeld: false, onchain: null, final: false, reason: null, late: false },
    ...{ alert: null, execs: 0 },
  });
});

describe("the phase", () => {
  const phases = Object.keys(statusOfPhase) as Phase[];
  const where = (is: (state: { phase: Phase }) => boolean) => phases.filter((phase) => is({ phase }));

  test("has a status", () => {
    expect(statusOfPhase).toEqual({
      ...{ RECEIVED: "PENDING", PINNED: "PENDING", REGISTERED: "PENDING", AWAITING: "PENDING" },
      ...{ READY: "APPROVED", EXECUTING: "APPROVED", BROADCAST: "APPROVED", CONFIRMING: "APPROVED" },
      ...{ LAPSED: "APPROVED", REJECTED: "REJECTED", EXECUTED: "EXECUTED", SETTLED: "EXECUTED" },
      FAILED: "FAILED",
    });
    for (const phase of phases) expect(statusOf({ phase })).toBe(statusOfPhase[phase]);
  });
  test("is pending until it is decided", () => {
    expect(where((state) => isPending({ ...begin(1, policy), ...state }))).toEqual([
      ...["RECEIVED", "PINNED", "REGISTERED", "AWAITING"],
    ]);
  });
  test("is terminal once no decision is possible", () => {
    expect(where(isTerminal)).toEqual(["LAPSED", "REJECTED", "EXECUTED", "SETTLED", "FAILED"]);
  });
  test("allows sending from approval to the first block", () => {
    expect(where(mayBeSent)).toEqual(["READY", "EXECUTING", "BROADCAST"]);
  });
});

type Step = readonly [Start, readonly LifecycleEvent[], LifecycleEvent, Partial<Lifecycle>];

const registered = ["pin", "register"] as const;
const deciding: readonly Step[] = [
  [{}, [], "pin", { phase: "PINNED" }],
  [{}, ["pin"], "register", { phase: "REGISTERED" }],
  [{}, registered, "verdictApproved", { phase: "AWAITING", orion: "APPROVED" }],
  [{}, registered, "verdictUndecided", { phase: "AWAITING", orion: "UNDECIDED" }],
  [{}, registered, "verdictRejected", { phase: "REJECTED", orion: "REJECTED", reason: "ORION" }],
  [{ type: 2 }, registered, "verdictApproved", { phase: "AWAITING", orion: "APPROVED" }],
  [{ type: 2 }, [...registered, "verdictApproved"], "grant", { phase: "READY", granted: true }],
  [{ type: 2 }, [...registered, "verdictApproved"], "userApproves", { phase: "READY", user: "APPROVED" }],
  [
    { type: 2 },
    [...registered, "seeSuccess", "verdictApproved"],
    "grant",
    { phase: "CONFIRMING", granted: true },
  ],
  [{ type: 2 }, registered, "verdictUndecided", { phase: "AWAITING", orion: "UNDECIDED" }],
  [
    { type: 2, policy: { requireUser: true } },
    registered,
    "verdictApproved",
    { phase: "AWAITING", orion: "APPROVED" },
  ],
  [{ type: 0 }, [], "verdictApproved", { phase: "READY", orion: "APPROVED" }],
  [{ type: 0, policy: { requireUser: true } }, [], "verdictApproved", { phase: "READY", orion: "APPROVED" }],
  [{ type: 0 }, [], "verdictRejected", { phase: "REJECTED", orion: "REJECTED", reason: "ORION" }],
  [{}, [], "verdictRejected", { orion: "REJECTED" }],
  [{}, ["verdictRejected", "pin"], "register", { phase: "REJECTED", reason: "ORION" }],
  [{}, ["userApproves"], "verdictUndecided", { orion: "UNDECIDED", user: null }],
  [{}, ["userApproves", ...registered], "verdictApproved", { phase: "READY", orion: "APPROVED" }],
  [{}, [], "userApproves", { user: "APPROVED" }],
  [{}, [...registered, "verdictApproved"], "userApproves", { phase: "READY", user: "APPROVED" }],
  [{}, ["verdictApproved"], "userApproves", { user: "APPROVED" }],
  [{}, [], "userRejects", { phase: "REJECTED", user: "REJECTED", reason: "USER" }],
  [{}, approved, "userRejects", { phase: "REJECTED", user: "REJECTED", reason: "USER" }],
  [{ type: 0 }, [], "adminApproves", { admin: "APPROVED" }],
  [
    { type: 0, policy: { adminMayApprove: true } },
    [],
    "adminApproves",
    { phase: "READY", admin: "APPROVED" },
  ],
  [{ type: 0, policy: { adminMayApprove: true } }, [], "userApproves", { user: "APPROVED" }],
  [{ type: 1, policy: { adminMayApprove: true } }, registered, "adminApproves", { admin: "APPROVED" }],
  [
    { type: 0, policy: { adminMayApprove: true } },
    ["verdictUndecided"],
    "adminApproves",
    { admin: "APPROVED" },
  ],
  [{}, approved, "adminRejects", { phase: "REJECTED", admin: "REJECTED", reason: "ADMIN" }],
  [{}, [], "agentApproves", { agent: "APPROVED" }],
  [{}, approved, "agentRejects", { phase: "REJECTED", agent: "REJECTED", reason: "AGENT" }],
  [{}, registered, "supersede", { phase: "REJECTED", reason: "SUPERSEDED" }],
  [{}, registered, "withdraw", { phase: "REJECTED", reason: "WITHDRAWN" }],
  [{}, registered, "expirePending", { phase: "REJECTED", reason: "EXPIRED" }],
  [{}, approved, "verdictGoesStale", { verdictFresh: false }],
  [{}, approved, "expireReady", { phase: "FAILED", reason: "EXPIRED" }],
  [{}, approved, "lapse", { phase: "LAPSED", reason: "UNWATCHED" }],
  [{ type: 2 }, [...registered, "verdictApproved"], "policyDenies", { phase: "REJECTED", reason: "POLICY" }],
  [{ type: 2 }, [...registered, "verdictApproved", "grant"], "reopen", { phase: "AWAITING", granted: false }],
];

const sending: readonly Step[] = [
  [{}, approved, "handOver", { policy: { ...policy, external: false } }],
  [ours, approved, "startExecution", { phase: "EXECUTING", nonceHeld: true }],
  [ours, executing, "failPreflight", { phase: "FAILED", nonceHeld: false, final: true, reason: "PREFLIGHT" }],
  [ours, executing, "broadcast", { phase: "BROADCAST", execs: 1 }],
  [ours, broadcast, "custodyFails", { phase: "FAILED", nonceHeld: false, reason: "CUSTODY" }],
  [ours, broadcast, "loseNonce", { phase: "FAILED", nonceHeld: false, final: true, reason: "REPLACED" }],
];

const without = "EXECUTED_WITHOUT_APPROVAL" as const;
const onChain: readonly Step[] = [
  [ours, broadcast, "seeSuccess", { phase: "CONFIRMING", onchain: "success" }],
  [{}, approved, "seeSuccess", { phase: "CONFIRMING", onchain: "success" }],
  [{}, registered, "seeSuccess", { onchain: "success", alert: without }],
  [{}, ["userRejects"], "seeSuccess", { onchain: "success", alert: without }],
  [
    {},
    [...registered, "seeSuccess", "userApproves"],
    "verdictApproved",
    { phase: "CONFIRMING", orion: "APPROVED" },
  ],
  [ours, broadcast, "seeRevert", { phase: "CONFIRMING", onchain: "revert" }],
  [{}, approved, "seeRevert", { phase: "CONFIRMING", onchain: "revert" }],
  [ours, broadcast, "seeMismatch", { phase: "CONFIRMING", onchain: "mismatch", alert: "MISMATCH" }],
  [{}, approved, "noticeMismatch", { alert: "MISMATCH" }],
  [ours, broadcast, "noticeMismatch", { alert: "MISMATCH" }],
  [{}, [...approved, "seeSuccess"], "noticeRepetition", { alert: "EXECUTED_TWICE" }],
  [{}, [...approved, "seeSuccess"], "reorganise", { phase: "READY", onchain: null }],
  [ours, [...broadcast, "seeSuccess"], "reorganise", { phase: "BROADCAST", onchain: null }],
  [ours, [...broadcast, "seeSuccess"], "finalize", { phase: "EXECUTED", final: true, nonceHeld: false }],
  [{}, [...approved, "seeRevert"], "finalize", { phase: "FAILED", final: true, reason: "REVERTED" }],
  [
    ours,
    [...broadcast, "seeMismatch"],
    "finalize",
    { phase: "FAILED", final: true, nonceHeld: false, reason: "MISMATCH" },
  ],
  ...([["expireReady"], ["lapse"]] as const).map(([end]): Step => [
    {},
    [...approved, end],
    "seeLateSuccess",
    { phase: "EXECUTED", final: true, onchain: "success", late: true },
  ]),
  [
    ours,
    [...broadcast, "custodyFails"],
    "seeLateSuccess",
    { phase: "EXECUTED", final: true, onchain: "success", late: true },
  ],
  [{}, [...approved, "seeSuccess", "finalize"], "settleExecution", { phase: "SETTLED" }],
];

const afterRelease: readonly Step[] = [
  [{}, approved, "release", { phase: "EXECUTED", onchain: "released", final: true }],
  [{}, released, "seeUse", { onchain: "useSeen" }],
  [{}, [...released, "seeUse"], "loseUse", { onchain: "released" }],
  [{}, [...released, "seeUse"], "confirmUse", { onchain: "used" }],
  [{}, released, "endUnused", { onchain: "unused" }],
  // A settlement that was reported changes nothing about it.
  [{}, [...released, "settleExecution"], "seeUse", { onchain: "useSeen" }],
];

const named = (steps: readonly Step[]) =>
  steps.map(([start, path, event, expected]) => ({ start, path, event, expected }));

describe.each([
  ["a decision", deciding],
  ["sending", sending],
  ["the chain", onChain],
  ["a released signature", afterRelease],
])("%s changes exactly:", (_, steps) => {
  test.each(named(steps))("$event after $path of $start", ({ start, path, event, expected }) => {
    const before = after(start, ...path);
    expect(changes(before, apply(before, event))).toEqual(expected);
  });
});

const nothing: readonly (readonly [Start, readonly LifecycleEvent[], LifecycleEvent])[] = [
  [{}, ["pin"], "pin"],
  [{}, [], "register"],
  [{}, ["verdictApproved"], "verdictRejected"],
  [{}, ["userApproves"], "userApproves"],
  [{}, [...registered, "verdictApproved"], "grant"],
  [{ type: 2 }, ["verdictApproved"], "grant"],
  [{ type: 2 }, [...registered, "verdictUndecided"], "grant"],
  [{ type: 2, policy: { requireUser: true } }, [...registered, "verdictApproved"], "grant"],
  [{ type: 2 }, [...registered, "verdictApproved", "userApproves"], "grant"],
  [{ type: 2 }, [...registered, "verdictApproved", "grant"], "grant"],
  [{}, [...registered, "verdictApproved"], "policyDenies"],
  [{ type: 2 }, [...registered, "verdictApproved", "grant"], "policyDenies"],
  [{}, approved, "reopen"],
  [{ type: 2 }, [...registered, "verdictApproved", "userApproves"], "reopen"],
  [{ type: 2 }, [...registered, "verdictApproved", "grant", "seeSuccess"], "reopen"],
  [{ type: 0 }, ["adminApproves"], "adminApproves"],
  [{}, ["agentApproves"], "agentApproves"],
  [ours, executing, "userRejects"],
  [ours, executing, "adminRejects"],
  [ours, executing, "agentRejects"],
  [{}, approved, "supersede"],
  [{}, approved, "withdraw"],
  [{}, approved, "expirePending"],
  [{}, registered, "verdictGoesStale"],
  [ours, executing, "verdictGoesStale"],
  [{}, [...approved, "verdictGoesStale"], "verdictGoesStale"],
  [{}, registered, "expireReady"],
  [{}, registered, "lapse"],
  [ours, approved, "handOver"],
  [{}, [...approved, "noticeMismatch"], "handOver"],
  [{}, approved, "startExecution"],
  [ours, [...approved, "verdictGoesStale"], "startExecution"],
  [{}, [...approved, "noticeMismatch", "handOver"], "startExecution"],
  [ours, approved, "failPreflight"],
  [ours, broadcast, "broadcast"],
  [ours, executing, "custodyFails"],
  [ours, [...broadcast, "seeSuccess"], "custodyFails"],
  [ours, executing, "seeSuccess"],
  [{}, [...approved, "expireReady"], "seeSuccess"],
  [{}, [...approved, "lapse"], "seeSuccess"],
  [{}, [...approved, "seeRevert"], "seeSuccess"],
  [{}, registered, "seeRevert"],
  [{}, approved, "seeMismatch"],
  [ours, approved, "noticeMismatch"],
  [{}, registered, "noticeMismatch"],
  [{}, [...approved, "seeRevert"], "noticeRepetition"],
  [{}, approved, "reorganise"],
  [{}, approved, "finalize"],
  [ours, [...broadcast, "seeSuccess"], "loseNonce"],
  [ours, [...executing, "failPreflight"], "seeLateSuccess"],
  [{}, [...approved, "seeRevert", "finalize"], "seeLateSuccess"],
  [ours, [...approved, "expireReady"], "seeLateSuccess"],
  [{}, [...approved, "seeSuccess"], "settleExecution"],
  [{}, approved, "seeUse"],
  [{}, [...approved, "seeSuccess", "finalize"], "seeUse"],
  [{}, released, "confirmUse"],
  [{}, released, "loseUse"],
  [{}, [...released, "seeUse"], "endUnused"],
  [{}, [...released, "seeUse", "confirmUse"], "loseUse"],
  [{}, [...released, "endUnused"], "seeUse"],
];

test.each(nothing.map(([start, path, event]) => ({ start, path, event })))(
  "$event changes nothing after $path of $start",
  ({ start, path, event }) => {
    const before = after(start, ...path);
    expect(apply(before, event)).toBe(before);
  },
);

const uses: readonly (readonly [Start, readonly LifecycleEvent[], ReturnType<typeof useOf>])[] = [
  [{}, [], null],
  [{}, [...registered, "verdictApproved"], null],
  [{}, [...registered, "seeSuccess"], null],
  [{}, approved, "held"],
  [ours, executing, "held"],
  [ours, broadcast, "held"],
  [{}, [...approved, "seeSuccess"], "made"],
  [{}, [...approved, "seeSuccess", "reorganise"], "held"],
  [{}, [...approved, "seeSuccess", "finalize"], "made"],
  [{}, [...approved, "seeRevert"], "held"],
  [{}, [...approved, "seeRevert", "finalize"], "released"],
  [{}, [...approved, "userRejects"], "released"],
  [{}, [...approved, "userRejects", "seeSuccess"], "made"],
  [{}, [...approved, "expireReady"], "released"],
  [{}, [...approved, "expireReady", "seeLateSuccess"], "made"],
  [{}, [...approved, "lapse"], "held"],
  [{}, released, "made"],
  [{}, [...released, "seeUse"], "made"],
  [{}, [...released, "seeUse", "confirmUse"], "made"],
  [{}, [...released, "endUnused"], "released"],
  [ours, [...executing, "failPreflight"], "released"],
  [ours, [...broadcast, "custodyFails"], "released"],
];

test.each(uses.map(([start, path, expected]) => ({ start, path, expected })))(
  "a request counts as $expected after $path of $start",
  ({ start, path, expected }) => {
    expect(useOf(after(start, ...path))).toBe(expected);
  },
);
