// Explores every state that the rules allow, for every execution type and policy, and checks each state and step
// against the invariants. Then breaks the rules one by one, to see that the invariants notice.
import { describe, expect, test } from "vitest";
import {
  apply,
  begin,
  isReleased,
  isTerminal,
  statusOf,
  transitions,
  useOf,
  type ExecutionType,
  type Lifecycle,
  type LifecycleEvent,
  type Status,
} from "./lifecycle.ts";

type Rules = Readonly<
  Record<string, { when: (state: Lifecycle) => boolean; then: (state: Lifecycle) => Lifecycle }>
>;
type Step = { readonly event: string; readonly from: Lifecycle; readonly to: Lifecycle };

const rank: Readonly<Record<Status, number>> = {
  PENDING: 0,
  APPROVED: 1,
  REJECTED: 2,
  EXECUTED: 2,
  FAILED: 2,
};
const isApproved = (state: Lifecycle): boolean => ["APPROVED", "EXECUTED"].includes(statusOf(state));
const roles = ["orion", "user", "admin", "agent"] as const;

/** Invariants of every state. True means broken. */
const brokenStates: Readonly<Record<string, (state: Lifecycle) => boolean>> = {
  "I1 executed without success on the chain or a released signature": (s) =>
    statusOf(s) === "EXECUTED" && s.onchain !== "success" && !isReleased(s),
  "I2 approved against the verdict": (s) => isApproved(s) && s.orion === "REJECTED",
  "I3 approved against a rejection": (s) => isApproved(s) && [s.user, s.admin, s.agent].includes("REJECTED"),
  "I4 type 1 approved without the user": (s) =>
    isApproved(s) && s.executionType === 1 && s.user !== "APPROVED",
  "I5 undecided approved without the user": (s) =>
    isApproved(s) && s.orion === "UNDECIDED" && s.user !== "APPROVED",
  "I6 type 2 approved against its policy": (s) =>
    isApproved(s) && s.executionType === 2 && s.policy.requireUser && s.user !== "APPROVED",
  "I7 approved without a verdict": (s) =>
    isApproved(s) &&
    s.orion === null &&
    !(s.executionType === 0 && s.policy.adminMayApprove && s.admin === "APPROVED"),
  "I8 sent twice": (s) => s.execs > 1,
  "I9 failed although money moved": (s) => s.phase === "FAILED" && s.onchain === "success",
  "I10 sent by us although another's to send": (s) => s.policy.external && s.execs > 0,
  "I11 a nonce held for ever": (s) => isTerminal(s) && s.nonceHeld,
  "I12 final and not at its end": (s) => s.final && !isTerminal(s),
  // Transactions that the owner sends without us are covered by the alert instead.
  "I13 custody moved money after a rejection": (s) =>
    s.execs > 0 && [s.orion, s.user, s.admin, s.agent].includes("REJECTED"),
  "I14 execution began on a stale verdict": (s) => s.phase === "EXECUTING" && !s.verdictFresh,
  "I15 rejected after it was sent": (s) => s.phase === "REJECTED" && s.execs > 0,
  "I17 lapsed, and a claim about the chain": (s) =>
    s.phase === "LAPSED" && (s.onchain !== null || s.final || s.execs > 0 || s.reason !== "UNWATCHED"),
  "I18 type 2 approved without the user or a grant": (s) =>
    isApproved(s) && s.executionType === 2 && !s.granted && s.user !== "APPROVED",
  "I19 granted without an approving verdict": (s) => s.granted && s.orion !== "APPROVED",
  "I20 granted although it is never approved without the user": (s) =>
    s.granted && (s.executionType !== 2 || s.policy.requireUser),
  "I21 a payment that may still be executed does not count": (s) =>
    ["READY", "EXECUTING", "BROADCAST", "CONFIRMING", "LAPSED"].includes(s.phase) &&
    !["held", "made"].includes(useOf(s) ?? ""),
  "I22 an executed payment does not count": (s) =>
    statusOf(s) === "EXECUTED" && s.onchain !== "unused" && useOf(s) !== "made",
  "I23 a payment counts that was not approved or executed": (s) => useOf(s) === "held" && !isApproved(s),
  "I24 a signature released by us, on a stale verdict, with an alert or without an end": (s) =>
    isReleased(s) &&
    (!s.policy.external ||
      !s.verdictFresh ||
      s.alert !== null ||
      s.execs > 0 ||
      s.late ||
      !s.final ||
      statusOf(s) !== "EXECUTED"),
  "I16 a person is asked before there is a verdict": (s) => s.phase === "AWAITING" && s.orion === null,
};

