import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sizeOf } from "@countersign/tools/testing";
import { apply, begin, isPending, statusOf, type Lifecycle, type LifecycleEvent } from "../lifecycle.ts";
import {
  aDecideApi,
  aPerson,
  aServerKey,
  aTransaction,
  post,
  type DecideApi,
  type Person,
} from "../../../test/transactions/decide-api.ts";
import type { Approval, Hex, Transaction } from "../transaction.ts";

let api: DecideApi;
let owner: Person;
type Headers = Record<string, string>;
let credentials: Record<string, Headers>;

beforeAll(async () => {
  api = await aDecideApi(1_000_000);
  owner = await aPerson(api);
  credentials = {
    owner: owner.jwt,
    agent: owner.agent.headers,
    arbiter: (await owner.key("arbiter")).headers,
    admin: (await aServerKey(api, "admin")).headers,
    administrator: (await aServerKey(api, "admin")).headers,
    orion: (await aServerKey(api, "orion")).headers,
    arion: (await aServerKey(api, "orion")).headers,
  };
});
afterAll(() => api.close());

const members = Object.keys(begin(1, { requireUser: false, adminMayApprove: false, external: true }));
const stateOf = (transaction: Transaction): Record<string, unknown> =>
  Object.fromEntries(Object.entries(transaction).filter(([name]) => members.includes(name)));

type Recorded = {
  readonly transaction: Transaction;
  readonly approvals: readonly Approval[];
  readonly versions: readonly number[];
};
async function readRecord(requestHash: Hex): Promise<Recorded> {
  const found = await api.store.findDecided(requestHash);
  if (found === undefined) throw new Error("gone");
  const { rows } = await api.client.query<{ version: number }>(
    "select version from account_events where transaction_id = $1 order by version",
    [found.transaction.id],
  );
  return { ...found, versions: rows.map(({ version }) => version) };
}

/** Checks that the stored rows are consistent with each other. */
function checkRecord({ transaction, approvals, versions }: Recorded): void {
  expect(versions).toEqual(Array.from({ length: transaction.version }, (_, index) => index + 1));
  const said = (kind: Approval["kind"], type?: Approval["type"]) =>
    approvals
      .filter((one) => one.kind === kind && (type === undefined || one.type === type))
      .map(({ decision }) => decision);
  const strongest = (decisions: readonly string[]) =>
    decisions.includes("REJECTED") ? "REJECTED" : (decisions[0] ?? null);
  expect(said("orion").length).toBeLessThanOrEqual(1);
  expect(transaction.orion).toBe(said("orion")[0] ?? transaction.orion);
  const counting = approvals.filter(
    ({ kind, verdictSeen }) =>
      kind === "user" && !(transaction.orion === "UNDECIDED" && verdictSeen === null),
  );
  expect(transaction.user).toBe(strongest(counting.map(({ decision }) => decision)));
  expect(transaction.admin).toBe(strongest(said("key", "admin")));
  expect(transaction.agent).toBe(strongest(said("key", "user")));
  if (["APPROVED", "EXECUTED"].includes(statusOf(transaction)))
    expect(approvals.map(({ decision }) => decision)).not.toContain("REJECTED");
}

const kinds: Readonly<Record<string, string>> = {
  owner: "user",
  agent: "agent",
  arbiter: "agent",
  admin: "admin",
  administrator: "admin",
  orion: "verdict",
  arion: "verdict",
};
const verbs: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  verdict: { APPROVED: "Approved", REJECTED: "Rejected", UNDECIDED: "Undecided" },
};
const plainVerbs: Readonly<Record<string, string>> = { APPROVED: "Approves", REJECTED: "Rejects" };

const kindOf = (who: string): string => kinds[who] ?? "nobody";

/** Predicts the answer and the next state from the pure rules alone. */
function predict(state: Lifecycle, said: Map<string, string>, who: string, decision: string) {
  const kind = kindOf(who);
  const verb = (verbs[kind] ?? plainVerbs)[decision];
  const principal = kind === "verdict" ? "orion" : who;
  const before = said.get(principal);
  if (verb === undefined) return { status: 400, state };
  if (before === decision) return { status: 201, state };
  const isTakenBack = who === "owner" && decision === "REJECTED";
  if (before !== undefined && !isTakenBack) return { status: 400, state };
  const event = `${kind}${verb}` as LifecycleEvent;
  const next = apply(state, event);
  const isNoted = isPending(state) && ["agentApproves", "adminApproves"].includes(event);
  if (next === state && !isNoted) return { status: 400, state };
  said.set(principal, decision);
  // UNDECIDED clears an earlier approval of the owner.
  if (next.user === null) said.delete("owner");
  return { status: 201, state: next };
}

const command = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      who: fc.constantFrom(...Object.keys(kinds)),
      decision: fc.constantFrom("APPROVED", "APPROVED", "REJECTED", "UNDECIDED"),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      event: fc.constantFrom<LifecycleEvent[]>(
        "pin",
        "register",
        "withdraw",
        "seeSuccess",
        "seeRevert",
        "reorganise",
        "finalize",
        "seeLateSuccess",
        "settleExecution",
      ),
    }),
  },
);

test("random decisions of random callers do exactly what the pure rules allow", async () => {
  const sequences = fc.record({
    executionType: fc.constantFrom<(0 | 1 | 2)[]>(0, 1, 2),
    adminMayApprove: fc.boolean(),
    requireUser: fc.boolean(),
    commands: fc.array(command, { minLength: 1, maxLength: 14 }),
  });
  await fc.assert(
    fc.asyncProperty(sequences, async ({ executionType, adminMayApprove, requireUser, commands }) => {
      let state = begin(executionType, { requireUser, adminMayApprove, external: true });
      const made = await aTransaction(api, owner, { executionType, lifecycle: state });
      const said = new Map<string, string>();
      for (const one of commands) {
        if ("event" in one) {
          state = apply(state, one.event);
          await api.store.change({ id: made.id }, () => ({ events: [one.event] }));
        } else {
          const predicted = predict(state, said, one.who, one.decision);
          const answer = await post(api, made, credentials[one.who] ?? {}, { decision: one.decision });
          expect(answer.statusCode).toBe(predicted.status);
          ({ state } = predicted);
        }
        const record = await readRecord(made.requestHash);
        expect(stateOf(record.transaction)).toEqual(state);
        checkRecord(record);
      }
    }),
    { numRuns: sizeOf({ part: 12, all: 40 }) },
  );
}, 60_000);

test("timestamps of changes increase, whichever began first", async () => {
  const { id, requestHash } = await aTransaction(api, owner);
  const { rows } = await api.client.query<{ updated_at: Date }>(
    "update transactions set updated_at = now() + interval '1 hour' where id = $1 returning updated_at",
    [id],
  );
  await post(api, { requestHash }, owner.jwt);
  const changed = await api.store.find(requestHash);
  expect(changed?.updatedAt.getTime()).toBeGreaterThan(rows[0]?.updated_at.getTime() ?? Infinity);
});
