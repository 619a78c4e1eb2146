// Secrets under keys of both key services, as a service loads them.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "node:util";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { loadConfig } from "../config/index.ts";
import { makeLog } from "../log/index.ts";
import { makeTempDir, startTestKms, type KmsStandIn, type TestKms } from "@countersign/tools/testing";
import {
  kekSettings,
  loadKeks,
  makeLocalKek,
  openSecret,
  rewrapDataKey,
  sealSecret,
  type Keks,
} from "./index.ts";

const dir = makeTempDir("kms-keks");
const log = makeLog({ app: "test", level: "silent" });
const Config = z.object(kekSettings("test"));
let kms: TestKms;
beforeAll(async () => {
  kms = await startTestKms(dir);
});
beforeEach(() => {
  for (const [name, value] of Object.entries(kms.environment)) vi.stubEnv(name, value);
});
afterEach(() => {
  vi.unstubAllEnvs();
  for (const one of [kms.aws, kms.google]) one.behave("good");
});
afterAll(async () => {
  await kms.close();
  rmSync(dir, { recursive: true });
});

const load = (settings: Readonly<Record<string, string>>): Promise<Keks> =>
  loadKeks(
    loadConfig(Config, {
      SECRETS_KEY_FILE: join(dir, "none.key"),
      KMS_TIMEOUT_MS: "20000",
      ...kms.environment,
      ...settings,
    }),
    {
      appRoot: dir,
      log,
    },
  );
const place = { id: "0190b4a8-0000-7000-8000-000000000001", purpose: "jwt-signing" };
const value = Buffer.from("a secret value");

describe.each(["aws", "google"] as const)("keys in %s", (which) => {
  const standIn = (): KmsStandIn => kms[which];

  test("seal and open a secret, bound to its place", async () => {
    const keks = await load({ SECRETS_KMS_KEYS: standIn().addWrappingKey() });
    const sealed = await sealSecret(keks[0], { ...place, value });
    expect(await openSecret(keks, sealed)).toEqual(value);
    await expect(openSecret(keks, { ...sealed, purpose: "other" })).rejects.toMatchObject({
      code: "does-not-open",
    });
    const flipped = Buffer.from(sealed.wrappedKey.map((byte, index) => (index === 20 ? byte ^ 1 : byte)));
    await expect(openSecret(keks, { ...sealed, wrappedKey: flipped })).rejects.toMatchObject({
      code: "does-not-open",
    });
  });

  test("take over from a local key: the first seals, a previous key still opens", async () => {
    const old = makeLocalKek(Buffer.alloc(32, 1));
    const sealed = await sealSecret(old, { ...place, value });
    const name = standIn().addWrappingKey();
    const previous = Buffer.alloc(32, 1).toString("base64");
    const keks = await load({ SECRETS_KMS_KEYS: name, SECRETS_PREVIOUS_KEYS: previous });
    const moved = { ...sealed, ...(await rewrapDataKey(keks, sealed)) };
    expect(moved.kekId).toBe(name);
    expect(await openSecret(await load({ SECRETS_KMS_KEYS: name }), moved)).toEqual(value);
  });

  test("an outage while opening is not taken for a changed secret", async () => {
    const keks = await load({ SECRETS_KMS_KEYS: standIn().addWrappingKey() });
    const sealed = await sealSecret(keks[0], { ...place, value });
    standIn().behave("fails");
    await expect(openSecret(keks, sealed)).rejects.toMatchObject({
      name: "KeyServiceError",
      code: "unavailable",
    });
  });

  test.each(["fails", "denies", "names-another-key", "changes-a-bit"] as const)(
    "stop the start if the service %s, and name the setting",
    async (how) => {
      const name = standIn().addWrappingKey();
      standIn().behave(how);
      const error: unknown = await load({ SECRETS_KMS_KEYS: name }).catch((problem: unknown) => problem);
      expect(String(error)).toContain("SECRETS_KMS_KEYS: ");
      expect(inspect(error, { depth: 10, showHidden: true })).not.toMatch(/AKIA|Bearer|denied:/);
    },
  );
});

test("keys of several services can be configured; the first seals", async () => {
  const names = [kms.google.addWrappingKey(), kms.aws.addWrappingKey()];
  const keks = await load({
    SECRETS_KMS_KEYS: names.join(", "),
    SECRETS_KEY: Buffer.alloc(32, 2).toString("base64"),
  });
  expect(keks.map(({ id }) => id)).toEqual([...names, makeLocalKek(Buffer.alloc(32, 2)).id]);
});

test.each([
  ["an alias", { SECRETS_KMS_KEYS: "alias/countersign" }, "SECRETS_KMS_KEYS: must each be the ARN"],
  ["plain http", { AWS_KMS_URL: "http://kms.example" }, "AWS_KMS_URL: must be https, except on this machine"],
])("refuses %s", async (_, settings, problem) => {
  await expect(async () => load(settings)).rejects.toThrow(problem);
});
