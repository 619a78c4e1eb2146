// Both official clients against the stand-ins, which check signatures and checksums.
import { inspect } from "node:util";
import { rmSync } from "node:fs";
import { parseTransaction, recoverTransactionAddress, recoverTypedDataAddress } from "viem";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import {
  makeTempDir,
  startTestKms,
  type Behaviour,
  type KmsStandIn,
  type TestKms,
} from "@countersign/tools/testing";
import { connectSigningKey, connectWrappingKey, type KmsSettings, type SigningAccount } from "./index.ts";

const dir = makeTempDir("kms");
let kms: TestKms;
let settings: KmsSettings;
beforeAll(async () => {
  kms = await startTestKms(dir);
  const { AWS_KMS_URL, GOOGLE_KMS_URL } = kms.environment;
  settings = { AWS_KMS_URL, GOOGLE_KMS_URL, KMS_TIMEOUT_MS: 20_000 };
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

const domain = { name: "Countersign", version: "1", chainId: 1 } as const;
const typedData = {
  domain,
  types: { Note: [{ name: "text", type: "string" }] },
  primaryType: "Note",
  message: { text: "hello" },
} as const;
const failureOf = async (running: Promise<unknown>): Promise<Error & { code?: string }> => {
  const error: unknown = await running.then(
    () => undefined,
    (problem: unknown) => problem,
  );
  if (error instanceof Error) return error;
  return expect.unreachable("it succeeded");
};

describe.each(["aws", "google"] as const)("a key in %s", (which) => {
  const standIn = (): KmsStandIn => kms[which];
  const dataKey = Buffer.alloc(32, 0x5a);
  const aad = Buffer.from('["secrets","wrapped_key","1","jwt"]');
  const open = (
    key: { readonly name: string; readonly address?: string | undefined },
    changes: Partial<KmsSettings> = {},
  ): Promise<SigningAccount> =>
    connectSigningKey(
      { name: key.name, address: key.address, addressSetting: "VERDICT_KMS_ADDRESS" },
      { ...settings, ...changes },
    );

  describe("that encrypts", () => {
    test("opens what it encrypted, and only with the same additional data and the same key", async () => {
      const [one, other] = await Promise.all([
        connectWrappingKey(standIn().addWrappingKey(), settings),
        connectWrappingKey(standIn().addWrappingKey(), settings),
      ]);
      const wrapped = await one.encrypt(dataKey, aad);
      expect(wrapped.includes(dataKey)).toBe(false);
      expect(await one.decrypt(wrapped, aad)).toEqual(dataKey);
      for (const opening of [one.decrypt(wrapped, Buffer.from("elsewhere")), other.decrypt(wrapped, aad)])
        expect(await failureOf(opening)).toMatchObject({ code: "does-not-open" });
    });

    test.each([
      ["fails", "unavailable"],
      ["limits", "unavailable"],
      ["denies", "refused"],
      ["names-another-key", "wrong-key"],
    ] as const)(
      "reports a service that %s as %s, without the plaintext or a credential",
      async (how, code) => {
        const key = await connectWrappingKey(standIn().addWrappingKey(), settings);
        standIn().behave(how);
        const error = await failureOf(key.encrypt(dataKey, aad));
        expect(error).toMatchObject({ name: "KeyServiceError", code });
        const told = inspect(error, { depth: 10, showHidden: true });
        for (const secret of [dataKey.toString("base64"), "AKIA", "Bearer", "Authorization", "authorization"])
          expect(told).not.toContain(secret);
      },
    );

    test("gives up on a service that does not answer", async () => {
      const key = await connectWrappingKey(standIn().addWrappingKey(), { ...settings, KMS_TIMEOUT_MS: 300 });
      standIn().behave("slow");
      const since = performance.now();
      expect(await failureOf(key.encrypt(dataKey, aad))).toMatchObject({ code: "unavailable" });
      expect(performance.now() - since).toBeLessThan(2_500);
    });

    test("reports a key that does not exist as refused", async () => {
      const missing = standIn()
        .addWrappingKey()
        .replace(/[0-9a-f]{8}(?=-)/, "00000000");
      const key = await connectWrappingKey(missing, settings);
      expect(await failureOf(key.encrypt(dataKey, aad))).toMatchObject({ code: "refused" });
    });

    test("reports wrong credentials as refused, without repeating them", async () => {
      vi.stubEnv("AWS_SECRET_ACCESS_KEY", "not-the-secret");
      const other = await startTestKms(makeTempDir("kms-other"));
      vi.stubEnv("GOOGLE_APPLICATION_CREDENTIALS", other.environment["GOOGLE_APPLICATION_CREDENTIALS"]);
      await other.close();
      const key = await connectWrappingKey(standIn().addWrappingKey(), settings);
      const error = await failureOf(key.encrypt(dataKey, aad));
      expect(error).toMatchObject({ code: "refused" });
      expect(inspect(error, { depth: 10, showHidden: true })).not.toContain("not-the-secret");
    });
  });

  describe("that signs", () => {
    test("signs typed data and transactions as its address, with the lower s", async () => {
      const key = standIn().addSigningKey();
      const account = await open(key);
      expect(account.address).toBe(key.address);
      const signature = await account.signTypedData(typedData);
      expect(await recoverTypedDataAddress({ ...typedData, signature })).toBe(key.address);
      // Enough for both values of s and of the parity.
      for (let nonce = 0; nonce < 8; nonce++) {
        const transaction = { type: "eip1559", chainId: 1, nonce, gas: 21_000n, maxFeePerGas: 1n } as const;
        const bytes = await account.signTransaction({ ...transaction, to: key.address });
        expect(await recoverTransactionAddress({ serializedTransaction: bytes as `0x02${string}` })).toBe(
          key.address,
        );
        expect(BigInt(parseTransaction(bytes as `0x02${string}`).s ?? 0)).toBeLessThanOrEqual(
          0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n,
        );
      }
    });

    test("refuses to start without the address, and names it", async () => {
      const { name, address } = standIn().addSigningKey();
      await expect(open({ name })).rejects.toThrow(
        `VERDICT_KMS_ADDRESS is required: the key in the key service has the address ${address}`,
      );
    });

    test("refuses a key with another address", async () => {
      const [{ name }, { address }] = [standIn().addSigningKey(), standIn().addSigningKey()];
      await expect(open({ name, address })).rejects.toThrow(
        /VERDICT_KMS_KEY: .* has the address 0x.*, not 0x/,
      );
    });

    test("refuses a key on another curve", async () => {
      const name = standIn().addKeyOnAnotherCurve();
      await expect(open({ name })).rejects.toThrow("is not a key pair on the curve secp256k1");
    });

    test.each(["uses-another-key", "garbles", "changes-a-bit", "names-another-key"] as const)(
      "never returns a signature of a service that %s",
      async (how: Behaviour) => {
        const account = await open(standIn().addSigningKey());
        standIn().behave(how);
        const error = await failureOf(account.signTypedData(typedData));
        expect(error).toMatchObject({ name: "KeyServiceError" });
        expect(["wrong-key", "unavailable"]).toContain(error.code);
      },
    );

    test("finds a missing permission at the start", async () => {
      const key = standIn().addSigningKey();
      standIn().behave("denies");
      await expect(open(key)).rejects.toThrow(/VERDICT_KMS_KEY: .*(AccessDenied|PERMISSION_DENIED)/);
    });

    test("reports an outage as one, so that the caller retries", async () => {
      const key = standIn().addSigningKey();
      standIn().behave("fails");
      await expect(open(key)).rejects.toMatchObject({ name: "KeyServiceError", code: "unavailable" });
    });
  });
});

test.each([
  "alias/countersign",
  "arn:aws:kms:eu-central-1:111122223333:alias/countersign",
  "1234abcd-12ab-34cd-56ef-1234567890ab",
  "projects/p/locations/l/keyRings/r",
  "projects/p/locations/l/keyRings/r/cryptoKeys/k/cryptoKeyVersions/",
  "projects/p/locations/l/keyRings/r/cryptoKeys/../x",
  "",
])("does not accept the name %j", async (name) => {
  await expect(connectWrappingKey(name, settings)).rejects.toThrow("is not the name of a key");
});

test("reports a key of AWS with another purpose as refused", async () => {
  const key = await connectWrappingKey(kms.aws.addSigningKey().name, settings);
  const error = await failureOf(key.encrypt(Buffer.alloc(32), Buffer.alloc(0)));
  expect(error).toMatchObject({ code: "refused" });
  expect(error.message).toContain("InvalidKeyUsageException");
});

test("reports missing credentials of Google, and leaves no rejected promise behind", async () => {
  vi.stubEnv("GOOGLE_APPLICATION_CREDENTIALS", "/nowhere/service-account.json");
  const connecting = connectWrappingKey(kms.google.addWrappingKey(), settings);
  expect(await failureOf(connecting)).toMatchObject({ name: "KeyServiceError", code: "refused" });
  const { name, address } = kms.google.addSigningKey();
  await expect(
    connectSigningKey({ name, address, addressSetting: "VERDICT_KMS_ADDRESS" }, settings),
  ).rejects.toThrow("VERDICT_KMS_KEY: Google Cloud KMS: no credentials found");
});

test("encrypts with a key of Google and signs with a version, never the reverse", async () => {
  const name = "projects/p/locations/l/keyRings/r/cryptoKeys/k";
  await expect(connectWrappingKey(`${name}/cryptoKeyVersions/1`, settings)).rejects.toThrow("not the name");
  const key = { name, address: undefined, addressSetting: "VERDICT_KMS_ADDRESS" };
  await expect(connectSigningKey(key, settings)).rejects.toThrow("not the name");
});
