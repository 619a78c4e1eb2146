import { expect, test } from "vitest";
import type { KeyCaller } from "./authenticate.ts";
import { isOwnerOrServer } from "./is-owner-or-server.ts";

const account = `0x${"a1".repeat(20)}` as const;
const other = `0x${"a1".repeat(19)}a0` as const;
const aKey = (type: string, of: string | null) => ({ scheme: "apiKey", type, account: of }) as KeyCaller;

test.each([
  ["the owner signed in", { scheme: "jwt", account } as const, true],
  ["the owner by signature", { scheme: "signature", account } as const, true],
  ["a key of the owner", aKey("user", account), true],
  ["an ADMIN key", aKey("admin", null), true],
  ["an ORION key", aKey("orion", null), true],
  ["another account signed in", { scheme: "jwt", account: other } as const, false],
  ["a key of another account", aKey("user", other), false],
  [
    "another account that calls itself ADMIN",
    { scheme: "jwt", account: other, type: "admin" } as const,
    false,
  ],
])("%s: %s", (_, caller, expected) => {
  expect(isOwnerOrServer(caller, account)).toBe(expected);
});
