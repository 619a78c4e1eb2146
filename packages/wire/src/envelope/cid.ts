// A digest and its name on IPFS: CIDv1, codec raw, sha2-256, in base32. One digest has one such name.
import { CID } from "multiformats/cid";
import * as raw from "multiformats/codecs/raw";
import { create } from "multiformats/hashes/digest";
import type { Hex } from "viem";
import { bytesToHex, hexToBytes, sha256 } from "viem/utils";

const sha2256 = 0x12;

/** The sha2-256 digest, as the Inbox contract records it. */
export const digestOf = (bytes: Uint8Array): Hex => sha256(bytes);

/** `cidOf(digestOf(bytes))` → `"bafkrei…"`. Throws on anything but 32 bytes. */
export function cidOf(digest: Hex): string {
  if (!/^0x[0-9a-f]{64}$/i.test(digest)) throw new RangeError("A sha2-256 digest has 32 bytes.");
  return CID.createV1(raw.code, create(sha2256, hexToBytes(digest))).toString();
}

/** Undefined for every other kind of CID, and for another spelling of this kind. */
export function digestOfCid(cid: string): Hex | undefined {
  // 36 bytes in base32, and the letter that says so. A longer text is not worth decoding.
  if (cid.length !== 59) return undefined;
  try {
    const digest = bytesToHex(CID.parse(cid).multihash.digest);
    return cidOf(digest) === cid ? digest : undefined;
  } catch {
    return undefined;
  }
}
