import { expect, test } from "vitest";
import { bodyOf } from "./message.ts";

const createdAt = new Date("2026-11-17T12:00:00.000Z");
const event = {
  ...{ account: `0x${"a1".repeat(20)}` as const, requestHash: `0x${"12".repeat(32)}` as const, version: 3 },
  ...{ event: "verdictApproved", status: "PENDING", phase: "AWAITING", reason: null, needsOwner: null },
  ...{ createdAt, agent: "key:1" },
};
const queued = { id: "1", createdAt: new Date("2026-11-17T12:00:05.000Z") };

test("reports the change, when it happened and where to decide", () => {
  const body = bodyOf(
    { ...queued, type: "transaction.needs_decision", event },
    "https://app.example/countersign",
  );
  expect(JSON.parse(body)).toEqual({
    type: "transaction.needs_decision",
    timestamp: "2026-11-17T12:00:00.000Z",
    data: {
      account: event.account,
      requestHash: event.requestHash,
      ...{ version: 3, event: "verdictApproved", status: "PENDING", phase: "AWAITING" },
      ...{ reason: null, needsOwner: null, agent: "key:1" },
      url: `https://app.example/countersign/transactions/${event.requestHash}`,
    },
  });
});

test("a test message has no data", () => {
  expect(JSON.parse(bodyOf({ ...queued, type: "webhook.test", event: null }, "https://app.example"))).toEqual(
    { type: "webhook.test", timestamp: "2026-11-17T12:00:05.000Z", data: {} },
  );
});
