import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { loadConfig } from "../config/index.ts";
import { makeLog } from "../log/index.ts";
import { makeTempDir } from "@countersign/tools/testing";
import { kekSettings, loadKeks, makeLocalKek, type Keks } from "./index.ts";

const dir = makeTempDir("keys");
afterAll(() => {
  rmSync(dir, { recursive: true });
});
const file = join(dir, "keys/secrets.key");
beforeEach(() => {
  rmSync(join(dir, "keys"), { recursive: true, force: true });
});

const Config = z.object(kekSettings("test"));
const log = makeLog({ app: "test", level: "silent" });
const load = (settings: Readonly<Record<string, string>> = {}): Promise<Keks> =>
  loadKeks(loadConfig(Config, { SECRETS_KEY_FILE: file, ...settings }), { appRoot: dir, log });
const textOf = (fill: number): string => Buffer.alloc(32, fill).toString("base64");
const idOf = (fill: number): string => makeLocalKek(Buffer.alloc(32, fill)).id;
const idsOf = async (keks: Promise<Keks>): Promise<readonly string[]> => (await keks).map(({ id }) => id);

test("makes a key file that only its owner may read, and finds the same key in it again", async () => {
  const [made] = await load();
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(join(dir, "keys")).mode & 0o777).toBe(0o700);
  expect((await load())[0].id).toBe(made.id);
});

test("a relative path counts from the app's folder", async () => {
  const { id } = (await load())[0];
  expect((await load({ SECRETS_KEY_FILE: "keys/secrets.key" }))[0].id).toBe(id);
});

test("several that start at once make one key file and leave nothing else behind", async () => {
  const ids = await Promise.all(Array.from({ length: 8 }, async () => (await load())[0].id));
  expect(new Set(ids).size).toBe(1);
  expect(readdirSync(join(dir, "keys"))).toEqual(["secrets.key"]);
});

test.each(["644", "640", "604", "620"])("refuses a key file with mode %s", async (mode) => {
  await load();
  chmodSync(file, Number.parseInt(mode, 8));
  await expect(load()).rejects.toThrow(
    `SECRETS_KEY_FILE: ${file} has mode ${mode}, so others may have read it`,
  );
  // Also when it would only be used to open: it is no better a secret then.
  await expect(load({ SECRETS_KEY: textOf(1) })).rejects.toThrow(`has mode ${mode}`);
});

test("refuses a key file that holds something else, without repeating it", async () => {
  await load();
  writeFileSync(file, "hunter2");
  const error = await load().catch((problem: unknown) => problem);
  expect(String(error)).toContain("does not hold 32 bytes in base64");
  expect(String(error)).not.toContain("hunter2");
});

test("says which file it could not read or make", async () => {
  await load();
  await expect(load({ SECRETS_KEY_FILE: join(file, "below-a-file") })).rejects.toThrow(
    `SECRETS_KEY_FILE: ${file}/below-a-file cannot be read (ENOTDIR`,
  );
  await expect(load({ SECRETS_KEY_FILE: join(dir, "x".repeat(250)) })).rejects.toThrow(
    `${"x".repeat(250)} cannot be made (ENAMETOOLONG`,
  );
});

test("with SECRETS_KEY no file is made; one that is there still opens what it sealed", async () => {
  expect(await idsOf(load({ SECRETS_KEY: textOf(1) }))).toEqual([idOf(1)]);
  expect(existsSync(file)).toBe(false);
  const [{ id }] = await load();
  expect(await idsOf(load({ SECRETS_KEY: textOf(1) }))).toEqual([idOf(1), id]);
});

test("previous keys only open, and the file's key is known by the same name among them", async () => {
  const [{ id }] = await load();
  const text = readFileSync(file, "utf8").trim();
  rmSync(file);
  expect(
    await idsOf(load({ SECRETS_KEY: textOf(1), SECRETS_PREVIOUS_KEYS: `${textOf(2)}, ${text}` })),
  ).toEqual([idOf(1), idOf(2), id]);
});

test.each([
  ["SECRETS_KEY", "aHVudGVyMg=="],
  ["SECRETS_KEY", `${textOf(1).slice(0, -2)}F=`],
  ["SECRETS_PREVIOUS_KEYS", `${textOf(1)},aHVudGVyMg==`],
])("refuses a %s that is not 32 bytes in base64: %s", (name, value) => {
  expect(() => loadConfig(Config, { [name]: value })).toThrow(/must (each )?be 32 bytes in base64$/);
});

test("lists every missing setting of a token", async () => {
  await expect(load({ SECRETS_PKCS11_MODULE: "/nowhere.so" })).rejects.toMatchObject({
    problems: [
      "SECRETS_PKCS11_TOKEN is required with SECRETS_PKCS11_MODULE and not set",
      "SECRETS_PKCS11_PIN is required with SECRETS_PKCS11_MODULE and not set",
      "SECRETS_PKCS11_KEY_LABELS is required with SECRETS_PKCS11_MODULE and not set",
    ],
  });
});

test("does not fall back to a file when the token cannot be had", async () => {
  await expect(
    load({
      SECRETS_PKCS11_MODULE: "/nowhere.so",
      SECRETS_PKCS11_TOKEN: "t",
      SECRETS_PKCS11_PIN: "123456",
      SECRETS_PKCS11_KEY_LABELS: "k",
    }),
  ).rejects.toThrow("SECRETS_PKCS11_*: ");
  expect(existsSync(file)).toBe(false);
});
