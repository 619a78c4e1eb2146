import { digestOfCid } from "@countersign/wire/envelope";

type Hex = `0x${string}`;

/** A verification service in the registry on the home chain. */
export type Service = {
  readonly id: number;
  readonly chainId: number;
  readonly name: string;
  /** The address that receives proposals and signs verdicts. Lower case. */
  readonly inbox: Hex;
  readonly active: boolean;
  /** Fingerprint of its OpenPGP key, lower-case hex. */
  readonly fingerprint: string;
  readonly keyUri: string;
  /** Null until it was read and its fingerprint verified. */
  readonly armoured: string | null;
  readonly url: string | null;
  /** When this installation first saw it. */
  readonly createdAt: Date;
};

const scheme = "ipfs://";

/**
 * Returns the digest if the address is content-addressed. Any other address is a server, and we send no
 * requests to addresses from a contract.
 */
export const digestOfKeyUri = (keyUri: string): Hex | undefined =>
  keyUri.startsWith(scheme) ? digestOfCid(keyUri.slice(scheme.length)) : undefined;

/** A reference to a key: its fingerprint, its long key id, or the key itself. */
export type KeyName =
  { readonly fingerprint: string } | { readonly keyId: string } | { readonly armoured: string };

const armourMark = "-----BEGIN PGP PUBLIC KEY BLOCK-----";
const longestArmour = 8 * 1024;

/** Returns undefined if the text is not one of these. */
export function readKeyName(text: string): KeyName | undefined {
  if (text.length > longestArmour) return undefined;
  if (text.trimStart().startsWith(armourMark)) return { armoured: text };
  const hex = text.replace(/^0x/i, "").toLowerCase();
  if (/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(hex)) return { fingerprint: hex };
  return /^[0-9a-f]{16}$/.test(hex) ? { keyId: hex } : undefined;
}
