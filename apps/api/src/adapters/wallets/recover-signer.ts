// Recovers the plain wallet that signed a text (EIP-191 personal_sign) or a digest. Pure and strict: a signature has
// exactly one accepted form.
import { keccak256, type Hex } from "viem";
import { recoverKey } from "./recover-key.ts";

/** EIP-2: of the two equivalent signatures, the one with the greater s is rejected. */
const greatestS = Buffer.from("7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0", "hex");

/** 65 bytes. EIP-2098's 64-byte form is not accepted: each signature would then have two valid forms. */
const plainSignature = /^0x[0-9a-fA-F]{130}$/;

const recoveryIds = new Map([
  [0, 0],
  [1, 1],
  [27, 0],
  [28, 1],
]);

/**
 * Returns the plain wallet that signed exactly this text, in lower case. Undefined if no wallet did, or
 * if the signature is not 65 bytes of hex with a low s and a v of 0, 1, 27 or 28. Never throws.
 */
export function recoverSigner(text: string, signature: string): Hex | undefined {
  const hash = hashText(text);
  return hash && recoverHashSigner(hash, signature);
}

/** Does the same for a 32-byte digest that was signed directly, such as that of typed data (EIP-712). */
export function recoverHashSigner(hash: Uint8Array, signature: string): Hex | undefined {
  if (typeof signature !== "string" || !plainSignature.test(signature)) return undefined;
  const bytes = Buffer.from(signature.slice(2), "hex");
  const recoveryId = recoveryIds.get(bytes[64] ?? -1);
  if (recoveryId === undefined || bytes.compare(greatestS, 0, 32, 32, 64) > 0) return undefined;
  const key = findKey(bytes.subarray(0, 64), recoveryId, hash);
  return key && `0x${keccak256(key.subarray(1)).slice(-40)}`;
}

/**
 * Returns the hash that is signed (EIP-191, version 0x45). Undefined for a lone surrogate: it would be hashed
 * as the replacement character, so two texts would share a signature.
 */
export function hashText(text: string): Uint8Array | undefined {
  if (typeof text !== "string" || !text.isWellFormed()) return undefined;
  const bytes = Buffer.from(text, "utf8");
  const prefix = Buffer.from(`\x19Ethereum Signed Message:\n${bytes.length}`, "utf8");
  return keccak256(Buffer.concat([prefix, bytes]), "bytes");
}

function findKey(signature: Uint8Array, recoveryId: number, hash: Uint8Array): Uint8Array | undefined {
  try {
    return recoverKey(signature, recoveryId, hash);
  } catch {
    // r or s is zero or too large, or r is not on the curve: no key can have made this signature.
    return undefined;
  }
}
