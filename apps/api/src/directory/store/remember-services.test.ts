import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { Service } from "../service.ts";
import { rememberServices } from "./remember-services.ts";
import type { ServiceStore } from "./services.ts";

const aService = (id: number, changes: Partial<Service> = {}): Service => ({
  ...{ id, chainId: 1, name: `service ${id}`, inbox: `0x${String(id).repeat(40)}`, active: true, url: null },
  ...{ fingerprint: "ab".repeat(20), keyUri: "ipfs://key", armoured: "a key" },
  createdAt: new Date("2030-01-01T00:00:00Z"),
  ...changes,
});

/** A caching store over one with these services. The inner store counts its queries. */
function setUp(...services: Service[]) {
  const record = { services: services as readonly Service[], listed: 0, found: 0, isAnswerLost: false };
  let answer = (): Promise<unknown> => Promise.resolve(undefined);
  const store = {
    listServices: async () => {
      record.listed += 1;
      const { services: list } = record;
      await answer();
      return list;
    },
    findService: async (id: number | undefined) => {
      record.found += 1;
      return record.services.find((one) => (id === undefined ? one.active : one.id === id));
    },
    mirror: async (_: number, wanted: readonly Service[]) => {
      record.services = wanted;
      if (record.isAnswerLost) throw new Error("connection lost");
      return wanted.length;
    },
    keepKey: async ({ id }: Service, armoured: string) => {
      record.services = record.services.map((one) => (one.id === id ? { ...one, armoured } : one));
      return true;
    },
  } as unknown as ServiceStore;
  return {
    record,
    store: rememberServices(store),
    switchOff: (id: number) => {
      record.services = record.services.map((one) => (one.id === id ? { ...one, active: false } : one));
    },
    /** Delays every list until the promise settles. */
    holdUntil: (released: Promise<unknown>) => {
      answer = () => released;
    },
  };
}

describe("a service that can be used", () => {
  test("is looked up once, by its id, as the default and in the list", async () => {
    const { store, record } = setUp(aService(1), aService(2));
    for (let time = 0; time < 3; time++) {
      expect((await store.findService(2))?.id).toBe(2);
      expect((await store.findService(undefined))?.id).toBe(1);
      expect((await store.listServices()).map(({ id }) => id)).toEqual([1, 2]);
    }
    expect(record).toMatchObject({ listed: 1, found: 0 });
  });

  test("is looked up once for all concurrent requests", async () => {
    const { store, record } = setUp(aService(1));
    await Promise.all([store.findService(1), store.findService(undefined), store.listServices()]);
    expect(record).toMatchObject({ listed: 1, found: 0 });
  });

  test("counts for at most a second after it was switched off elsewhere", async () => {
    const { store, switchOff } = setUp(aService(1));
    await store.findService(1);
    switchOff(1);
    await sleep(1_010);
    expect((await store.findService(1))?.active).toBe(false);
    expect((await store.listServices()).map(({ active }) => active)).toEqual([false]);
  });

  test("is cached for a second from the query, not from the answer", async () => {
    const { store, record, holdUntil } = setUp(aService(1));
    const { promise, resolve } = Promise.withResolvers<undefined>();
    holdUntil(promise);
    const slow = store.findService(1);
    await sleep(1_010);
    resolve(undefined);
    await slow;
    await store.findService(1);
    expect(record.listed).toBe(2);
  });
});

describe("a change made in this process", () => {
  test("switches a service off at once", async () => {
    const { store } = setUp(aService(1));
    await store.findService(1);
    await store.mirror(1, [aService(1, { active: false })]);
    expect((await store.findService(1))?.active).toBe(false);
    expect((await store.listServices()).map(({ active }) => active)).toEqual([false]);
  });

  test("replaces a key at once", async () => {
    const { store } = setUp(aService(1));
    await store.findService(1);
    await store.keepKey(aService(1), "another key");
    expect((await store.findService(1))?.armoured).toBe("another key");
  });

  test("during a lookup is seen by the next one: the earlier answer is not kept", async () => {
    const { store, holdUntil } = setUp(aService(1));
    const { promise, resolve } = Promise.withResolvers<undefined>();
    holdUntil(promise);
    const early = store.findService(1);
    await store.mirror(1, [aService(1, { active: false })]);
    resolve(undefined);
    expect((await early)?.active).toBe(true);
    expect((await store.findService(1))?.active).toBe(false);
  });

  test("that failed is taken for one that may have been made", async () => {
    const { store, record } = setUp(aService(1));
    await store.findService(1);
    record.isAnswerLost = true;
    await expect(store.mirror(1, [aService(1, { active: false })])).rejects.toThrow("connection lost");
    expect((await store.findService(1))?.active).toBe(false);
  });
});

describe("looked up each time is", () => {
  test.each([
    ["an inactive service", [aService(1, { active: false })]],
    ["a service without a key", [aService(1, { armoured: null })]],
    ["a service that is missing", [aService(2, { active: false })]],
  ])("%s, which is used as soon as it can be", async (_, services) => {
    const { store, record } = setUp(...services);
    for (let time = 0; time < 3; time++) await store.findService(1);
    expect(record.found).toBe(3);
    record.services = [aService(1)];
    expect(await store.findService(1)).toEqual(aService(1));
  });

  test("an empty list: the first service counts at once", async () => {
    const { store, record } = setUp();
    expect(await store.listServices()).toEqual([]);
    record.services = [aService(1)];
    expect(await store.listServices()).toEqual([aService(1)]);
  });

  test("the default, while the first active service has no key", async () => {
    const { store, record } = setUp(aService(1, { armoured: null }), aService(2));
    await store.findService(undefined);
    expect((await store.findService(undefined))?.id).toBe(1);
    expect(record.found).toBe(2);
  });

  test("a service after a query that failed", async () => {
    const { store, holdUntil } = setUp(aService(1));
    holdUntil(Promise.reject(new Error("away")));
    await expect(store.findService(1)).rejects.toThrow("away");
    holdUntil(Promise.resolve());
    expect((await store.findService(1))?.id).toBe(1);
  });
});
