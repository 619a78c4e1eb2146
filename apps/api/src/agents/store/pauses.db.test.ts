import { makeLog } from "@countersign/platform/log";
import { makeTestDatabase } from "@countersign/tools/testing";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Account } from "../../accounts/index.ts";
import { connectDatabase, type Database } from "../../platform/db/connect.ts";
import { makePauseStore } from "./pauses.ts";

const log = makeLog({ app: "api", level: "silent" });
let database: Database;
let drop: () => Promise<void>;
beforeAll(async () => {
  const made = await makeTestDatabase();
  drop = made.drop;
  database = connectDatabase({ url: made.url, poolSize: 4, log });
});
afterAll(async () => {
  await database.close();
  await drop();
});

const [one, other]: readonly [Account, Account] = [`0x${"11".repeat(20)}`, `0x${"22".repeat(20)}`];
const [first, second] = ["key", "oauth"].map((kind) => ({
  ...{ kind, id: "6f2a3c1e-0000-4000-8000-000000000001" },
  name: `${kind}:6f2a3c1e-0000-4000-8000-000000000001`,
})) as [{ kind: "key"; id: string; name: string }, { kind: "oauth"; id: string; name: string }];

test("questions of one moment are answered with one statement, each for its own account and agent", async () => {
  await sql`insert into users (id, account) values (gen_random_uuid(), ${one}), (gen_random_uuid(), ${other})`.execute(
    database.db,
  );
  const store = makePauseStore(database.db);
  await store.pause({ account: one, kind: first.kind, id: first.id });
  const ask = () =>
    Promise.all(
      [one, other].flatMap((account) =>
        [first, second].map(({ name: agent }) => store.isPaused({ account, agent })),
      ),
    );
  expect(await ask()).toEqual([true, false, false, false]);
});

test("a pause and its end made in another process take effect at once", async () => {
  const [here, elsewhere] = [makePauseStore(database.db), makePauseStore(database.db)];
  const agent = { account: other, kind: second.kind, id: second.id };
  const isPaused = () => here.isPaused({ account: other, agent: second.name });
  expect(await isPaused()).toBe(false);
  await elsewhere.pause(agent);
  expect(await isPaused()).toBe(true);
  await elsewhere.resume(agent);
  expect(await isPaused()).toBe(false);
});
