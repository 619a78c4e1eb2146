// The native library and noble must agree on every signature, because a sign-in must not depend on the machine.
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { promisify } from "node:util";
import fc from "fast-check";
import { sign } from "viem/accounts";
import { describe, expect, test } from "vitest";
import { loadNativeRecoverKey, recoverKeyByNoble, type RecoverKey } from "./recover-key.ts";

const native = loadNativeRecoverKey();
const recoverNatively: RecoverKey = native ?? recoverKeyByNoble;
const outcome = (recover: RecoverKey, ...given: Parameters<RecoverKey>): string => {
  try {
    return Buffer.from(recover(...given)).toString("hex");
  } catch {
    return "refused";
  }
};
const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const order = "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141";
/** r or s: random, and values next to the limits of the valid range. */
const scalar = fc.oneof(
  bytes(32),
  ...["00".repeat(32), `${"00".repeat(31)}01`, order, order.replace(/1$/, "0"), "ff".repeat(32)].map((hex) =>
    fc.constant(new Uint8Array(Buffer.from(hex, "hex"))),
  ),
);

describe.skipIf(native === undefined)("the native library and noble", () => {
  test("recover the same key from a valid signature, and another one from a changed one", async () => {
    for (let round = 0; round < 20; round++) {
      const hash = new Uint8Array(randomBytes(32));
      const { r, s, yParity } = await sign({
        privateKey: `0x${randomBytes(32).toString("hex")}`,
        hash: `0x${Buffer.from(hash).toString("hex")}`,
      });
      const compact = Buffer.from([r, s].map((part) => part.slice(2).padStart(64, "0")).join(""), "hex");
      const found = outcome(recoverKeyByNoble, compact, yParity ?? 0, hash);
      expect(found).toMatch(/^04[0-9a-f]{128}$/);
      expect(outcome(recoverNatively, compact, yParity ?? 0, hash)).toBe(found);
      hash[31] = (hash[31] ?? 0) ^ 1;
      expect(outcome(recoverKeyByNoble, compact, yParity ?? 0, hash)).not.toBe(found);
    }
  });
  test("agree on every r, s, recovery id and hash", () => {
    fc.assert(
      fc.property(scalar, scalar, fc.constantFrom(0, 1), bytes(32), (r, s, recoveryId, hash) => {
        const signature = Buffer.concat([r, s]);
        expect(outcome(recoverKeyByNoble, signature, recoveryId, hash)).toBe(
          outcome(recoverNatively, signature, recoveryId, hash),
        );
      }),
      { numRuns: 300 },
    );
  });
});

test.each([
  ["linux", "arm64"],
  ["darwin", "x64"],
])(
  "the API loads on %s-%s, where there is no prebuilt binary, and recovers the signer",
  async (os, arch) => {
    // Overrides the platform that node-gyp-build detects.
    const env = { npm_config_platform: os, npm_config_arch: arch };
    const script = `
    const { isNative } = await import("./recover-key.ts");
    const { recoverSigner } = await import("./recover-signer.ts");
    const { privateKeyToAccount } = await import("viem/accounts");
    await import("../../composition/app.ts");
    const account = privateKeyToAccount("0x" + "11".repeat(32));
    const signer = recoverSigner("hello", await account.signMessage({ message: "hello" }));
    console.log(JSON.stringify({ isNative, isRight: signer === account.address.toLowerCase() }));
    process.exit(0);`;
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], {
      cwd: import.meta.dirname,
      env,
    });
    expect(JSON.parse(stdout.trim().split("\n").at(-1) ?? "")).toEqual({ isNative: false, isRight: true });
  },
  120_000,
);
