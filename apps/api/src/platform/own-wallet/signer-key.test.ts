import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { makeSignerKey } from "./signer-key.ts";

const purpose = "registrar-key";
const kept = randomBytes(32);
const keeperOf = (value: Buffer) => ({ ensure: () => Promise.resolve({ value }) });

test("the setting takes precedence over the secret store, which is then not read", async () => {
  const setting = `0x${"11".repeat(32)}`;
  const keeper = { ensure: () => Promise.reject(new Error("asked")) };
  expect(await makeSignerKey({ purpose, setting, keeper })()).toBe(setting);
});

test("without a setting it is the one stored under its purpose; the first is 32 bytes", async () => {
  const readKey = makeSignerKey({ purpose, setting: undefined, keeper: keeperOf(kept) });
  expect(await readKey()).toBe(`0x${kept.toString("hex")}`);
  const names: string[] = [];
  const ensure = (name: string, make: () => Buffer) => {
    names.push(name);
    return Promise.resolve({ value: make() });
  };
  const making = makeSignerKey({ purpose, setting: undefined, keeper: { ensure } });
  expect(await making()).toMatch(/^0x[0-9a-f]{64}$/);
  expect(names).toEqual([purpose]);
});

test("rejects a stored secret of another length", async () => {
  const readKey = makeSignerKey({ purpose, setting: undefined, keeper: keeperOf(randomBytes(31)) });
  await expect(readKey()).rejects.toThrow("32 bytes");
});
