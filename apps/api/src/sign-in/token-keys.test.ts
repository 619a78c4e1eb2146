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

test("a first key signs at once; a new one only when everybody had a day to learn of it", async () => {
  const [old, young] = [kept("old", at("01T00:00:00")), kept("young", at("10T00:00:00"))];
  const signs = async (now: Date) => (await readTokenKeys([young, old], now)).signing.kid;
  expect((await readTokenKeys([old], at("01T00:00:00"))).signing.kid).toBe("old");
  expect(await signs(at("09T00:00:00"))).toBe("old");
  expect(await signs(at("10T00:00:00"))).toBe("young");
});

test("a key is published with its public part only", async () => {
  const { published } = await readTokenKeys([kept("one", at("01T00:00:00"))], at("02T00:00:00"));
  expect(Object.keys(published[0] ?? {}).sort()).toEqual(["alg", "crv", "kid", "kty", "use", "x", "y"]);
});

test("a token lives through a rotation: what the old key signed is good as long as the old key is kept", async () => {
  const [old, young] = [kept("old", at("01T00:00:00")), kept("young", at("10T00:00:00"))];
  const token = await tokensWith([old], at("11T23:50:00")).mintAccess(subject);
  const rotated = tokensWith([young, old], at("11T23:55:00"));
  expect(await rotated.readAccess(token)).toEqual(subject);
  expect(await tokensWith([young], at("11T23:55:00")).readAccess(token)).toBeUndefined();
});

test("a token is over a second after its time, also one that was seen before", async () => {
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

test("tokens of another issuer are not ours, though the key is", async () => {
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

test("keys are asked for once a minute, and those at hand serve while the keeper is away", async () => {
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
