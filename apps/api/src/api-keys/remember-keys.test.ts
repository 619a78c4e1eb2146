import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { rememberKeys } from "./remember-keys.ts";
import type { ApiKeyStore } from "./store.ts";

type Found = NonNullable<Awaited<ReturnType<ApiKeyStore["findUsable"]>>>;

const start = new Date("2030-01-01T00:00:00Z");
const aKey = (changes: Partial<Found> = {}): Found => ({
  ...{ id: "a", account: `0x${"11".repeat(20)}`, name: "a", type: "user", label: "agent", scopes: [] },
  ...{ active: true, prefix: "p", last4: "l", expiresAt: null, createdAt: start, lastUsedAt: null },
  lastUsedAddress: null,
  userId: "u",
  ...changes,
});
const hmacs = [Buffer.from("one")];

/** A caching store over one with at most one key. The inner store counts its calls. */
function setUp(first: Found = aKey()) {
  const record = { key: first as Found | undefined, asked: 0, noted: [] as string[], now: start };
  let answer = (): Promise<undefined> => Promise.resolve(undefined);
  const store = {
    findUsable: async () => {
      record.asked += 1;
      const { key } = record;
      await answer();
      return key;
    },
    noteUse: async (_: string, address: string) => {
      record.noted.push(address);
    },
    revoke: async () => {
      record.key = undefined;
      return true;
    },
  } as unknown as ApiKeyStore;
  return {
    record,
    keys: rememberKeys(store, { now: () => record.now }),
    /** Delays every answer until the promise settles. */
    holdUntil: (released: Promise<undefined>) => {
      answer = () => released;
    },
  };
}

