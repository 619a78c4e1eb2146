import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { makeLog } from "@countersign/platform/log";
import { makeTestDatabase, type TestDatabase } from "@countersign/tools/testing";
import { connectDatabase, type Database } from "../db/connect.ts";
import { makeLocalKek, makeSecretStore, type Keks, type SecretStore } from "./index.ts";

let made: TestDatabase;
let database: Database;
const connect = (): Database =>
  connectDatabase({ url: made.url, poolSize: 2, log: makeLog({ app: "test", level: "silent" }) });
beforeAll(async () => {
  made = await makeTestDatabase();
  database = connect();
});
afterEach(() => sql`truncate secrets cascade`.execute(database.db));
afterAll(async () => {
  await database.close();
  await made.drop();
});

const [oldKek, newKek] = [makeLocalKek(randomBytes(32)), makeLocalKek(randomBytes(32))];
const storeWith = (...keks: Keks): SecretStore => makeSecretStore({ db: database.db, keks });
const value = Buffer.from("a value that no one else may know");
const codeOf = (code: string) => ({ name: "SecretError", code });

type Stored = {
  id: string;
  purpose: string;
  wrapped_key: Buffer;
  nonce: Buffer;
  ciphertext: Buffer;
  all: string;
};
const dump = async (): Promise<readonly Stored[]> =>
  (await sql<Stored>`select *, secrets::text as all from secrets order by id`.execute(database.db)).rows;

test("reads back a saved secret, also after it is retired", async () => {
  const store = storeWith(oldKek);
  const id = await store.save({ purpose: "jwt-signing", value });
  expect(await store.read(id)).toMatchObject({ id, purpose: "jwt-signing", value, retiredAt: null });
  expect(await store.retire(id)).toBe(true);
  expect(await store.retire(id)).toBe(false);
  expect(await store.read(id)).toMatchObject({ value, retiredAt: expect.any(Date) as Date });
});

test.each(["0190b4a8-0000-7000-8000-000000000001", "not an id'; drop table secrets"])(
  "knows no secret %s",
  async (id) => {
    await expect(storeWith(oldKek).read(id)).rejects.toMatchObject(codeOf("unknown-secret"));
  },
);

test("lists the current secrets of one purpose, newest first", async () => {
  const store = storeWith(oldKek);
  const save = (text: string, purpose = "jwt-signing"): Promise<string> =>
    store.save({ purpose, value: Buffer.from(text) });
  await save("first");
  await store.retire(await save("retired"));
  await save("second");
  await save("pepper", "api-key-pepper");
  expect((await store.listCurrent("jwt-signing")).map((secret) => secret.value.toString())).toEqual([
    "second",
    "first",
  ]);
});

test("the table contains no plaintext in any encoding, and no key", async () => {
  const key = randomBytes(32);
  await storeWith(makeLocalKek(key)).save({ purpose: "jwt-signing", value });
  const [row] = await dump();
  const bytes = Buffer.concat(
    [row?.wrapped_key, row?.nonce, row?.ciphertext].map((part) => part ?? Buffer.of()),
  );
  expect(bytes.length).toBe(60 + 12 + value.length + 16);
  for (const secret of [value, key]) {
    expect(bytes.includes(secret)).toBe(false);
    for (const encoding of ["utf8", "hex", "base64"] as const) {
      expect(row?.all).not.toContain(secret.toString(encoding));
      expect(bytes.toString("base64")).not.toContain(secret.toString("base64").slice(0, -4));
    }
  }
});

test("a secret that an attacker moves to another row or purpose cannot be read there", async () => {
  const store = storeWith(oldKek);
  const mine = await store.save({ purpose: "jwt-signing", value: randomBytes(32) });
  const theirs = await store.save({ purpose: "jwt-signing", value });
  await sql`update secrets as s set wrapped_key = o.wrapped_key, nonce = o.nonce, ciphertext = o.ciphertext
    from secrets as o where s.id = ${mine} and o.id = ${theirs}`.execute(database.db);
  await expect(store.read(mine)).rejects.toMatchObject(codeOf("does-not-open"));
  await sql`update secrets set purpose = 'api-key-pepper' where id = ${theirs}`.execute(database.db);
  await expect(store.read(theirs)).rejects.toMatchObject(codeOf("does-not-open"));
});

test("concurrent ensure calls of several processes create one secret, and all get it", async () => {
  const processes = Array.from({ length: 6 }, connect);
  const secrets = await Promise.all(
    processes.flatMap(({ db }) => {
      const store = makeSecretStore({ db, keks: [oldKek] });
      return [1, 2].map(() => store.ensure("api-key-pepper", () => randomBytes(32)));
    }),
  );
  await Promise.all(processes.map((one) => one.close()));
  expect(await dump()).toHaveLength(1);
  expect(new Set(secrets.map((secret) => secret.value.toString("hex"))).size).toBe(1);
});

