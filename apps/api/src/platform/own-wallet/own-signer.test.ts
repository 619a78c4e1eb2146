import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { recoverTransactionAddress } from "viem";
import { privateKeyToAddress } from "viem/accounts";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { makeTempDir, startTestKms, type TestKms } from "@countersign/tools/testing";
import { describeSigner, makeOwnSigner } from "./own-signer.ts";

const dir = makeTempDir("own-signer");
let kms: TestKms;
beforeAll(async () => {
  kms = await startTestKms(dir);
});
beforeEach(() => {
  for (const [name, value] of Object.entries(kms.environment)) vi.stubEnv(name, value);
});
afterEach(() => {
  vi.unstubAllEnvs();
  kms.aws.behave("good");
});
afterAll(async () => {
  await kms.close();
  rmSync(dir, { recursive: true });
});

const noStore = { ensure: () => Promise.reject(new Error("the secret store was asked")) };
const reach = () => ({
  AWS_KMS_URL: kms.aws.url,
  GOOGLE_KMS_URL: kms.google.url,
  KMS_TIMEOUT_MS: 20_000,
});
const privateKey = `0x${"11".repeat(32)}` as const;
const transaction = { type: "eip1559", chainId: 1, nonce: 0, gas: 21_000n, maxFeePerGas: 1n } as const;

describe.each(["registrar", "recorder"] as const)("the signer of the %s", (role) => {
  const prefix = role === "registrar" ? "REGISTRAR" : "RECORDER";

  test.each(["aws", "google"] as const)(
    "signs with its key in %s, not with the secret store",
    async (which) => {
      const { name, address } = kms[which].addSigningKey();
      const settings = { ...reach(), [`${prefix}_KMS_KEY`]: name, [`${prefix}_KMS_ADDRESS`]: address };
      const signer = await makeOwnSigner(role, settings, noStore)();
      expect(signer.address).toBe(address);
      const bytes = (await signer.signTransaction({ ...transaction, to: address })) as `0x02${string}`;
      expect(await recoverTransactionAddress({ serializedTransaction: bytes })).toBe(address);
      expect(describeSigner(role, settings)).toBe(name);
    },
  );

  test("is the configured key, or else the one in the secret store", async () => {
    const settings = { ...reach(), [`${prefix}_PRIVATE_KEY`]: privateKey };
    expect((await makeOwnSigner(role, settings, noStore)()).address).toBe(privateKeyToAddress(privateKey));
    expect(describeSigner(role, settings)).toBe(`${prefix}_PRIVATE_KEY`);
    const value = randomBytes(32);
    const purposes: string[] = [];
    const ensure = (purpose: string) => {
      purposes.push(purpose);
      return Promise.resolve({ value });
    };
    const stored = await makeOwnSigner(role, reach(), { ensure })();
    expect(stored.address).toBe(privateKeyToAddress(`0x${value.toString("hex")}`));
    expect(purposes).toEqual([`${role}-key`]);
    expect(describeSigner(role, reach())).toBe("the secret store");
  });

  test("is refused if two keys are configured", () => {
    const settings = {
      ...reach(),
      [`${prefix}_PRIVATE_KEY`]: privateKey,
      [`${prefix}_KMS_KEY`]: kms.aws.addSigningKey().name,
    };
    expect(() => makeOwnSigner(role, settings, noStore)).toThrow(
      `${prefix}_PRIVATE_KEY and ${prefix}_KMS_KEY are both set: remove one`,
    );
  });

  test("recovers from an outage of the key service without a restart, and asks for the address once", async () => {
    const { name, address } = kms.aws.addSigningKey();
    const settings = { ...reach(), [`${prefix}_KMS_KEY`]: name, [`${prefix}_KMS_ADDRESS`]: address };
    const open = makeOwnSigner(role, settings, noStore);
    kms.aws.behave("fails");
    await expect(open()).rejects.toMatchObject({ code: "unavailable" });
    kms.aws.behave("good");
    kms.aws.calls.length = 0;
    await open();
    await open();
    expect(kms.aws.calls).toEqual(["GetPublicKey", "Sign"]);
  });
});
