import { digestOfCid } from "@countersign/wire/envelope";

type Hex = `0x${string}`;

/** Somebody who verifies proposals, as the registry on the home chain has it. */
export type Service = {
  readonly id: number;
  readonly chainId: number;
  readonly name: string;
  /** Where it takes proposals, and what its verdicts are signed by. In lower case. */
  readonly inbox: Hex;
  readonly active: boolean;
  /** Of its OpenPGP key, hex in lower case. */
  readonly fingerprint: string;
  readonly keyUri: string;
  /** Null until it was read and has that fingerprint. */
  readonly armoured: string | null;
  readonly url: string | null;
  /** When this installation first saw it. */
  readonly createdAt: Date;
};

const scheme = "ipfs://";

/**
 * The digest of what the address names, if it names it by a digest. Every other address is somebody's server: we send no
 * request to wherever a contract says.
 */
export const digestOfKeyUri = (keyUri: string): Hex | undefined =>
  keyUri.startsWith(scheme) ? digestOfCid(keyUri.slice(scheme.length)) : undefined;

/** How somebody names a key: by its fingerprint, by its long key id, or by itself. */
export type KeyName =
  { readonly fingerprint: string } | { readonly keyId: string } | { readonly armoured: string };

const armourMark = "-----BEGIN PGP PUBLIC KEY BLOCK-----";
const longestArmour = 8 * 1024;

/** Undefined for what names no key. */
export function readKeyName(text: string): KeyName | undefined {
  if (text.length > longestArmour) return undefined;
  if (text.trimStart().startsWith(armourMark)) return { armoured: text };
  const hex = text.replace(/^0x/i, "").toLowerCase();
  if (/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(hex)) return { fingerprint: hex };
  return /^[0-9a-f]{16}$/.test(hex) ? { keyId: hex } : undefined;
}
