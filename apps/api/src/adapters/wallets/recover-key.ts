// Recovers the public key of a secp256k1 signature: with the native library where it has a binary for this machine,
// otherwise with noble, which gives the same results more slowly.
import { createRequire } from "node:module";
import { secp256k1 } from "@noble/curves/secp256k1.js";

/** Returns the uncompressed key (65 bytes). Throws if no key can have made the signature. */
export type RecoverKey = (signature: Uint8Array, recoveryId: number, hash: Uint8Array) => Uint8Array;

type Native = {
  readonly ecdsaRecover: (
    signature: Uint8Array,
    recoveryId: number,
    hash: Uint8Array,
    isCompressed: boolean,
  ) => Uint8Array;
};

const require = createRequire(import.meta.url);

/**
 * Returns undefined where the package has no prebuilt binary, as on Linux on arm64. Loads the native part
 * only: the package's main file would fall back to an implementation that is far slower and has open
 * advisories.
 */
export function loadNativeRecoverKey(): RecoverKey | undefined {
  try {
    const native = require("secp256k1/bindings.js") as Native;
    return (signature, recoveryId, hash) => native.ecdsaRecover(signature, recoveryId, hash, false);
  } catch {
    return undefined;
  }
}

export const recoverKeyByNoble: RecoverKey = (signature, recoveryId, hash) =>
  secp256k1.Signature.fromBytes(signature, "compact")
    .addRecoveryBit(recoveryId)
    .recoverPublicKey(hash)
    .toBytes(false);

const native = loadNativeRecoverKey();

export const isNative = native !== undefined;

export const recoverKey: RecoverKey = native ?? recoverKeyByNoble;
