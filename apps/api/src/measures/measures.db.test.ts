import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeMetrics } from "@countersign/platform/http";
import { makeLog } from "@countersign/platform/log";
import { systemClock } from "@countersign/platform/clock";
import { makeTestDatabase, type TestDatabase } from "@countersign/tools/testing";
import { connectDatabase, type Database } from "../platform/db/connect.ts";
import { addMeasures, makeMeasureStore } from "./index.ts";

let made: TestDatabase;
let database: Database;
beforeAll(async () => {
  made = await makeTestDatabase();
  database = connectDatabase({ url: made.url, poolSize: 2, log: makeLog({ app: "test", level: "silent" }) });
});
afterAll(async () => {
  await database.close();
  await made.drop();
});

const account = `0x${"ab".repeat(20)}`;

const read = async (): Promise<string> => {
  const metrics = makeMetrics("test");
  addMeasures({
    ...{ metrics, clock: systemClock, store: makeMeasureStore(database.db) },
    readBalances: () => Promise.resolve(new Map([["recorder", 1_500_000_000_000_000_000n]])),
    readNodes: () =>
      Promise.resolve(
        new Map([
          ["1", true],
          ["10", false],
        ]),
      ),
  });
  return metrics.write();
};

test("an empty installation has no queue, no verdicts and no lag", async () => {
  const text = await read();
  expect(text).toMatch(/^flows_oldest_waiting_seconds\{app="test"\} 0$/m);
  expect(text).toMatch(/^verdicts_recent\{decision="UNDECIDED",app="test"\} 0$/m);
  expect(text).toMatch(/^verdict_recent_p95_seconds\{app="test"\} Nan$/m);
  expect(text).not.toContain("watcher_lag_seconds{");
});

test("reports balances in ether and nodes that do not answer", async () => {
  const text = await read();
  expect(text).toMatch(/^wallet_balance_ether\{wallet="recorder",app="test"\} 1\.5$/m);
  expect(text).toMatch(/^rpc_up\{chain="1",app="test"\} 1$/m);
  expect(text).toMatch(/^rpc_up\{chain="10",app="test"\} 0$/m);
});

test("reports the age of the oldest work that waits, and how far a chain was read", async () => {
  await sql`insert into flows (flow, key, account, allowance, due_at, sweep_at, accepted_at)
    values ('x', 'a', ${account}, '1 minute', now(), now(), now() - interval '90 seconds'),
           ('x', 'b', ${account}, '1 minute', now(), now(), now() - interval '30 seconds')`.execute(
    database.db,
  );
  await sql`insert into chain_cursors (chain_id, block_number, recent, caught_up_at)
    values (10, 1, '[]', now() - interval '45 seconds')`.execute(database.db);
  const text = await read();
  const [, age = ""] = /^flows_oldest_waiting_seconds\{app="test"\} (\S+)$/m.exec(text) ?? [];
  expect(Number(age)).toBeGreaterThanOrEqual(90);
  const [, lag = ""] = /^watcher_lag_seconds\{chain="10",app="test"\} (\S+)$/m.exec(text) ?? [];
  expect(Number(lag)).toBeGreaterThanOrEqual(45);
});
