import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { makeRegistrarKey } from "./registrar-key.ts";

const kept = randomBytes(32);
const keeperOf = (value: Buffer) => ({ ensure: () => Promise.resolve({ value }) });

test("the setting goes before the secret store, which is then not asked", async () => {
  const setting = `0x${"11".repeat(32)}`;
  const keeper = { ensure: () => Promise.reject(new Error("asked")) };
  expect(await makeRegistrarKey({ setting, keeper })()).toBe(setting);
});

test("without a setting it is the kept one; the first is 32 bytes", async () => {
  expect(await makeRegistrarKey({ setting: undefined, keeper: keeperOf(kept) })()).toBe(
    `0x${kept.toString("hex")}`,
  );
  const making = { ensure: (_: string, make: () => Buffer) => Promise.resolve({ value: make() }) };
  expect(await makeRegistrarKey({ setting: undefined, keeper: making })()).toMatch(/^0x[0-9a-f]{64}$/);
});

test("a kept secret of another length is not taken for a key", async () => {
  const readKey = makeRegistrarKey({ setting: undefined, keeper: keeperOf(randomBytes(31)) });
  await expect(readKey()).rejects.toThrow("32 bytes");
});
