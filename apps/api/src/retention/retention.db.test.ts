import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadConfig } from "@countersign/platform/config";
import { newId } from "@countersign/platform/ids";
import { makeLog } from "@countersign/platform/log";
import { Config } from "../config.ts";
import { connectDatabase, type Database } from "../platform/db/connect.ts";
import { bearer } from "../../test/sign-in.ts";
import { aTestApi, type TestApi } from "../../test/test-api.ts";
import { anOwner, propose, type Proposed } from "../../test/transactions.ts";
import { makeRetentionStore, makeRetentionSweep } from "./index.ts";
import { firstIdOf } from "./sweep.ts";

let api: TestApi;
let database: Database;
beforeAll(async () => {
  api = await aTestApi();
  database = connectDatabase({
    ...{ url: api.config.DATABASE_URL, poolSize: 4, log: makeLog({ app: "api", level: "silent" }) },
  });
});
afterAll(async () => {
  await database.close();
  await api.close();
});

const account = `0x${"ab".repeat(20)}`;
const keepAll = {
  RETENTION_SESSION_DAYS: 0,
  RETENTION_MANDATE_REQUEST_DAYS: 0,
  RETENTION_CONTEXT_DAYS: 0,
};
const sweep = (days: Partial<typeof keepAll>): Promise<number> =>
  makeRetentionSweep({
    ...{
      days: { ...keepAll, ...days },
      store: makeRetentionStore(database.db),
      clock: { now: () => new Date() },
    },
  })();
const daysAgo = (days: number): Date => new Date(Date.now() - days * 86_400_000);
const ensureUser = async (): Promise<void> => {
  await sql`insert into users (id, account) values (${newId()}, ${account}) on conflict do nothing`.execute(
    database.db,
  );
};

type Times = { readonly endsAt: Date; readonly endedAt?: Date };
async function addSession({ endsAt, endedAt }: Times): Promise<string> {
  const id = newId();
  await ensureUser();
  await sql`insert into sessions (id, account, ends_at, ended_at, end_reason)
    values (${id}, ${account}, ${endsAt}, ${endedAt ?? null}, ${endedAt === undefined ? null : "logout"})`.execute(
    database.db,
  );
  await sql`insert into refresh_tokens (id, account, session_id, expires_at)
    values (${newId()}, ${account}, ${id}, ${endsAt})`.execute(database.db);
  return id;
}
const sessionsLeft = async (ids: readonly string[]): Promise<readonly string[]> => {
  const { rows } = await sql<{ id: string }>`
    select s.id from sessions s join refresh_tokens r on r.session_id = s.id
    where s.id = any(${[...ids]}::uuid[])`.execute(database.db);
  return rows.map(({ id }) => id);
};

describe("sessions", () => {
  test("are deleted with their tokens once they ended long enough ago, and not before", async () => {
    const expired = await addSession({ endsAt: daysAgo(31) });
    const loggedOut = await addSession({ endsAt: daysAgo(-5), endedAt: daysAgo(31) });
    const recent = await addSession({ endsAt: daysAgo(29) });
    const open = await addSession({ endsAt: daysAgo(-5) });
    const all = [expired, loggedOut, recent, open];
    expect(await sweep({})).toBe(0);
    expect(await sessionsLeft(all)).toHaveLength(4);
    expect(await sweep({ RETENTION_SESSION_DAYS: 30 })).toBe(2);
    expect((await sessionsLeft(all)).toSorted()).toEqual([recent, open].toSorted());
    expect(await sweep({ RETENTION_SESSION_DAYS: 30 })).toBe(0);
  });

  test("are deleted once by several processes at a time, at most 100 each", async () => {
    const many = await Promise.all(Array.from({ length: 120 }, () => addSession({ endsAt: daysAgo(400) })));
    const counts = await Promise.all([1, 2, 3].map(() => sweep({ RETENTION_SESSION_DAYS: 365 })));
    const rest = await sweep({ RETENTION_SESSION_DAYS: 365 });
    expect(Math.max(...counts)).toBeLessThanOrEqual(100);
    expect(counts.reduce((sum, count) => sum + count, rest)).toBe(120);
    expect(await sessionsLeft(many)).toEqual([]);
  });
});

test("requests for a mandate are deleted after the owner's answer, open ones never", async () => {
  await ensureUser();
  const add = async (closedAt: Date | null): Promise<string> => {
    const id = newId();
    await sql`insert into mandate_requests (id, account, agent, draft, created_at, closed_at)
      values (${id}, ${account}, ${`key:${randomUUID()}`}, '{}', ${daysAgo(900)}, ${closedAt})`.execute(
      database.db,
    );
    return id;
  };
  const [old, recent, open] = [await add(daysAgo(91)), await add(daysAgo(89)), await add(null)];
  expect(await sweep({ RETENTION_MANDATE_REQUEST_DAYS: 90 })).toBe(1);
  const { rows } = await sql<{ id: string }>`
    select id from mandate_requests where id = any(${[old, recent, open]}::uuid[])`.execute(database.db);
  expect(rows.map(({ id }) => id).toSorted()).toEqual([recent, open].toSorted());
});

test("conversations are deleted after their time, and the proposals stay", async () => {
  const owner = await anOwner(api);
  const read = async (hash: string): Promise<unknown> =>
    (await api.http.send({ url: `/transactions/${hash}`, headers: bearer(owner.who) })).json();
  const { requestHash } = (await propose(api, owner, { contextLogs: { asked: "by chat" } })).json<Proposed>();
  expect(await sweep({ RETENTION_CONTEXT_DAYS: 30 })).toBe(0);
  expect(await read(requestHash)).toMatchObject({ contextLogs: { asked: "by chat" } });
  const later = { now: () => daysAgo(-31) };
  const days = { ...keepAll, RETENTION_CONTEXT_DAYS: 30 };
  const store = makeRetentionStore(database.db);
  expect(await makeRetentionSweep({ days, store, clock: later })()).toBe(1);
  expect(await read(requestHash)).toMatchObject({ requestHash, contextLogs: null });
});

test("ids that were made before a time are smaller than its first id, later ones are not", () => {
  const now = newId();
  expect(now < firstIdOf(new Date(Date.now() + 1_000))).toBe(true);
  expect(now >= firstIdOf(new Date(Date.now() - 60_000))).toBe(true);
  expect(firstIdOf(new Date(0))).toBe("00000000-0000-7000-8000-000000000000");
});

test.each([
  ["1", true],
  ["29", true],
  ["30", false],
  ["0", false],
])("RETENTION_CONTEXT_DAYS=%s is refused: %s", (days, isRefused) => {
  const load = () => loadConfig(Config, { RETENTION_CONTEXT_DAYS: days });
  if (isRefused) expect(load).toThrow("RETENTION_CONTEXT_DAYS: must be 0, or at least 30");
  else expect(load().RETENTION_CONTEXT_DAYS).toBe(Number(days));
});
