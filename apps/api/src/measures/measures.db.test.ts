import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeMetrics } from "@countersign/platform/http";
import { makeLog } from "@countersign/platform/log";
import { systemClock, type Clock } from "@countersign/platform/clock";
import { withClient } from "@countersign/tools/engines";
import { makeTestDatabase, type TestDatabase } from "@countersign/tools/testing";
import { anAccount, aRow } from "../../test/directory.ts";
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

const read = async (clock: Clock = systemClock): Promise<string> => {
  const metrics = makeMetrics("test");
  addMeasures({
    ...{ metrics, clock, store: makeMeasureStore(database.db) },
    readBalances: () => Promise.resolve(new Map([["recorder", 1_500_000_000_000_000_000n]])),
    readNodes: () =>
      Promise.resolve([
        { chain: "1", node: "1", isUp: true },
        { chain: "1", node: "2", isUp: false },
        { chain: "10", node: "1", isUp: false },
      ]),
  });
  return metrics.write();
};

test("an empty installation has no queue, no verdicts and no lag", async () => {
  const text = await read();
  expect(text).toMatch(/^flows_oldest_waiting_seconds\{app="test"\} 0$/m);
  expect(text).toMatch(/^verdicts_recent\{decision="UNDECIDED",app="test"\} 0$/m);
  expect(text).toMatch(/^verdict_recent_p95_seconds\{app="test"\} Nan$/m);
  expect(text).not.toContain("watcher_lag_seconds{");
  expect(text).toMatch(/^proposals_recent\{asks="OUTSIDE_MANDATE",app="test"\} 0$/m);
  expect(text).toMatch(/^notifications_oldest_due_seconds\{app="test"\} 0$/m);
});

test("reports balances in ether and nodes that do not answer", async () => {
  const text = await read();
  expect(text).toMatch(/^wallet_balance_ether\{wallet="recorder",app="test"\} 1\.5$/m);
  expect(text).toMatch(/^rpc_up\{chain="1",node="1",app="test"\} 1$/m);
  expect(text).toMatch(/^rpc_up\{chain="1",node="2",app="test"\} 0$/m);
  expect(text).toMatch(/^rpc_up\{chain="10",node="1",app="test"\} 0$/m);
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

test("counts the proposals of ten minutes by the reason why their owner was asked", async () => {
  const asked = (code: string) => ({ needs_owner: { code, message: "x", repeats: null } });
  await withClient(made.url, async (client) => {
    const owner = await anAccount(client);
    await aRow(client, { account: owner });
    await aRow(client, { account: owner, more: asked("OUTSIDE_MANDATE") });
    await aRow(client, { account: owner, more: asked("OUTSIDE_MANDATE") });
  });
  const text = await read();
  expect(text).toMatch(/^proposals_recent\{asks="OUTSIDE_MANDATE",app="test"\} 2$/m);
  expect(text).toMatch(/^proposals_recent\{asks="none",app="test"\} 1$/m);
  const later = await read({ now: () => new Date(Date.now() + 11 * 60_000) });
  expect(later).toMatch(/^proposals_recent\{asks="OUTSIDE_MANDATE",app="test"\} 0$/m);
});

test("reports messages that could have been sent, and channels that fail", async () => {
  const [due, later] = ["now() - interval '90 seconds'", "now() + interval '1 hour'"];
  const channels = [
    { kind: "push", dueAt: due, failing: "null", more: "true, null, null" },
    // One whose run is under way, one that waits for its next attempt, and one that its owner switched off.
    {
      kind: "push",
      dueAt: "now() - interval '1 day'",
      failing: "null",
      more: `true, gen_random_uuid(), ${later}`,
    },
    { kind: "email", dueAt: later, failing: "now()", more: "true, null, null" },
    { kind: "email", dueAt: "now() - interval '1 day'", failing: "now()", more: "false, null, null" },
  ];
  await withClient(made.url, async (client) => {
    const owner = await anAccount(client);
    for (const { kind, dueAt, failing, more } of channels)
      await client.query(
        `insert into notification_channels (id, account, kind, target, description, types, agents, due_at, failing_since,
           active, lease_by, lease_until)
         values (gen_random_uuid(), $1, $2, 'x', 'x', '{}', '{}', ${dueAt}, ${failing}, ${more})`,
        [owner, kind],
      );
  });
  const text = await read();
  const [, age = ""] = /^notifications_oldest_due_seconds\{app="test"\} (\S+)$/m.exec(text) ?? [];
  expect(Number(age)).toBeGreaterThanOrEqual(90);
  expect(Number(age)).toBeLessThan(3_600);
  expect(text).toMatch(/^notification_channels\{kind="push",state="working",app="test"\} 2$/m);
  expect(text).toMatch(/^notification_channels\{kind="email",state="failing",app="test"\} 1$/m);
});
