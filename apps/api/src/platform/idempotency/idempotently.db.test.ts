import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeLog } from "@countersign/platform/log";
import { makeTestDatabase, type TestDatabase } from "@countersign/tools/testing";
import { connectDatabase, type Database } from "../db/connect.ts";
import {
  makeIdempotency,
  makeIdempotencyStore,
  principalOf,
  readIdempotencyKey,
  type Idempotency,
  type IdempotentRequest,
  type Within,
} from "./index.ts";

let testDatabase: TestDatabase;
let database: Database;
let idempotency: Idempotency;
beforeAll(async () => {
  testDatabase = await makeTestDatabase();
  const log = makeLog({ app: "test", level: "silent" });
  database = connectDatabase({ url: testDatabase.url, poolSize: 10, log });
  idempotency = makeIdempotency({ store: makeIdempotencyStore(database.db) });
  await sql`create table effects (name text not null)`.execute(database.db);
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

let last = 0;
const aRequest = (changes: Partial<IdempotentRequest> = {}): IdempotentRequest => ({
  principal: "apiKey:1",
  key: `key-${++last}`,
  operation: "POST /things",
  body: { a: 1 },
  ...changes,
});

/** A countable effect that returns how often it ran. */
const effectOf =
  (name: string, more: () => Promise<void> = async () => undefined) =>
  async (tx: Within) => {
    await sql`insert into effects (name) values (${name})`.execute(tx);
    await more();
    return { status: 201 as const, body: { name, at: performance.now() } };
  };
const countOf = async (name: string): Promise<number> => {
  const { rows } = await sql`select 1 from effects where name = ${name}`.execute(database.db);
  return rows.length;
};
const failing = async (): Promise<void> => {
  throw new Error("after all");
};
const codeOf = (error: unknown): unknown => (error as { code?: unknown }).code;

/** Blocks an effect midway until it is released. */
function aGate() {
  let enter = (): void => undefined;
  let leave = (): void => undefined;
  const entered = new Promise<void>((resolve) => (enter = resolve));
  const left = new Promise<void>((resolve) => (leave = resolve));
  const pass = async (): Promise<void> => {
    enter();
    await left;
  };
  return { entered, leave, pass };
}

describe("idempotently", () => {
  test("runs once and answers the same again", async () => {
    const request = aRequest();
    const first = await idempotency.idempotently(request, effectOf("once"));
    const again = await idempotency.idempotently(request, effectOf("once"));
    expect(first.headers).toEqual({});
    expect(again).toEqual({ ...first, headers: { "Idempotent-Replayed": "true" } });
    expect(await countOf("once")).toBe(1);
  });
  test("without a key runs each time", async () => {
    const request = aRequest({ key: undefined });
    await idempotency.idempotently(request, effectOf("each"));
    await idempotency.idempotently(request, effectOf("each"));
    expect(await countOf("each")).toBe(2);
  });
  test("without a key rolls back a failed effect of several statements, if declared as such", async () => {
    const request = aRequest({ key: undefined, isSeveralStatements: true });
    await expect(idempotency.idempotently(request, effectOf("several", failing))).rejects.toThrow(
      "after all",
    );
    expect(await countOf("several")).toBe(0);
  });
  test("stores neither answer nor effect of a failure, and leaves the key free", async () => {
    const request = aRequest();
    await expect(idempotency.idempotently(request, effectOf("fails", failing))).rejects.toThrow("after all");
    expect(await countOf("fails")).toBe(0);
    expect(await idempotency.recall(request)).toBeUndefined();
    expect((await idempotency.idempotently(request, effectOf("fails"))).headers).toEqual({});
  });
  test("rejects the key for another body or another operation, and keeps callers apart", async () => {
    const request = aRequest();
    await idempotency.idempotently(request, effectOf("first"));
    for (const other of [{ body: { a: 2 } }, { operation: "POST /others" }, { body: undefined }])
      expect(await idempotency.idempotently({ ...request, ...other }, effectOf("other")).catch(codeOf)).toBe(
        "idempotency.other-request",
      );
    expect(await countOf("other")).toBe(0);
    const others = await idempotency.idempotently({ ...request, principal: "jwt:1" }, effectOf("others"));
    expect(others.headers).toEqual({});
  });
  test("rejects a second request while the first is in progress, with Retry-After", async () => {
    const request = aRequest();
    const gate = aGate();
    const first = idempotency.idempotently(request, effectOf("slow", gate.pass));
    await gate.entered;
    const refusal: unknown = await idempotency
      .idempotently(request, effectOf("slow"))
      .catch((e: unknown) => e);
    expect(refusal).toMatchObject({
      code: "idempotency.in-flight",
      status: 409,
      headers: { "Retry-After": "1" },
    });
    gate.leave();
    const { body } = await first;
    expect((await idempotency.idempotently(request, effectOf("slow"))).body).toEqual(body);
    expect(await countOf("slow")).toBe(1);
  });
  test("of any number of concurrent requests one succeeds, whatever happens to the others", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { minLength: 2, maxLength: 20 }), async (fails) => {
        const request = aRequest();
        const name = String(request.key);
        const outcomes = await Promise.allSettled(
          fails.map((fail) =>
            idempotency.idempotently(request, fail ? effectOf(name, failing) : effectOf(name)),
          ),
        );
        const done = outcomes.filter((outcome) => outcome.status === "fulfilled").map(({ value }) => value);
        expect(await countOf(name)).toBe(done.length === 0 ? 0 : 1);
        expect(new Set(done.map(({ body }) => JSON.stringify(body))).size).toBe(done.length === 0 ? 0 : 1);
        expect(done.filter(({ headers }) => !("Idempotent-Replayed" in headers)).length).toBe(
          done.length === 0 ? 0 : 1,
        );
      }),
      { numRuns: 20 },
    );
  }, 60_000);
});

