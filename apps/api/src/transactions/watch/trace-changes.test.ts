import { afterAll, beforeAll, expect, test } from "vitest";
import { recordHere } from "../../../../../tools/stand-ins/collector/record-here.ts";
import { startCollector, type Collector } from "../../../../../tools/stand-ins/collector/stand-in.ts";
import { aTransaction } from "../../../test/transactions/in-memory.ts";
import type { Transition } from "../transition.ts";
import { traceChanges } from "./trace-changes.ts";

const traceparent = `00-${"a".repeat(32)}-${"b".repeat(16)}-01`;
const before = aTransaction({ after: ["pin", "register"] });
const after = aTransaction({ after: ["pin", "register", "verdictApproved"] });

let collector: Collector;
beforeAll(async () => {
  collector = await startCollector();
});
afterAll(() => collector.close());

const change = (
  changed: Awaited<ReturnType<Transition["change"]>>,
  readTrace: () => Promise<string | undefined> = async () => traceparent,
) => traceChanges({ change: async () => changed }, readTrace).change({ id: before.id }, () => undefined);

test("records a span of the transaction's trace for each change", async () => {
  const changed = { before, after, approval: undefined, wake: undefined };
  let reads = 0;
  const readTrace = async () => {
    reads += 1;
    return traceparent;
  };
  expect(await change(changed, readTrace)).toBe(changed);
  expect(reads).toBe(0);
  const recording = await recordHere(collector, "test");
  expect(await change(changed, readTrace)).toBe(changed);
  expect(await change(undefined, readTrace)).toBeUndefined();
  await change({ before, after: before, approval: undefined, wake: undefined }, readTrace);
  // The change counts, although its trace cannot be read.
  expect(await change(changed, () => Promise.reject(new Error("database away")))).toBe(changed);
  await recording.close();
  expect(reads).toBe(1);
  expect(collector.spans().map(({ name, parentId }) => [name, parentId])).toEqual([
    [`watch: ${after.phase}`, "b".repeat(16)],
  ]);
});
