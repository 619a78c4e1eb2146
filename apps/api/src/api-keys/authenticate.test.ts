import { describe, expect, test } from "vitest";
import { makeKeyAuthenticator } from "./authenticate.ts";
import { makeKey } from "./key-format.ts";
import { hmacOf, type Pepper } from "./peppers.ts";
import type { ApiKeyStore } from "./store.ts";

const peppers: readonly [Pepper, Pepper] = [
  { id: "new", value: Buffer.alloc(32, 2) },
  { id: "old", value: Buffer.alloc(32, 1) },
];
const key = makeKey("user", "live");
const account = `0x${"a1".repeat(20)}` as const;
const stored = { id: "key-1", type: "user", label: "agent", account, userId: "user-1", scopes: ["one"] };

/** A store with one key, hashed with the given pepper. */
function anAuthenticator(under: Pepper = peppers[0]) {
  const asked: (readonly Buffer[])[] = [];
  const noted: unknown[] = [];
  const store = {
    findUsable: async (hmacs: readonly Buffer[]) => {
      asked.push(hmacs);
      return hmacs.some((hmac) => hmac.equals(hmacOf(key, under))) ? stored : undefined;
    },
    noteUse: async (...use: unknown[]) => void noted.push(use),
  } as unknown as ApiKeyStore;
  const authenticator = makeKeyAuthenticator({ store, peppers: async () => peppers });
  const present = (value: string | string[] | undefined) =>
    ({ headers: value === undefined ? {} : { "x-api-key": value }, ip: "10.0.0.1" }) as Parameters<
      typeof authenticator.authenticate
    >[0];
  return {
    ...{ authenticator, asked, noted },
    isPresented: (value: string | string[] | undefined) => authenticator.isPresented(present(value)),
    authenticate: (value: string | string[] | undefined) => authenticator.authenticate(present(value)),
  };
}

test("is documented as the x-api-key header", () => {
  const { authenticator } = anAuthenticator();
  expect(authenticator).toMatchObject({
    scheme: "apiKey",
    security: { type: "apiKey", in: "header", name: "x-api-key" },
    challenge: 'ApiKey header="x-api-key"',
  });
});

test("any x-api-key header counts as a presented credential", () => {
  const { isPresented } = anAuthenticator();
  expect([isPresented(undefined), isPresented(""), isPresented(key)]).toEqual([false, true, true]);
});

describe("a usable key", () => {
  test.each(peppers)("authenticates its holder under the pepper $id and records its use", async (pepper) => {
    const { authenticate, noted } = anAuthenticator(pepper);
    expect(await authenticate(key)).toEqual({
      ...{ scheme: "apiKey", subject: "key-1", keyId: "key-1" },
      ...{ type: "user", label: "agent", account, userId: "user-1", scopes: ["one"] },
    });
    expect(noted).toEqual([["key-1", "10.0.0.1"]]);
  });
});

describe("is rejected", () => {
  test("an unknown key", async () => {
    const { authenticate, asked, noted } = anAuthenticator();
    expect(await authenticate(makeKey("user", "live"))).toBeUndefined();
    expect([asked.length, noted]).toEqual([1, []]);
  });
  test.each([
    ["with its last character changed", key.slice(0, -1) + (key.endsWith("0") ? "1" : "0")],
    ["that is one character short", key.slice(0, -1)],
    ["sent twice", [key, key]],
    ["sent as a list", [key]],
    ["that is empty", ""],
    ["that is missing", undefined],
  ])("a key %s, without a database query", async (_, value) => {
    const { authenticate, asked } = anAuthenticator();
    expect(await authenticate(value)).toBeUndefined();
    expect(asked).toEqual([]);
  });
});
