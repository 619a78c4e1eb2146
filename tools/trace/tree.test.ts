import { expect, test } from "vitest";
import type { ReceivedSpan } from "../stand-ins/collector/stand-in.ts";
import { renderTrace, rootsOf } from "./tree.ts";

const span = (
  spanId: string,
  parentId: string | undefined,
  startMs: number,
  changes: Partial<ReceivedSpan> = {},
): ReceivedSpan => ({
  ...{ service: "countersign-api", pid: 1, traceId: "t", spanId, parentId, name: spanId, startMs },
  ...{ durationMs: 10, attributes: {}, links: [], isFailed: false },
  ...changes,
});

const spans = [
  span("last", "root", 1_030, { isFailed: true, attributes: { "error.type": "Unavailable" } }),
  span("below", "first", 1_012, { service: "countersign-orion" }),
  span("root", "of the caller", 1_000, { attributes: { "http.response.status_code": 201 } }),
  span("first", "root", 1_010),
];

test("renders spans below their parents in the order of time, with status and failure", () => {
  expect(renderTrace(spans)).toBe(
    [
      "     +0 ms     10 ms  api       root  201",
      "    +10 ms     10 ms  api       ├─ first",
      "    +12 ms     10 ms  orion     │  └─ below",
      "    +30 ms     10 ms  api       └─ last  failed: Unavailable",
    ].join("\n"),
  );
});

test("returns the spans whose parent is missing", () => {
  expect(rootsOf(spans).map(({ name }) => name)).toEqual(["root"]);
  expect(rootsOf(spans.slice(0, 2)).map(({ name }) => name)).toEqual(["below", "last"]);
});