test("ensure creates nothing where one is current, and a new one where all are retired", async () => {
  const store = storeWith(oldKek);
  const id = await store.save({ purpose: "jwt-signing", value });
  const never = (): Buffer => expect.unreachable("there is one already");
  expect((await store.ensure("jwt-signing", never)).id).toBe(id);
  await store.retire(id);
  expect((await store.ensure("jwt-signing", () => Buffer.from("next"))).value.toString()).toBe("next");
});

test("ensure does not replace a secret whose key is missing", async () => {
  await storeWith(oldKek).ensure("jwt-signing", () => value);
  await expect(storeWith(newKek).ensure("jwt-signing", () => value)).rejects.toMatchObject(
    codeOf("unknown-kek"),
  );
  expect(await dump()).toHaveLength(1);
});

test("rewrapping makes the old key unnecessary and leaves the payload unchanged", async () => {
  const before = storeWith(oldKek);
  const ids = await Promise.all(
    [1, 2, 3, 4, 5].map((n) => before.save({ purpose: "custody", value: Buffer.from(`value ${n}`) })),
  );
  await before.retire(ids[0] ?? "");
  const payloads = (await dump()).map(({ nonce, ciphertext }) => ({ nonce, ciphertext }));
  expect(await storeWith(newKek, oldKek).rewrap({ batchSize: 2 })).toEqual({
    rewrapped: 5,
    failed: [],
    remaining: 0,
  });
  for (const [index, id] of ids.entries())
    expect((await storeWith(newKek).read(id)).value.toString()).toBe(`value ${index + 1}`);
  expect((await dump()).map(({ nonce, ciphertext }) => ({ nonce, ciphertext }))).toEqual(payloads);
  await expect(before.read(ids[1] ?? "")).rejects.toMatchObject(codeOf("unknown-kek"));
});

test("an interrupted rewrap resumes where it stopped", async () => {
  for (let n = 0; n < 5; n++) await storeWith(oldKek).save({ purpose: "custody", value });
  let left = 3;
  const failing: typeof newKek = {
    ...newKek,
    wrap: async (dataKey, aad) => {
      if (left-- === 0) throw new Error("the token is away");
      return newKek.wrap(dataKey, aad);
    },
  };
  await expect(storeWith(failing, oldKek).rewrap({ batchSize: 2 })).rejects.toThrow("the token is away");
  expect(await storeWith(newKek, oldKek).rewrap({ batchSize: 2 })).toMatchObject({
    rewrapped: 2,
    remaining: 0,
  });
});

test("two concurrent rewraps process each record once", async () => {
  for (let n = 0; n < 5; n++) await storeWith(oldKek).save({ purpose: "custody", value });
  let overtaken: Promise<unknown> | undefined;
  const slow: typeof newKek = {
    ...newKek,
    wrap: async (dataKey, aad) => {
      await (overtaken ??= storeWith(newKek, oldKek).rewrap());
      return newKek.wrap(dataKey, aad);
    },
  };
  expect(await storeWith(slow, oldKek).rewrap()).toEqual({ rewrapped: 0, failed: [], remaining: 0 });
  expect(await overtaken).toMatchObject({ rewrapped: 5 });
  expect(await storeWith(newKek).listCurrent("custody")).toHaveLength(5);
});

test("a record that cannot be read is reported and skipped, and the others are rewrapped", async () => {
  const lost = await storeWith(makeLocalKek(randomBytes(32))).save({ purpose: "custody", value });
  await storeWith(oldKek).save({ purpose: "custody", value });
  expect(await storeWith(newKek, oldKek).rewrap({ batchSize: 1 })).toEqual({
    rewrapped: 1,
    failed: [{ id: lost, reason: expect.stringContaining("which is not configured") as string }],
    remaining: 1,
  });
});

test("keys are loaded on first use, once, and again after a failure", async () => {
  let fetched = 0;
  const store = makeSecretStore({
    db: database.db,
    keks: async () => {
      if (++fetched === 1) throw new Error("the token is away");
      return [oldKek];
    },
  });
  expect(await store.list()).toEqual([]);
  expect(fetched).toBe(0);
  await expect(store.save({ purpose: "custody", value })).rejects.toThrow("the token is away");
  await store.save({ purpose: "custody", value });
  await store.listCurrent("custody");
  expect(fetched).toBe(2);
});