/** Invariants of every step. True means broken. */
const brokenSteps: Readonly<Record<string, (step: Step, rules: Rules) => boolean>> = {
  "T1 the status went backwards": ({ event, from, to }) =>
    rank[statusOf(to)] < rank[statusOf(from)] && event !== "reopen",
  "T2 an end was left": ({ event, from, to }) =>
    isTerminal(from) && statusOf(from) !== statusOf(to) && event !== "seeLateSuccess",
  "T3 a late success after something else than expiry or a refusal to send": ({ event, from }) =>
    event === "seeLateSuccess" && !["EXPIRED", "CUSTODY", "UNWATCHED"].includes(from.reason ?? ""),
  "T4 an event counted twice": ({ event, to }, rules) => {
    const rule = rules[event];
    return rule !== undefined && rule.when(to) && !isSame(rule.then(to), to);
  },
  "T5 a rejection was undone": ({ from, to }) => statusOf(from) === "REJECTED" && statusOf(to) !== "REJECTED",
  "T6 a decision after the end": ({ from, to }) =>
    isTerminal(from) && roles.some((role) => from[role] !== to[role]),
  "T7 a decision was overwritten": ({ event, from, to }) =>
    roles.some(
      (role) =>
        from[role] !== null &&
        from[role] !== to[role] &&
        to[role] !== "REJECTED" &&
        !(role === "user" && event === "verdictUndecided"),
    ) ||
    (from.orion !== null && from.orion !== to.orion),
  "T8 the graver alert gave way to another": ({ from, to }) =>
    from.alert === "EXECUTED_WITHOUT_APPROVAL" && to.alert !== from.alert,
  "T9 who sends it changed although it was not waiting to be sent": ({ from, to }) =>
    from.policy.external !== to.policy.external && from.phase !== "READY",
  "T10 an approval given before the verdict counted for UNDECIDED": ({ from, to }) =>
    from.orion === null && to.orion === "UNDECIDED" && to.user !== null,
  "T11 a grant after the owner or the service had decided": ({ from, to }) =>
    !from.granted && to.granted && (from.phase !== "AWAITING" || from.user !== null),
  "T12 a grant was taken back after it was sent": ({ from, to }) =>
    from.granted && !to.granted && (from.phase !== "READY" || from.onchain !== null),
  "T15 the policy denied what the owner had decided": ({ event, from, to }) =>
    event === "policyDenies" &&
    (from.user !== null || from.orion !== "APPROVED" || from.phase !== "AWAITING" || to.phase !== "REJECTED"),
  "T14 a decision of the owner was opened again": ({ event, from }) =>
    event === "reopen" && (!from.granted || from.user !== null),
  "T16 a signature was released that was not waiting for it": ({ event, from }) =>
    event === "release" && (from.phase !== "READY" || from.onchain !== null),
  "T17 the use of something that was not released": ({ event, from }) =>
    ["seeUse", "loseUse", "confirmUse", "endUnused"].includes(event) && !isReleased(from),
  "T18 a final use was undone, or one that was seen counted as none": ({ from, to }) =>
    from.onchain !== to.onchain &&
    (from.onchain === "used" ||
      from.onchain === "unused" ||
      (from.onchain === "useSeen" && to.onchain === "unused")),
  "T13 a use counts again without an execution": ({ from, to }) =>
    useOf(from) === "released" && !["released", "made"].includes(useOf(to) ?? ""),
};

const isSame = (a: Lifecycle, b: Lifecycle): boolean => keyOf(a) === keyOf(b);
const keyOf = (state: Lifecycle): string => JSON.stringify(Object.values(state));

const beginnings: readonly Lifecycle[] = ([0, 1, 2] as const satisfies readonly ExecutionType[]).flatMap(
  (executionType) =>
    [false, true].flatMap((requireUser) =>
      [false, true].flatMap((adminMayApprove) =>
        (executionType === 2 ? [false, true] : [true]).map((external) =>
          begin(executionType, { requireUser, adminMayApprove, external }),
        ),
      ),
    ),
);

type Walk = {
  readonly states: number;
  readonly steps: number;
  readonly broken: readonly string[];
  readonly happened: ReadonlySet<string>;
};

