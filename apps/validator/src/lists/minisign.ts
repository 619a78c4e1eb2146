/**
 * Verifies signatures of the tool minisign: Ed25519 over the file or over its BLAKE2b-512 hash. The trusted comment of a signature is
 * signed too, and nothing here relies on it.
 */
import { createHash, createPublicKey, verify, type KeyObject } from "node:crypto";

export type ListKey = {
  /** As minisign prints it: 16 hexadecimal digits. */
  readonly id: string;
  readonly key: KeyObject;
};

type Verified = { readonly keyId: string } | { readonly fault: string };

const algorithms = { plain: "Ed", hashed: "ED" } as const;
const idBytes = 8;
const keyBytes = 32;
const signatureBytes = 64;

/** minisign shows the little-endian number. */
const idOf = (bytes: Buffer): string => Buffer.from(bytes).reverse().toString("hex").toUpperCase();

/** Buffer.from ignores characters that are not base64, and a key with such characters is a mistake. */
function fromBase64(text: string, length: number): Buffer | null {
  const bytes = Buffer.from(text, "base64");
  return bytes.length === length && bytes.toString("base64") === text ? bytes : null;
}

/** Reads a public key: the one line of base64 in `minisign.pub`. Null if it is malformed. */
export function readListKey(text: string): ListKey | null {
  const bytes = fromBase64(text, 2 + idBytes + keyBytes);
  if (bytes?.toString("latin1", 0, 2) !== algorithms.plain) return null;
  const x = bytes.subarray(2 + idBytes).toString("base64url");
  const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
  return { id: idOf(bytes.subarray(2, 2 + idBytes)), key };
}

type Signature = {
  readonly keyId: string;
  /** Whether it covers the hash of the content instead of the content. */
  readonly isHashed: boolean;
  readonly overContent: Buffer;
  /** Over the first signature and the trusted comment. */
  readonly overAll: Buffer;
  readonly trusted: string;
};

const prefixes = { untrusted: "untrusted comment:", trusted: "trusted comment: " };

/** Null if the text is not that of a `.minisig` file. */
function readSignature(text: string): Signature | null {
  const [untrusted = "", body = "", trusted = "", last = ""] = text.replaceAll("\r\n", "\n").split("\n");
  if (!untrusted.startsWith(prefixes.untrusted) || !trusted.startsWith(prefixes.trusted)) return null;
  const bytes = fromBase64(body, 2 + idBytes + signatureBytes);
  const overAll = fromBase64(last, signatureBytes);
  const algorithm = Object.values(algorithms).find((one) => one === bytes?.toString("latin1", 0, 2));
  if (bytes === null || overAll === null || algorithm === undefined) return null;
  return {
    keyId: idOf(bytes.subarray(2, 2 + idBytes)),
    isHashed: algorithm === algorithms.hashed,
    overContent: bytes.subarray(2 + idBytes),
    overAll,
    trusted: trusted.slice(prefixes.trusted.length),
  };
}

/** `signature` is the text of a `.minisig` file. */
export function verifyMinisign(content: Buffer, signature: string, keys: readonly ListKey[]): Verified {
  const read = readSignature(signature);
  if (read === null) return { fault: "the signature is malformed: expected the text of a .minisig file" };
  const { keyId, isHashed, overContent, overAll, trusted } = read;
  const signer = keys.find(({ id }) => id === keyId);
  if (signer === undefined) return { fault: `signed by the unknown key ${keyId}` };
  const message = isHashed ? createHash("blake2b512").update(content).digest() : content;
  const isRight =
    verify(null, message, signer.key, overContent) &&
    verify(null, Buffer.concat([overContent, Buffer.from(trusted)]), signer.key, overAll);
  return isRight ? { keyId } : { fault: `the signature of key ${keyId} does not match the content` };
}
