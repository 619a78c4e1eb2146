import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generateKey } from "openpgp";
import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import { loadConfig } from "@countersign/platform/config";
import { makeLog } from "@countersign/platform/log";
import { recoverAttestationSigner, type Verdict } from "@countersign/wire";
import { makeTempDir, startTestKms } from "@countersign/tools/testing";
import { manageKeys } from "../admin/keys.ts";
import { Config } from "../config.ts";
import { aWord, anAddress, domain, sealTo } from "../../test/proposals.ts";
import { makeKeyring, type Keys } from "./index.ts";

const dir = makeTempDir("orion-keys");
afterAll(() => {
  rmSync(dir, { recursive: true });
});
beforeEach(() => {
  rmSync(join(dir, "keys"), { recursive: true, force: true });
});

const [verdictFile, pgpFile] = [join(dir, "keys/verdict.json"), join(dir, "keys/pgp.asc")];
const log = makeLog({ app: "test", level: "silent" });
const settingsWith = (changes: Readonly<Record<string, string>> = {}) =>
  loadConfig(Config, {
    VERDICT_KEY_FILE: verdictFile,
    PGP_KEY_FILE: pgpFile,
    SECRETS_KEY: Buffer.alloc(32, 1).toString("base64"),
    ...changes,
  });
const create = { VERDICT_KEY_CREATE: "true", PGP_KEY_CREATE: "true" };
const load = (changes: Readonly<Record<string, string>> = {}): Promise<Keys> =>
  makeKeyring(settingsWith(changes), log).load();

const aVerdict = (): Verdict => ({
  requestHash: aWord(),
  escrow: anAddress(),
  chainId: 1,
  to: anAddress(),
  value: 1n,
  dataHash: aWord(),
  intentHash: aWord(),
  decision: "APPROVED",
  reportHash: aWord(),
  issuedAt: 1,
  validUntil: 2,
});

test("creates both keys once, in files that only their owner may read, and finds them again", async () => {
  const made = await load(create);
  for (const file of [verdictFile, pgpFile]) expect(statSync(file).mode & 0o777).toBe(0o600);
  const found = await load();
  expect(found.signer.address).toBe(made.signer.address);
  expect(found.unsealer.fingerprint).toBe(made.unsealer.fingerprint);
  expect((await load(create)).signer.address).toBe(made.signer.address);
});
test("concurrent starts agree on the keys", async () => {
  const all = await Promise.all(Array.from({ length: 4 }, () => load(create)));
  expect(new Set(all.map(({ signer }) => signer.address)).size).toBe(1);
  expect(new Set(all.map(({ unsealer }) => unsealer.fingerprint)).size).toBe(1);
});
test("creates none if told not to, and says what to do", async () => {
  const none = { VERDICT_KEY_CREATE: "false", PGP_KEY_CREATE: "false" };
  await expect(load(none)).rejects.toThrow(/VERDICT_KEY_FILE: .* does not exist.*VERDICT_KEY_CREATE=true/);
  await expect(load({ ...none, VERDICT_KEY_CREATE: "true" })).rejects.toThrow(
    /PGP_KEY_FILE: .* does not exist/,
  );
});

describe("the verdict key", () => {
  test("signs a verdict that names its address", async () => {
    const { signer } = await load(create);
    const attestation = await signer.signVerdict(domain, aVerdict());
    expect(attestation.signer).toBe(signer.address);
    expect(await recoverAttestationSigner(attestation)).toBe(signer.address);
  });
  test("is stored encrypted: the file cannot be read with another key, nor after a change", async () => {
    await load(create);
    const other = { SECRETS_KEY: Buffer.alloc(32, 2).toString("base64") };
    await expect(load(other)).rejects.toMatchObject({ code: "unknown-kek" });
    const sealed = JSON.parse(readFileSync(verdictFile, "utf8")) as Record<string, string>;
    writeFileSync(verdictFile, JSON.stringify({ ...sealed, id: "another" }));
    await expect(load()).rejects.toMatchObject({ code: "does-not-open" });
    writeFileSync(verdictFile, "something else");
    await expect(load()).rejects.toThrow("does not contain an encrypted key");
  });
  test("can be read with a previous key", async () => {
    const { signer } = await load(create);
    const [old, fresh] = [1, 2].map((fill) => Buffer.alloc(32, fill).toString("base64"));
    const found = await load({ SECRETS_KEY: fresh ?? "", SECRETS_PREVIOUS_KEYS: old ?? "" });
    expect(found.signer.address).toBe(signer.address);
  });
});

