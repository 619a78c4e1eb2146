import { expect, test } from "vitest";
import { makeTokenKey, makeTokenKeySource, readTokenKeys, type KeptTokenKey } from "./token-keys.ts";
import { makeTokens } from "./tokens.ts";

const at = (time: string): Date => new Date(`2026-01-${time}Z`);
const kept = (id: string, createdAt: Date): KeptTokenKey => ({ id, value: makeTokenKey(), createdAt });
const subject = {
  userId: "01890000-0000-7000-8000-000000000001",
  account: "0xd8da6bf26964af9d7eed9e03e53415d37aa96045",
  sessionId: "01890000-0000-7000-8000-000000000002",
} as const;

const tokensWith = (keys: readonly KeptTokenKey[], now: Date) =>
  makeTokens({
    issuer: "https://api.example",
    keys: () => readTokenKeys(keys, new Date(now.getTime() - 86_400_000)),
    clock: { now: () => now },
    accessSeconds: 900,
    refreshSeconds: 86_400,
  });

test("a first key signs at once; a new one after it was published for a day", async () => {
  const [old, young] = [kept("old", at("01T00:00:00")), kept("young", at("10T00:00:00"))];
  const signs = async (now: Date) => (await readTokenKeys([young, old], now)).signing.kid;
  expect((await readTokenKeys([old], at("01T00:00:00"))).signing.kid).toBe("old");
  expect(await signs(at("09T00:00:00"))).toBe("old");
  expect(await signs(at("10T00:00:00"))).toBe("young");
});

test("publishes only the public part of a key", async () => {
  const { published } = await readTokenKeys([kept("one", at("01T00:00:00"))], at("02T00:00:00"));
  expect(Object.keys(published[0] ?? {}).sort()).toEqual(["alg", "crv", "kid", "kty", "use", "x", "y"]);
});

test("a token survives a rotation: it stays valid while the old key is stored", async () => {
  const [old, young] = [kept("old", at("01T00:00:00")), kept("young", at("10T00:00:00"))];
  const token = await tokensWith([old], at("11T23:50:00")).mintAccess(subject);
  const rotated = tokensWith([young, old], at("11T23:55:00"));
  expect(await rotated.readAccess(token)).toEqual(subject);
  expect(await tokensWith([young], at("11T23:55:00")).readAccess(token)).toBeUndefined();
});

test("a token is invalid a second after its expiry, also if it was cached", async () => {
  const key = kept("one", at("01T00:00:00"));
  let now = at("02T12:00:00");
  const tokens = makeTokens({
    issuer: "https://api.example",
    keys: () => readTokenKeys([key], now),
    clock: { now: () => now },
    accessSeconds: 900,
    refreshSeconds: 86_400,
  });
  const token = await tokens.mintAccess(subject);
  expect(await tokens.readAccess(token)).toEqual(subject);
  now = at("02T12:15:01");
  expect(await tokens.readAccess(token)).toBeUndefined();
});

test("rejects tokens of another issuer with the same key", async () => {
  const key = kept("one", at("01T00:00:00"));
  const now = at("02T12:00:00");
  const other = makeTokens({
    issuer: "https://other.example",
    keys: () => readTokenKeys([key], now),
    clock: { now: () => now },
    accessSeconds: 900,
    refreshSeconds: 900,
  });
  expect(await tokensWith([key], now).readAccess(await other.mintAccess(subject))).toBeUndefined();
});

test("reads the keys once a minute, and uses the cached ones while the store is unavailable", async () => {
  let now = at("02T12:00:00");
  let asked = 0;
  let isAway = false;
  const key = kept("one", at("01T00:00:00"));
  const source = makeTokenKeySource({
    clock: { now: () => now },
    keeper: {
      ensure: () => Promise.resolve(),
      listCurrent: () => {
        asked++;
        return isAway ? Promise.reject(new Error("away")) : Promise.resolve([key]);
      },
    },
  });
  await Promise.all([source(), source()]);
  expect(asked).toBe(1);
  isAway = true;
  now = at("02T12:02:00");
  expect((await source()).signing.kid).toBe("one");
});

/** A store with one key, whose answers a test can change. */
function aKeeper() {
  const world = { now: at("02T12:00:00"), asked: [] as string[], isAway: false };
  const keys = [kept("one", at("01T00:00:00"))];
  const source = makeTokenKeySource({
    clock: { now: () => world.now },
    keeper: {
      ensure: async (purpose, make) => void world.asked.push(`${purpose} ${make().length > 100}`),
      listCurrent: async (purpose) => {
        world.asked.push(purpose);
        if (world.isAway) throw new Error("away");
        return keys;
      },
    },
  });
  return { world, keys, source };
}

test("creates a first key if there are none, before it reads them", async () => {
  const { world, source } = aKeeper();
  await source();
  expect(world.asked).toEqual(["token-signing true", "token-signing"]);
});

test("reads the keys again a minute later, and not a millisecond before", async () => {
  const { world, source } = aKeeper();
  await source();
  world.now = new Date(at("02T12:01:00").getTime() - 1);
  await source();
  expect(world.asked).toHaveLength(2);
  world.now = at("02T12:01:00");
  await source();
  expect(world.asked).toHaveLength(4);
});

test("a new key signs once it was published for a day", async () => {
  const { world, source, keys } = aKeeper();
  keys.push(kept("two", at("02T12:00:00")));
  world.now = new Date(at("03T12:00:00").getTime() - 1);
  expect((await source()).signing.kid).toBe("one");
  world.now = at("03T12:01:00");
  expect((await source()).signing.kid).toBe("two");
});

test("fails while the first keys cannot be read, and retries at once", async () => {
  const { world, source } = aKeeper();
  world.isAway = true;
  await expect(source()).rejects.toThrow("away");
  world.isAway = false;
  expect((await source()).signing.kid).toBe("one");
});

test("keeps the cached keys for a minute if they cannot be read again", async () => {
  const { world, source } = aKeeper();
  const first = await source();
  world.isAway = true;
  world.now = at("02T12:02:00");
  expect(await source()).toBe(first);
  const { length } = world.asked;
  await source();
  expect(world.asked).toHaveLength(length);
  world.isAway = false;
  world.now = at("02T12:03:00");
  expect(await source()).not.toBe(first);
});

test("a key is a private key on P-256", () => {
  expect(JSON.parse(makeTokenKey().toString())).toMatchObject({
    ...{ kty: "EC", crv: "P-256" },
    d: expect.stringMatching(/^[\w-]{43}$/) as string,
  });
});

test("published keys state their use", async () => {
  const one = kept("one", at("01T00:00:00"));
  const { published } = await readTokenKeys([one], at("02T00:00:00"));
  const { kty, crv, x, y } = JSON.parse(one.value.toString()) as Record<string, string>;
  expect(published).toEqual([{ kty, crv, x, y, kid: "one", alg: "ES256", use: "sig" }]);
});

test("fails without a key, and with one that is not an EC key", async () => {
  await expect(readTokenKeys([], at("02T00:00:00"))).rejects.toThrow("no key");
  const secret = { id: "one", value: Buffer.from('{"kty":"oct","k":"AA"}'), createdAt: at("01T00:00:00") };
  await expect(readTokenKeys([secret], at("02T00:00:00"))).rejects.toThrow();
});

test("the first key signs if none was published for a day", async () => {
  const [one, two] = [kept("one", at("01T00:00:00")), kept("two", at("02T00:00:00"))];
  expect((await readTokenKeys([two, one], new Date(0))).signing.kid).toBe("one");
});
