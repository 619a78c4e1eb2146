import { describe, expect, test } from "vitest";
import { makeApprovalStatus, type StatusRequest } from "./approval-status.ts";
import type { DecisionState } from "../store/index.ts";
import type { Hex } from "../transaction.ts";

const account = `0x${"aa".repeat(20)}` as const;
const caller = { scheme: "jwt", subject: account, scopes: [], account, userId: "u", sessionId: "s" } as const;
const stranger = { ...caller, account: `0x${"bb".repeat(20)}` } as const;
const requestHash: Hex = `0x${"11".repeat(32)}`;

const stateAt = (version: number): DecisionState => ({
  account,
  isWatched: true,
  shape: null,
  useKind: null,
  onchain: null,
  version,
  phase: "REGISTERED",
  orion: null,
  user: null,
  needsOwner: null,
  mandateId: null,
  policyDecision: null,
  verdictAt: null,
  createdAt: new Date(0),
  userId: "u",
  approvals: [],
});

/** A store whose answers come when the test says so. */
function aSlowRecord() {
  const stopping = new AbortController();
  const asked: ((state: DecisionState) => void)[] = [];
  const status = makeApprovalStatus({
    store: { readDecisionState: () => new Promise((resolve) => asked.push(resolve)) },
    waitForChange: async ({ read }) => {
      await read();
    },
    clock: { now: () => new Date() },
    stopping: stopping.signal,
  });
  const read = (changes: Partial<StatusRequest> = {}) =>
    status.read({ requestHash, view: "records", caller, knows: undefined, waitSeconds: 0, ...changes });
  const stop = (): void => {
    stopping.abort();
  };
  return { status, read, asked, stop, answer: (version: number) => asked.at(-1)?.(stateAt(version)) };
}

describe("the status of a transaction", () => {
  test("is queried once for all concurrent requests, and cached", async () => {
    const { read, asked, answer } = aSlowRecord();
    const readers = Array.from({ length: 50 }, () => read());
    const refused = expect(read({ caller: stranger })).rejects.toMatchObject({ status: 404 });
    answer(1);
    expect(new Set((await Promise.all(readers)).map(({ etag }) => etag))).toEqual(new Set(['"records-1"']));
    await refused;
    await read();
    expect((await read({ view: "flags" })).etag).toBe('"flags-1"');
    await expect(read({ caller: stranger })).rejects.toMatchObject({ status: 404 });
    expect(asked).toHaveLength(1);
  });

  test("is dropped when it changes, also while a query is in progress", async () => {
    const { status, read, asked } = aSlowRecord();
    const early = read();
    status.drop(requestHash);
    const late = read();
    expect(asked).toHaveLength(2);
    asked[1]?.(stateAt(2));
    expect((await late).etag).toBe('"records-2"');
    // The answer to the query from before the change comes last, and is not cached.
    asked[0]?.(stateAt(1));
    await early;
    expect((await read()).etag).toBe('"records-2"');
  });

  test("is queried again for a caller who has seen a later version elsewhere", async () => {
    const { read, asked, answer } = aSlowRecord();
    const first = read();
    answer(1);
    await first;
    const second = read({ knows: '"records-3"' });
    await Promise.resolve();
    expect(asked).toHaveLength(2);
    answer(3);
    expect(await second).toMatchObject({ etag: '"records-3"', isKnown: true });
  });

  test("is queried again after a failure", async () => {
    let count = 0;
    const status = makeApprovalStatus({
      store: {
        readDecisionState: () =>
          count++ === 0 ? Promise.reject(new Error("away")) : Promise.resolve(stateAt(1)),
      },
      waitForChange: async () => undefined,
      clock: { now: () => new Date() },
      stopping: new AbortController().signal,
    });
    const request = { requestHash, view: "records", caller, knows: undefined, waitSeconds: 0 } as const;
    await expect(status.read(request)).rejects.toThrow("away");
    expect((await status.read(request)).etag).toBe('"records-1"');
  });

  test("is answered as it is when the process stops", async () => {
    const { read, answer, stop } = aSlowRecord();
    const waiting = read({ waitSeconds: 25 });
    answer(1);
    stop();
    expect(await waiting).toMatchObject({ etag: '"records-1"', isKnown: false });
  });
});
