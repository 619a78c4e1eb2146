import { afterAll, beforeAll, expect, test } from "vitest";
import { recordHere } from "../../../../tools/stand-ins/collector/record-here.ts";
import { startCollector, type Collector } from "../../../../tools/stand-ins/collector/stand-in.ts";
import type { Posted } from "../adapters/webhooks/index.ts";
import type { Batch } from "./schedule.ts";
import { sendTraced } from "./send-traced.ts";

const traceparent = `00-${"a".repeat(32)}-${"b".repeat(16)}-01`;
const requestHash = `0x${"c".repeat(64)}`;
const messages = [{ event: { requestHash, account: "0xaccount" } }] as unknown as Batch;
const accepted: Posted = { status: 200, error: null, durationMs: 1 };
const refused: Posted = { status: 500, error: "Answered 500", durationMs: 1 };
const lost: Posted = { status: null, error: "No answer in time", durationMs: 1 };

let collector: Collector;
const asked: string[] = [];
const send = (posted: Posted, readTrace: () => Promise<string | undefined> = async () => traceparent) =>
  sendTraced(messages, {
    kind: "webhook",
    send: async () => posted,
    readTrace: async (hash) => {
      asked.push(hash);
      return readTrace();
    },
  });

beforeAll(async () => {
  collector = await startCollector();
});
afterAll(() => collector.close());

test("reads no trace while no spans are recorded", async () => {
  expect(await send(accepted)).toBe(accepted);
  expect(asked).toEqual([]);
});

test("an attempt is a span of the transaction's trace, with its status", async () => {
  const recording = await recordHere(collector, "test");
  for (const posted of [accepted, refused, lost]) expect(await send(posted)).toBe(posted);
  // Sent although its trace cannot be read.
  expect(await send(accepted, () => Promise.reject(new Error("database away")))).toBe(accepted);
  const test = [{ event: null }] as unknown as Batch;
  const untraced = { kind: "email", send: async () => accepted, readTrace: async () => traceparent } as const;
  expect(await sendTraced(test, untraced)).toBe(accepted);
  await recording.close();
  const about = { "countersign.channel": "webhook", "countersign.request_hash": requestHash };
  expect(
    collector
      .spans()
      .map(({ name, traceId, parentId, attributes }) => ({ name, traceId, parentId, attributes })),
  ).toEqual(
    [
      { "http.response.status_code": 200 },
      { "http.response.status_code": 500, "error.type": "500" },
      { "error.type": "no answer" },
    ].map((outcome) => ({
      name: "notify webhook",
      traceId: "a".repeat(32),
      parentId: "b".repeat(16),
      attributes: { ...about, ...outcome },
    })),
  );
});