describe.each(["aws", "google"] as const)("the verdict key in the key service %s", (which) => {
  test("signs verdicts as its address, is never in a file, and stops orion if it is another key", async () => {
    const kms = await startTestKms(dir);
    for (const [name, value] of Object.entries(kms.environment)) vi.stubEnv(name, value);
    try {
      const { name, address } = kms[which].addSigningKey();
      const reach = { ...create, ...kms.environment, VERDICT_KMS_KEY: name };
      await expect(load(reach)).rejects.toThrow(
        `VERDICT_KMS_ADDRESS is required: the key in the key service`,
      );
      const settings = { ...reach, VERDICT_KMS_ADDRESS: address };
      const { signer } = await load(settings);
      expect(signer.address).toBe(address.toLowerCase());
      const attestation = await signer.signVerdict(domain, aVerdict());
      expect(await recoverAttestationSigner(attestation)).toBe(signer.address);
      expect(existsSync(verdictFile)).toBe(false);

      kms[which].behave("uses-another-key");
      await expect(signer.signVerdict(domain, aVerdict())).rejects.toMatchObject({ code: "wrong-key" });
      await expect(load(settings)).rejects.toThrow(/VERDICT_KMS_KEY: .* has the address/);
    } finally {
      vi.unstubAllEnvs();
      await kms.close();
    }
  });
});

describe("the OpenPGP key", () => {
  test("decrypts what is encrypted to it, and nothing else", async () => {
    const { unsealer } = await load(create);
    expect(await unsealer.unseal(await sealTo(unsealer.publicKey, "for your eyes"))).toBe("for your eyes");
    const { publicKey } = await generateKey({ userIDs: [{ name: "other" }], format: "armored" });
    for (const text of [await sealTo(publicKey, "for others"), "", "-----BEGIN PGP MESSAGE-----\n\nx\n"])
      expect(await unsealer.unseal(text)).toBeUndefined();
  });
  test("is rejected with a passphrase, and if it is malformed", async () => {
    await load(create);
    const { privateKey } = await generateKey({
      userIDs: [{ name: "orion" }],
      passphrase: "secret",
      format: "armored",
    });
    writeFileSync(pgpFile, privateKey);
    await expect(load()).rejects.toThrow("has a passphrase");
    writeFileSync(pgpFile, "hunter2");
    const error = await load().catch((problem: unknown) => problem);
    expect(String(error)).toContain("does not contain an OpenPGP private key");
    expect(String(error)).not.toContain("hunter2");
  });
});

test.each([verdictFile, pgpFile])("a file that others may read is rejected: %s", async (file) => {
  await load(create);
  chmodSync(file, 0o640);
  await expect(load(create)).rejects.toThrow("has mode 640, so others may have read it");
});

test("the command prints only public keys, and creates keys only when told to", async () => {
  const lines: string[] = [];
  const manage = (action?: string): Promise<boolean> =>
    manageKeys({ settings: settingsWith(create), log, print: (line) => void lines.push(line) }, action);
  await expect(manage("show")).rejects.toThrow("does not exist");
  expect(await manage("create")).toBe(true);
  expect(await manage("show")).toBe(true);
  expect(await manage("burn")).toBe(false);
  const { signer, unsealer } = await load();
  const text = lines.join("\n");
  expect(lines.slice(0, 3)).toEqual(lines.slice(3));
  expect(text).toContain(signer.address);
  expect(text).toContain(unsealer.fingerprint);
  expect(text).toContain("BEGIN PGP PUBLIC KEY BLOCK");
  expect(text).not.toContain("PRIVATE");
});
