import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { hmacOf, makePeppers, type Pepper } from "./peppers.ts";

const aPepper = (byte: number): Pepper => ({ id: `pepper-${byte}`, value: Buffer.alloc(32, byte) });

test("the HMAC is SHA-256 keyed with the pepper", () => {
  const one = aPepper(1);
  const expected = createHmac("sha256", one.value).update("key").digest();
  expect(hmacOf("key", one)).toEqual(expected);
  expect(hmacOf("key", one)).toEqual(expected);
  expect(hmacOf("key", aPepper(2))).not.toEqual(expected);
  expect(hmacOf("kez", one)).not.toEqual(expected);
});

/** A secret store with these peppers. */
function aKeeper(kept: readonly Pepper[]) {
  const made: unknown[] = [];
  let listed = 0;
  const peppers = makePeppers({
    ensure: async (purpose, make) => void made.push([purpose, make().length]),
    listCurrent: async (purpose) => {
      listed++;
      return purpose === "api-key-pepper" ? kept : [];
    },
  });
  return { peppers, made, listed: () => listed };
}

test("returns all peppers in the store's order and reads them once", async () => {
  const kept = [aPepper(2), aPepper(1)];
  const { peppers, made, listed } = aKeeper(kept);
  expect(await peppers()).toEqual(kept);
  expect(await peppers()).toEqual(kept);
  expect(made).toEqual([["api-key-pepper", 32]]);
  expect(listed()).toBe(1);
});

test("creates random peppers", async () => {
  const values: string[] = [];
  const make = makePeppers({
    ensure: async (_, makeOne) => void values.push(makeOne().toString("hex"), makeOne().toString("hex")),
    listCurrent: async () => [aPepper(1)],
  });
  await make();
  expect(new Set(values).size).toBe(2);
});

test("fails if the store has no pepper", async () => {
  await expect(aKeeper([]).peppers()).rejects.toThrow("no pepper");
});
