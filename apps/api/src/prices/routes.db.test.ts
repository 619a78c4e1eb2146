import { makeLog } from "@countersign/platform/log";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectDatabase, type Database } from "../platform/db/connect.ts";
import { aTestApi, exceedLimit, type TestApi } from "../../test/test-api.ts";
import type { PriceFeed } from "./feed.ts";
import { makeReadAll } from "./keep-up.ts";
import { makePriceStore, readPrices } from "./store.ts";

const asset = "eip155:1/native";
const other = `eip155:1/erc20:0x${"c0".repeat(20)}`;
const aFeed = (of: string): PriceFeed => ({
  ...{ asset: of, chainId: 1, address: `0x${"5f".repeat(20)}`, freshSeconds: 3600 },
});
const usd = 3_000_500_000_000_000_000_000n;

let api: TestApi;
let database: Database;
const log = makeLog({ app: "api", level: "silent" });
beforeAll(async () => {
  api = await aTestApi();
  database = connectDatabase({ url: api.config.DATABASE_URL, poolSize: 2, log });
});
afterAll(async () => {
  await database.close();
  await api.close();
});

/** Runs a round of reading in which the feeds answer so. */
const readAll = (feeds: readonly PriceFeed[], readFeed: (feed: PriceFeed) => { usd: bigint; asOf: Date }) =>
  makeReadAll({ feeds, store: makePriceStore(database.db), readFeed: async (feed) => readFeed(feed), log })();
const usable = async (): Promise<readonly string[]> => [
  ...(await readPrices(database.db, [asset, other])).keys(),
];

describe("GET /prices", () => {
  test("200: each price with its source, its age, and whether it may be used", async () => {
    const asOf = new Date();
    await readAll([aFeed(asset)], () => ({ usd, asOf }));
    const answer = await api.http.send("/prices");
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual([
      {
        ...{ asset, usd: "3000.5", source: `eip155:1:0x${"5f".repeat(20)}`, asOf: asOf.toISOString() },
        ...{ readAt: expect.any(String) as string, usable: true },
      },
    ]);
  });
  test("200: a price that is too old is listed as not usable", async () => {
    await readAll([aFeed(asset)], () => ({ usd, asOf: new Date(Date.now() - 3_601_000) }));
    expect((await api.http.send("/prices")).json()).toMatchObject([{ asset, usable: false }]);
  });
  test("429: rejects a request beyond the limit of its address", async () => {
    const strict = await aTestApi({ READS_PER_MINUTE_PER_IP: "3" });
    try {
      expect(await exceedLimit(strict, { method: "GET", url: "/prices" }, 3)).toBe(429);
    } finally {
      await strict.close();
    }
  });
});

describe("a price", () => {
  test("is not used one second after the time its feed is given", async () => {
    await readAll([aFeed(asset)], () => ({ usd, asOf: new Date(Date.now() - 3_590_000) }));
    expect(await usable()).toEqual([asset]);
    await readAll([aFeed(asset)], () => ({ usd, asOf: new Date(Date.now() - 3_601_000) }));
    expect(await usable()).toEqual([]);
  });
  test("is not used if its feed was not read for five minutes", async () => {
    await readAll([aFeed(asset)], () => ({ usd, asOf: new Date() }));
    await sql`update prices set read_at = now() - interval '290 seconds'`.execute(database.db);
    expect(await usable()).toEqual([asset]);
    await sql`update prices set read_at = now() - interval '301 seconds'`.execute(database.db);
    expect(await usable()).toEqual([]);
  });
  test("stays as it was while its feed fails, and the others are read", async () => {
    await readAll([aFeed(asset), aFeed(other)], () => ({ usd, asOf: new Date() }));
    await readAll([aFeed(asset), aFeed(other)], ({ asset: of }) => {
      if (of === asset) throw new Error("no answer");
      return { usd: 1n, asOf: new Date() };
    });
    const found = await readPrices(database.db, [asset, other]);
    expect([found.get(asset)?.usd, found.get(other)?.usd]).toEqual([usd, 1n]);
  });
  test("is gone once its feed is no longer configured", async () => {
    await readAll([aFeed(asset), aFeed(other)], () => ({ usd, asOf: new Date() }));
    await readAll([aFeed(other)], () => ({ usd, asOf: new Date() }));
    expect(await usable()).toEqual([other]);
  });
});
