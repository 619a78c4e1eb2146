import { expect, test } from "vitest";
import type { FlowSteps } from "../../platform/flows/index.ts";
import { aTransaction, now } from "../../../test/transactions/in-memory.ts";
import type { Transaction } from "../transaction.ts";
import { makeSnapshotProposal } from "./snapshot-proposal.ts";

/** Runs it as a flow would. `takenIn`: the round in which the snapshot succeeds. */
async function run(found: Transaction | undefined, takenIn: number) {
  let snapshots = 0;
  const steps: string[] = [];
  const waits: (readonly [string, number])[] = [];
  const snapshotProposal = makeSnapshotProposal({
    store: { find: async () => found },
    takeSnapshot: async (of) => {
      expect(of).toBe(found);
      return ++snapshots === takenIn;
    },
    clock: { now: () => now },
  });
  const flow = {
    step: (name: string, work: () => Promise<unknown>) => {
      steps.push(name);
      return work();
    },
    waitFor: async (name: string, isThere: () => Promise<unknown>, until: Date) => {
      waits.push([name, until.getTime() - now.getTime()]);
      return isThere();
    },
  } as unknown as FlowSteps;
  return { form: await snapshotProposal(aTransaction().requestHash, flow), snapshots, steps, waits };
}

test("takes the snapshot at once if the node answers", async () => {
  expect(await run(aTransaction({ form: "unsealed" }), 1)).toEqual({
    ...{ form: "unsealed", snapshots: 1, steps: ["look 1"], waits: [] },
  });
});

test("asks again two seconds later, until the node answers", async () => {
  expect(await run(aTransaction(), 3)).toEqual({
    ...{
      form: "standard",
      snapshots: 3,
      steps: ["look 1", "look 2", "look 3"],
    },
    waits: [
      ["between looks 1", 2000],
      ["between looks 2", 2000],
    ],
  });
});

test("continues without a snapshot after five attempts", async () => {
  const { form, snapshots, waits } = await run(aTransaction(), 99);
  expect({ form, snapshots, waits: waits.length }).toEqual({ form: "standard", snapshots: 5, waits: 4 });
});

test.each([
  ["that does not exist", undefined, "gone"],
  ["that has ended", aTransaction({ after: ["withdraw"], form: "sealed" }), "sealed"],
])("takes no snapshot of a transaction %s", async (_, found, form) => {
  expect(await run(found, 1)).toMatchObject({ form, snapshots: 0, waits: [] });
});
