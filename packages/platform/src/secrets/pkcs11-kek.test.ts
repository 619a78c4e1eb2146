import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isCi, makeTempDir } from "@countersign/tools/testing";
import { openSecret, sealSecret } from "./envelope.ts";
import type { KeyEncryptionKey } from "./key-encryption-key.ts";
import { openTokenKeks } from "./pkcs11-kek.ts";

const modulePath = "/usr/lib/softhsm/libsofthsm2.so";
const token = "countersign test";
const pin = "482915";
const officerPin = "7391045";

async function findObstacle(): Promise<string | undefined> {
  if (!existsSync(modulePath)) return "SoftHSM is not installed (apt-get install softhsm2)";
  try {
    await import("pkcs11js");
    return undefined;
  } catch {
    return "pkcs11js is not built (npm rebuild pkcs11js --ignore-scripts=false)";
  }
}

const obstacle = await findObstacle();
// .ci/run installs both, so that a missing one is a failure there.
const isSkipped = obstacle !== undefined && !isCi();
if (isSkipped) console.warn(`NOT TESTED: keys in a PKCS#11 token. ${obstacle}`);

test.skipIf(isSkipped)("SoftHSM and pkcs11js are installed", () => {
  expect(obstacle).toBeUndefined();
});

type KeyOptions = { readonly label: string; readonly extractable?: boolean };

async function makeToken(keys: readonly KeyOptions[]): Promise<void> {
  const { default: pkcs11 } = await import("pkcs11js");
  const calls = new pkcs11.PKCS11();
  calls.load(modulePath);
  calls.C_Initialize();
  const [empty = expect.unreachable("SoftHSM has no slot")] = calls.C_GetSlotList(true);
  calls.C_InitToken(empty, officerPin, token.padEnd(32));
  // SoftHSM moves a new token to a slot of its own.
  const slot = calls.C_GetSlotList(true).find((one) => calls.C_GetTokenInfo(one).label.trim() === token);
  if (slot === undefined) throw new Error("SoftHSM did not make the token");
  const session = calls.C_OpenSession(slot, pkcs11.CKF_SERIAL_SESSION | pkcs11.CKF_RW_SESSION);
  calls.C_Login(session, pkcs11.CKU_SO, officerPin);
  calls.C_InitPIN(session, pin);
  calls.C_Logout(session);
  calls.C_Login(session, pkcs11.CKU_USER, pin);
  for (const { label, extractable = false } of keys)
    calls.C_GenerateKey(session, { mechanism: pkcs11.CKM_AES_KEY_GEN }, [
      { type: pkcs11.CKA_LABEL, value: label },
      { type: pkcs11.CKA_TOKEN, value: true },
      { type: pkcs11.CKA_VALUE_LEN, value: 32 },
      { type: pkcs11.CKA_SENSITIVE, value: true },
      { type: pkcs11.CKA_EXTRACTABLE, value: extractable },
      { type: pkcs11.CKA_ENCRYPT, value: true },
      { type: pkcs11.CKA_DECRYPT, value: true },
    ]);
  calls.C_CloseSession(session);
}

describe.skipIf(obstacle !== undefined)(
  `keys in a token${obstacle === undefined ? "" : `: ${obstacle}`}`,
  () => {
    let dir: string;
    const aad = Buffer.from("row 7");
    const openOne = async (label: string): Promise<KeyEncryptionKey> => {
      const [kek] = await openTokenKeks({ modulePath, token, pin }, [label]);
      if (kek === undefined) throw new Error("no key");
      return kek;
    };

    beforeAll(async () => {
      dir = makeTempDir("softhsm");
      mkdirSync(join(dir, "tokens"));
      writeFileSync(
        join(dir, "softhsm2.conf"),
        `directories.tokendir = ${join(dir, "tokens")}\nlog.level = ERROR\n`,
      );
      // SoftHSM reads it in this very process, when its library is first used.
      process.env["SOFTHSM2_CONF"] = join(dir, "softhsm2.conf");
      await makeToken([
        { label: "first" },
        { label: "second" },
        { label: "twice" },
        { label: "twice" },
        { label: "loose", extractable: true },
      ]);
    });
    afterAll(() => {
      rmSync(dir, { recursive: true });
    });

    test("unwraps only with the same token key and additional data", async () => {
      const [first, second] = [await openOne("first"), await openOne("second")];
      const dataKey = randomBytes(32);
      const wrapped = await first.wrap(dataKey, aad);
      expect(wrapped.includes(dataKey)).toBe(false);
      expect(await first.unwrap(wrapped, aad)).toEqual(dataKey);
      await expect(second.unwrap(wrapped, aad)).rejects.toMatchObject({ code: "does-not-open" });
      await expect(first.unwrap(wrapped, Buffer.from("row 8"))).rejects.toMatchObject({
        code: "does-not-open",
      });
    });

    test("a flipped bit in any byte, or a missing byte, is refused by the token", async () => {
      const kek = await openOne("first");
      const wrapped = await kek.wrap(randomBytes(32), aad);
      for (const at of wrapped.keys()) {
        const flipped = Buffer.from(wrapped);
        flipped[at] = (flipped[at] ?? 0) ^ 1;
        await expect(kek.unwrap(flipped, aad)).rejects.toMatchObject({ code: "does-not-open" });
      }
      for (const length of [0, 5, 12, 20, 28, 59])
        await expect(kek.unwrap(wrapped.subarray(0, length), aad)).rejects.toMatchObject({
          code: "does-not-open",
        });
    });

    test("encrypts and decrypts a secret while the token is used otherwise", async () => {
      const keks = [await openOne("first"), await openOne("second")] as const;
      const place = { id: "0190b4a8-0000-7000-8000-000000000001", purpose: "jwt-signing" };
      const values = Array.from({ length: 20 }, (_, n) => Buffer.from(`value ${n}`));
      const opened = await Promise.all(
        values.map(async (value, n) =>
          openSecret(keks, await sealSecret(keks[n % 2 === 0 ? 0 : 1], { ...place, value })),
        ),
      );
      expect(opened).toEqual(values);
    });

    test.each([
      ["an unknown key", { labels: ["third"] }, 'the token has no AES key "third" that may not leave it'],
      ["a key that may leave its token", { labels: ["loose"] }, 'no AES key "loose"'],
      ["two keys of one name", { labels: ["twice"] }, 'more than one AES key "twice"'],
      ["an unknown token", { token: "elsewhere" }, '0 tokens are called "elsewhere"'],
      ["a wrong PIN", { pin: "000000" }, "CKR_PIN_INCORRECT"],
      ["no such library", { modulePath: "/nowhere.so" }, "/nowhere.so"],
    ])("refuses %s at the start, without telling the PIN", async (_, wrong, reason) => {
      const { labels = ["first"], ...settings } = { labels: undefined, ...wrong };
      const error = await openTokenKeks({ modulePath, token, pin, ...settings }, labels).catch(
        (problem: unknown) => problem,
      );
      expect(String(error)).toContain("SECRETS_PKCS11_*: ");
      expect(String(error)).toContain(reason);
      expect(String(error)).not.toContain(pin);
    });
  },
);
