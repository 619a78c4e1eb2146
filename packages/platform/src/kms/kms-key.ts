import type { KeyObject } from "node:crypto";

/** A key that never leaves its service. Each call throws a `KeyServiceError` if the service does not do it. */
export type KmsKey = {
  /** The full name at its service. */
  readonly name: string;
  readonly encrypt: (plaintext: Buffer, aad: Buffer) => Promise<Buffer>;
  readonly decrypt: (ciphertext: Buffer, aad: Buffer) => Promise<Buffer>;
  readonly readPublicKey: () => Promise<KeyObject>;
  /** Signs 32 bytes as they are. Returns an ECDSA signature in DER. */
  readonly signDigest: (digest: Buffer) => Promise<Buffer>;
};

export type Connection = {
  /** Another address than the public one, such as an endpoint inside a private network. */
  readonly url: string | undefined;
  /** For a call with its retries. */
  readonly timeoutMs: number;
};
