import { expect, test } from "vitest";
import { systemClock } from "@countersign/platform/clock";
import { begin } from "../lifecycle.ts";
import { makeTrace } from "./trace.ts";
import type { Transaction } from "../transaction.ts";

type Parts = Parameters<typeof makeTrace>[0];

const policy = { requireUser: false, adminMayApprove: false, external: true };
const requestHash = `0x${"ab".repeat(32)}` as const;

/** Records and rejects every call to the outside. */
function aTrace(found: Partial<Transaction>) {
  const asked: string[] = [];
  const refuse = (what: string) => async (): Promise<never> => {
    asked.push(what);
    throw new Error(`${what} must not be asked`);
  };
  const parts = {
    store: { find: async () => ({ ...begin(0, policy), requestHash, contentDigest: null, ...found }) },
    findService: refuse("the directory"),
    inbox: { standingOf: refuse("the chain"), plan: refuse("the chain") },
    clock: systemClock,
  } as unknown as Parts;
  return { trace: makeTrace(parts), asked };
}

/** Runs steps directly, without the engine. */
const step = (async (_: string, effect: () => Promise<unknown>) => effect()) as Parameters<
  ReturnType<typeof makeTrace>["restore"]
>[1];

test("a proposal that is not encrypted has no trace to restore, however long its verdict takes", async () => {
  const { trace, asked } = aTrace({ form: "unsealed", serviceId: null });
  await trace.restore(requestHash, step, "now");
  expect(asked).toEqual([]);
});

test("a finished proposal is left unchanged", async () => {
  const { trace, asked } = aTrace({ form: "standard", serviceId: 1, phase: "REJECTED" });
  await trace.restore(requestHash, step, "now");
  expect(asked).toEqual([]);
});