function breaches(step: Step, rules: Rules): readonly string[] {
  return [
    ...Object.entries(brokenSteps).filter(([, isBroken]) => isBroken(step, rules)),
    ...Object.entries(brokenStates).filter(([, isBroken]) => isBroken(step.to)),
  ].map(([name]) => `${name}: ${step.event} → ${JSON.stringify(step.to)}`);
}

const stepsFrom = (from: Lifecycle, rules: Rules): readonly Step[] =>
  Object.entries(rules)
    .filter(([, { when }]) => when(from))
    .map(([event, { then }]) => ({ event, from, to: then(from) }));

/** Explores every state reachable from one start, and collects the violations. */
function walkFrom(beginning: Lifecycle, rules: Rules, stopAtFirst: boolean): Walk {
  const broken: string[] = [];
  const happened = new Set<string>();
  const cameFrom = new Map<string, string[]>([[keyOf(beginning), []]]);
  const ends: string[] = [];
  const open = [beginning];
  let steps = 0;
  for (let state = open.pop(); state !== undefined; state = open.pop()) {
    if (["REJECTED", "FAILED", "LAPSED", "SETTLED"].includes(state.phase)) ends.push(keyOf(state));
    for (const step of stepsFrom(state, rules)) {
      steps++;
      happened.add(step.event);
      broken.push(...breaches(step, rules));
      const before = cameFrom.get(keyOf(step.to));
      if (before === undefined) open.push(step.to);
      cameFrom.set(keyOf(step.to), [...(before ?? []), keyOf(state)]);
    }
    if (stopAtFirst && broken.length > 0) break;
  }
  if (broken.length === 0) broken.push(...strandedAmong(cameFrom, ends));
  return { states: cameFrom.size, steps, broken, happened };
}

function walk(rules: Rules, { stopAtFirst = false } = {}): Walk {
  let [states, steps] = [0, 0];
  const broken: string[] = [];
  const happened = new Set<string>();
  for (const beginning of beginnings) {
    const found = walkFrom(beginning, rules, stopAtFirst);
    states += found.states;
    steps += found.steps;
    broken.push(...found.broken);
    found.happened.forEach((event) => happened.add(event));
    if (stopAtFirst && broken.length > 0) break;
  }
  return { states, steps, broken, happened };
}

/** States from which no end can be reached. */
function strandedAmong(
  cameFrom: ReadonlyMap<string, readonly string[]>,
  ends: readonly string[],
): readonly string[] {
  const canEnd = new Set(ends);
  const open = [...ends];
  for (let key = open.pop(); key !== undefined; key = open.pop())
    for (const before of cameFrom.get(key) ?? [])
      if (!canEnd.has(before)) {
        canEnd.add(before);
        open.push(before);
      }
  return [...cameFrom.keys()].filter((key) => !canEnd.has(key)).map((key) => `L1 no end from here: ${key}`);
}

const events = Object.keys(transitions) as LifecycleEvent[];

test("every reachable state keeps the invariants and can reach an end", () => {
  const { states, steps, broken, happened } = walk(transitions);
  expect(broken).toEqual([]);
  expect([...happened].sort()).toEqual([...events].sort());
  // Makes any change of the rules that adds or removes states visible.
  expect({ states, steps }).toMatchInlineSnapshot(`
    {
      "states": 39760,
      "steps": 81952,
    }
  `);
});

describe("the invariants detect broken rules", () => {
  // An event without its guard must break an invariant, unless the guard is harmless to omit.
  test.each(events)("%s without its guard is detected", (event) => {
    const mutant = { ...transitions, [event]: { ...transitions[event], when: () => true } };
    expect(walk(mutant, { stopAtFirst: true }).broken).not.toEqual([]);
  });
});

test("an event that is not allowed now returns the same state object", () => {
  const state = begin(1, { requireUser: false, adminMayApprove: false, external: true });
  expect(apply(state, "finalize")).toBe(state);
});

test("a verdict that comes before the registration takes effect with it", () => {
  const early = apply(
    begin(2, { requireUser: false, adminMayApprove: false, external: true }),
    "verdictApproved",
  );
  expect(early).toMatchObject({ phase: "RECEIVED", orion: "APPROVED" });
  const registered = apply(apply(early, "pin"), "register");
  expect(registered.phase).toBe("AWAITING");
  expect(apply(registered, "grant").phase).toBe("READY");
});
