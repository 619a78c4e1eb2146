import { makeLog } from "@countersign/platform/log";
import { expect, test } from "vitest";
import { policyErrors } from "../errors.ts";
import type { Result } from "./find.ts";
import { makeSearcher } from "./searcher.ts";

type Pool = NonNullable<Parameters<typeof makeSearcher>[0]["pool"]>;
const log = makeLog({ app: "test", level: "silent", to: { write: () => undefined } });
const asked = { account: "0x1", text: "", timeZone: "UTC", invariants: [] };
const done = { kind: "done", result: { results: [] as Result[] }, cpuMs: 1 } as const;
const withPool = (pool: Partial<Pool>) =>
  makeSearcher({
    log,
    pool: { start: async () => null, run: async () => done, close: async () => undefined, ...pool },
  });

test("starts its thread with the first search, once", async () => {
  let starts = 0;
  const searcher = withPool({ start: async () => (starts++, null) });
  expect(starts).toBe(0);
  await Promise.all([searcher.find(asked), searcher.find(asked)]);
  expect(starts).toBe(1);
});

test("tries to start the thread again after a failure", async () => {
  let starts = 0;
  const searcher = withPool({
    start: async () => {
      if (starts++ === 0) throw new Error("no memory");
      return null;
    },
  });
  await expect(searcher.find(asked)).rejects.toThrow("no memory");
  expect(await searcher.find(asked)).toEqual([]);
});

test("refuses with 503 if the thread was ended over its budget", async () => {
  const searcher = withPool({ run: async () => ({ kind: "over_budget", of: "time", cpuMs: 1 }) });
  await expect(searcher.find(asked)).rejects.toMatchObject({ code: policyErrors.searchUnavailable.code });
});

test("names the place of a fault", async () => {
  const faults = [{ message: "unexpected end", help: null, line: 2, column: 7 }];
  const searcher = withPool({ run: async () => ({ ...done, result: { faults, of: "invariants" } }) });
  await expect(searcher.find(asked)).rejects.toThrow("invariants: unexpected end (line 2, column 7)");
});
