// One transaction without a database, changed by the real lifecycle. For unit tests of the rules around it.
import { hashData } from "@countersign/wire";
import { makeTransition, type Transition } from "../../src/transactions/transition.ts";
import {
  apply,
  begin,
  type Lifecycle,
  type LifecycleEvent,
  type Policy,
} from "../../src/transactions/lifecycle.ts";
import type { Change, Changed, Key, Rule } from "../../src/transactions/store/index.ts";
import type { Approval, Hex, Transaction } from "../../src/transactions/transaction.ts";

export const now = new Date("2026-03-01T12:00:00.000Z");
const later = new Date(now.getTime() + 3_600_000);
const account: Hex = `0x${"a1".repeat(20)}`;
const policy: Policy = { requireUser: false, adminMayApprove: false, external: true };
const tx = { to: `0x${"11".repeat(20)}`, value: 1_000_000n, data: "0xabcd" } as const;

type Changes = Partial<Transaction> & {
  /** The events that have happened so far. */
  readonly after?: readonly LifecycleEvent[];
};

/** Returns a transaction as the store would. A test changes only what it is about. */
export function aTransaction({ after = [], ...changes }: Changes = {}): Transaction {
  const start: Lifecycle = begin(changes.executionType ?? 1, { ...policy, ...changes.policy });
  return {
    ...after.reduce(apply, start),
    ...{ id: "transaction-1", account, escrow: account, requestHash: `0x${"ab".repeat(32)}` as const },
    ...{ chainId: 11_155_111, isWatched: true, form: "standard" as const, proposer: `jwt:${account}` },
    ...{ description: "Send 1 USDC to Ann.", tx, intentProvenance: "agent-claimed" as const },
    ...{ shape: null, payload: null, signingHash: null },
    expected: { to: tx.to, value: tx.value, dataHash: hashData(tx.data) },
    ...{ deadline: later, salt: `0x${"5a".repeat(32)}` as const, serviceId: null, contentDigest: null },
    ...{ version: 1, expiresAt: later, isOverdue: false, supersedes: null, execution: null },
    ...{ useKind: null, use: null },
    ...{
      reasonDetail: null,
      needsOwner: null,
      mandateId: null,
      policyDecision: null,
      protocol: null,
      failureNode: null,
      verdictAt: null,
      remindedAt: null,
    },
    ...{ createdAt: now, updatedAt: now },
    ...changes,
  };
}

export type Memory = {
  readonly transition: Transition;
  readonly current: () => Transaction;
  readonly approvals: Approval[];
  /** Every change that a rule returned, oldest first. */
  readonly changes: Change[];
  /** How often waiting readers were notified of a change. */
  readonly pokes: () => number;
};

/** A store of one transaction. */
export function aMemory(transaction: Transaction, approvals: Approval[] = []): Memory {
  let current = transaction;
  let pokes = 0;
  const changes: Change[] = [];
  const change = async (key: Key, rule: Rule): Promise<Changed | undefined> => {
    const before = current;
    const isNamed = "id" in key ? key.id === before.id : key.requestHash === before.requestHash;
    if (!isNamed) return undefined;
    const wanted = rule(before, approvals);
    if (wanted === undefined) return { before, after: before, approval: undefined, wake: undefined };
    changes.push(wanted);
    const { execution = before.execution } = wanted.facts ?? {};
    const state = (wanted.events ?? []).reduce<Lifecycle>(apply, before);
    if (state !== before || wanted.facts !== undefined) current = { ...before, ...state, execution };
    const approval = wanted.approval && { ...wanted.approval, transactionId: before.id, createdAt: now };
    if (approval !== undefined) approvals.push(approval);
    return { before, after: current, approval, wake: undefined };
  };
  const transition = makeTransition({
    store: { change },
    flows: { start: async () => undefined, wake: async () => undefined },
    poke: () => pokes++,
  });
  return { transition, current: () => current, approvals, changes, pokes: () => pokes };
}
