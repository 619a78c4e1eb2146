import type { Readable } from "node:stream";
import { makeLog } from "@countersign/platform/log";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { makeLiveStreams } from "./live-streams.ts";
import { makePushed } from "./push.ts";

const account = `0x${"a".repeat(40)}` as const;
const other = `0x${"a".repeat(39)}b` as const;
const everyMs = 2000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function aSet(perAccount = 2) {
  const written: string[] = [];
  const log = makeLog({ app: "test", level: "debug", to: { write: (line) => void written.push(line) } });
  const live = makeLiveStreams({ log, everyMs, perAccount });
  const open = (whose: `0x${string}` = account, stillHolds = async () => true): Promise<Readable> =>
    live.open({ account: whose, stillHolds, open: async () => makePushed().resume() });
  return { live, open, text: () => written.join("") };
}

describe("a stream", () => {
  test("ends in the next round after its credential becomes invalid, and no other stream does", async () => {
    const { live, open } = aSet();
    let holds = true;
    const [stream, beside] = [await open(account, async () => holds), await open()];
    await vi.advanceTimersByTimeAsync(10 * everyMs);
    expect(stream.readableEnded).toBe(false);
    holds = false;
    await vi.advanceTimersByTimeAsync(everyMs);
    expect([stream.readableEnded, beside.readableEnded]).toEqual([true, false]);
    await live.close();
  });

  test("stays open while its credential cannot be checked, and ends after the check fails", async () => {
    const { live, open, text } = aSet();
    const outcomes = [true, "away", "away"] as (boolean | "away")[];
    const stream = await open(account, async () => {
      const outcome = outcomes.shift() ?? false;
      if (outcome === "away") throw new Error("the database is away");
      return outcome;
    });
    await vi.advanceTimersByTimeAsync(2 * everyMs);
    expect(stream.readableEnded).toBe(false);
    expect(text()).toContain("event stream credential not checked");
    await vi.advanceTimersByTimeAsync(everyMs);
    expect(stream.readableEnded).toBe(true);
    await live.close();
  });

  test("is rejected beyond the account's limit, and admitted once another has closed", async () => {
    const { live, open } = aSet(2);
    const [first] = [await open(), await open(), await open(other)];
    await expect(open()).rejects.toMatchObject({ status: 429, headers: { "Retry-After": "30" } });
    first.destroy();
    await vi.advanceTimersByTimeAsync(1);
    await open();
    await expect(open()).rejects.toMatchObject({ status: 429 });
    await live.close();
  });

  test("counts from before it opens, so that concurrent requests do not exceed the limit", async () => {
    const { live, open } = aSet(2);
    const outcomes = await Promise.allSettled([open(), open(), open(), open()]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual([
      ...["fulfilled", "fulfilled", "rejected", "rejected"],
    ]);
    await live.close();
  });

  test("takes no place if it fails to open", async () => {
    const { live, open } = aSet(1);
    const failing = () => Promise.reject(new Error("no database"));
    const stillHolds = async () => true;
    await expect(live.open({ account, stillHolds, open: failing })).rejects.toThrow("no database");
    await open();
    await live.close();
  });
});
