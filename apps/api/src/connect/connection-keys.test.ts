import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { makeConnectionKeys } from "./connection-keys.ts";

/** A secret store whose current secret can be replaced. */
function aKeeper() {
  const kept = [{ id: "first", value: randomBytes(32) }];
  const read = (id: string) => {
    const found = kept.find((secret) => secret.id === id);
    return found === undefined ? Promise.reject(new Error("no such secret")) : Promise.resolve(found);
  };
  return {
    ensure: () => read(kept.at(-1)?.id ?? ""),
    read,
    rotate: () => kept.push({ id: "second", value: randomBytes(32) }),
  };
}

const code = "0123456789abcdef0123456789abcdef";
const keyId = "01890000-0000-7000-8000-000000000000";

test("derives the same key again, also after the secret was rotated", async () => {
  const keeper = aKeeper();
  const keys = makeConnectionKeys({ keeper, environment: "test" });
  const { key, secretId } = await keys.make(code, keyId);
  keeper.rotate();
  expect(await keys.remake(code, keyId, secretId)).toBe(key);
  expect((await keys.make(code, keyId)).key).not.toBe(key);
});

test("another code, id or service secret gives another key", async () => {
  const keys = makeConnectionKeys({ keeper: aKeeper(), environment: "test" });
  const made = await Promise.all([
    keys.make(code, keyId),
    keys.make(code.replace("0", "1"), keyId),
    keys.make(code, keyId.replace("7", "8")),
    makeConnectionKeys({ keeper: aKeeper(), environment: "test" }).make(code, keyId),
  ]);
  expect(new Set(made.map(({ key }) => key)).size).toBe(4);
});