describe("a usable key", () => {
  test("is looked up and recorded once, however often it is used", async () => {
    const { keys, record } = setUp();
    for (let time = 0; time < 5; time++) {
      expect((await keys.findUsable(hmacs))?.id).toBe("a");
      await keys.noteUse("a", `10.0.0.${time}`);
    }
    expect(record).toMatchObject({ asked: 1, noted: ["10.0.0.0"] });
  });

  test("is looked up once for all concurrent requests", async () => {
    const { keys, record } = setUp();
    const found = await Promise.all([1, 2, 3].map(() => keys.findUsable(hmacs)));
    expect(found.map((key) => key?.id)).toEqual(["a", "a", "a"]);
    await Promise.all([1, 2, 3].map((time) => keys.noteUse("a", `10.0.0.${time}`)));
    expect(record).toMatchObject({ asked: 1, noted: ["10.0.0.1"] });
  });

  test("is recorded again after a minute", async () => {
    const { keys, record } = setUp(aKey({ lastUsedAt: start }));
    await keys.findUsable(hmacs);
    await keys.noteUse("a", "10.0.0.7");
    expect(record.noted).toEqual([]);
    record.now = new Date(start.getTime() + 60_000);
    await sleep(1_010);
    await keys.findUsable(hmacs);
    await keys.noteUse("a", "10.0.0.8");
    expect(record.noted).toEqual(["10.0.0.8"]);
  });

  test("is not recorded a millisecond before the minute is over", async () => {
    const { keys, record } = setUp(aKey({ lastUsedAt: new Date(start.getTime() - 59_999) }));
    await keys.findUsable(hmacs);
    await keys.noteUse("a", "10.0.0.7");
    expect(record.noted).toEqual([]);
  });

  test("is cached until the moment it expires", async () => {
    const { keys, record } = setUp(aKey({ expiresAt: new Date(start.getTime() + 100) }));
    await keys.findUsable(hmacs);
    record.now = new Date(start.getTime() + 99);
    await keys.findUsable(hmacs);
    expect(record.asked).toBe(1);
  });

  test("is cached for a second from the query, not from the answer", async () => {
    const { keys, record, holdUntil } = setUp();
    const { promise, resolve } = Promise.withResolvers<undefined>();
    holdUntil(promise);
    const slow = keys.findUsable(hmacs);
    await sleep(1_010);
    resolve(undefined);
    await slow;
    await keys.findUsable(hmacs);
    expect(record.asked).toBe(2);
  });

  test("is not confused with one whose query failed", async () => {
    const { keys, record, holdUntil } = setUp();
    holdUntil(Promise.reject(new Error("away")));
    await expect(keys.findUsable(hmacs)).rejects.toThrow("away");
    holdUntil(Promise.resolve(undefined));
    expect((await keys.findUsable(hmacs))?.id).toBe("a");
    expect(record.asked).toBe(2);
  });

  test("is rejected within a second of being revoked elsewhere", async () => {
    const { keys, record } = setUp();
    await keys.findUsable(hmacs);
    record.key = undefined;
    await sleep(1_010);
    expect(await keys.findUsable(hmacs)).toBeUndefined();
  });

  test("is rejected at once after being revoked here", async () => {
    const { keys } = setUp();
    await keys.findUsable(hmacs);
    expect(await keys.revoke("a", null)).toBe(true);
    expect(await keys.findUsable(hmacs)).toBeUndefined();
  });

  test("is not cached if it is revoked during the lookup", async () => {
    const { keys, holdUntil } = setUp();
    const { promise, resolve } = Promise.withResolvers<undefined>();
    holdUntil(promise);
    const early = keys.findUsable(hmacs);
    await keys.revoke("a", null);
    const late = keys.findUsable(hmacs);
    resolve(undefined);
    expect((await early)?.id).toBe("a");
    expect(await late).toBeUndefined();
    expect(await keys.findUsable(hmacs)).toBeUndefined();
  });

  test("is looked up again if it is revoked during the lookup, also without a request in between", async () => {
    const { keys, holdUntil, record } = setUp();
    const { promise, resolve } = Promise.withResolvers<undefined>();
    holdUntil(promise);
    const early = keys.findUsable(hmacs);
    await keys.revoke("a", null);
    resolve(undefined);
    expect((await early)?.id).toBe("a");
    expect(await keys.findUsable(hmacs)).toBeUndefined();
    expect(record.asked).toBe(2);
  });

  test("an answer from before a revocation does not end the query that followed it", async () => {
    const { keys, holdUntil, record } = setUp();
    const [before, after] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    holdUntil(before.promise);
    const early = keys.findUsable(hmacs);
    await keys.revoke("a", null);
    holdUntil(after.promise);
    const late = keys.findUsable(hmacs);
    before.resolve(undefined);
    await early;
    const shared = keys.findUsable(hmacs);
    after.resolve(undefined);
    expect([await late, await shared]).toEqual([undefined, undefined]);
    expect(record.asked).toBe(2);
  });

  test("is looked up also without any HMAC", async () => {
    const { keys, record } = setUp();
    record.key = undefined;
    expect(await keys.findUsable([])).toBeUndefined();
    expect(record.asked).toBe(1);
  });

  test("is looked up again once it has expired", async () => {
    const { keys, record } = setUp(aKey({ expiresAt: new Date(start.getTime() + 100) }));
    await keys.findUsable(hmacs);
    record.now = new Date(start.getTime() + 100);
    record.key = undefined;
    expect(await keys.findUsable(hmacs)).toBeUndefined();
  });

  test("does not admit another key", async () => {
    const { keys, record } = setUp();
    await keys.findUsable(hmacs);
    record.key = undefined;
    expect(await keys.findUsable([Buffer.from("two")])).toBeUndefined();
  });
});

test("an unusable key is looked up each time, and accepted as soon as it is usable", async () => {
  const { keys, record } = setUp();
  record.key = undefined;
  for (let time = 0; time < 3; time++) expect(await keys.findUsable(hmacs)).toBeUndefined();
  expect(record.asked).toBe(3);
  record.key = aKey();
  expect((await keys.findUsable(hmacs))?.id).toBe("a");
});

test("forwards all other calls to the store", async () => {
  const list = async () => [];
  const store = { list } as unknown as ApiKeyStore;
  expect(rememberKeys(store, { now: () => start })).toHaveProperty("list", list);
});
