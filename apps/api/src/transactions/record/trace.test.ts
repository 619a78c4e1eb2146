import { expect, test } from "vitest";
import { systemClock } from "@countersign/platform/clock";
import { begin } from "../lifecycle.ts";
import { makeTrace } from "./trace.ts";
import type { Transaction } from "../transaction.ts";

type Parts = Parameters<typeof makeTrace>[0];

const policy = { requireUser: false, adminMayApprove: false, external: true };
const requestHash = `0x${"ab".repeat(32)}` as const;

/** Everything that is asked of the outside is noted, and refused. */
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

/** As the engine runs it, without one. */
const step = (async (_: string, effect: () => Promise<unknown>) => effect()) as Parameters<
  ReturnType<typeof makeTrace>["mend"]
>[1];

test("a proposal that is not sealed has no trace to mend, however long its verdict takes", async () => {
  const { trace, asked } = aTrace({ form: "unsealed", serviceId: null });
  await trace.mend(requestHash, step, "now");
  expect(asked).toEqual([]);
});

test("a proposal that is over is left as it is", async () => {
  const { trace, asked } = aTrace({ form: "standard", serviceId: 1, phase: "REJECTED" });
  await trace.mend(requestHash, step, "now");
  expect(asked).toEqual([]);
});