test("recall finds the stored answer, and rejects another request", async () => {
  const request = aRequest();
  expect(await idempotency.recall(request)).toBeUndefined();
  const { body } = await idempotency.idempotently(request, effectOf("recalled"));
  expect(await idempotency.recall(request)).toMatchObject({ status: 201, body });
  expect(await idempotency.recall({ ...request, key: undefined })).toBeUndefined();
  expect(await idempotency.recall({ ...request, body: {} }).catch(codeOf)).toBe("idempotency.other-request");
});

test("answers are stored for at least a day, then deleted a hundred at a time", async () => {
  await sql`delete from idempotency_keys`.execute(database.db);
  const insert = (age: string, many: number) =>
    sql`
      insert into idempotency_keys (principal, key, operation, body_hash, status, answer, created_at)
      select ${age}, n, 'x', sha256(''), 201, '{}', now() - ${age}::interval from generate_series(1, ${many}::int) n`.execute(
      database.db,
    );
  await insert("25 hours", 5);
  await insert("3 days", 130);
  expect([await idempotency.sweep(), await idempotency.sweep(), await idempotency.sweep()]).toEqual([
    100, 30, 0,
  ]);
  const { rows } = await sql<{ principal: string }>`select distinct principal from idempotency_keys`.execute(
    database.db,
  );
  expect(rows).toEqual([{ principal: "25 hours" }]);
});

test("a key is 1 to 255 visible ASCII characters", () => {
  const read = (key: string | readonly string[] | undefined) =>
    readIdempotencyKey({ "idempotency-key": key });
  expect(read(undefined)).toBeUndefined();
  expect(read("x".repeat(255))).toHaveLength(255);
  for (const key of ["", "x".repeat(256), "a b", "a\tb", "é", "\u007f", ["a", "b"]])
    expect(() => read(key)).toThrow("Idempotency-Key must be");
});

test("an API key and an account with the same name are two callers", () => {
  expect(principalOf({ scheme: "jwt", subject: "1" })).not.toBe(
    principalOf({ scheme: "apiKey", subject: "1" }),
  );
});
