import { randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

/**
 * `cs_<type>_<live|test>_<43 characters><6 characters>`: a prefix that secret scanners recognise, 256 random
 * bits, and a checksum, so that a mistyped or invented key is rejected without a database query.
 */
export type KeyType = "user" | "admin" | "orion";
export type KeyEnvironment = "live" | "test";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const secretLength = 43;
const checksumLength = 6;
const form = /^cs_(?:user|admin|orion)_(?:live|test)_[0-9A-Za-z]{49}$/;

/** Rejection sampling: discards bytes that would make some characters more likely than others. */
function randomCharacters(count: number): string {
  const fair = 256 - (256 % alphabet.length);
  let text = "";
  while (text.length < count)
    for (const byte of randomBytes(count))
      if (byte < fair && text.length < count) text += alphabet.charAt(byte % alphabet.length);
  return text;
}

function checksumOf(text: string): string {
  let rest = crc32(text);
  let digits = "";
  for (let place = 0; place < checksumLength; place++) {
    digits = alphabet.charAt(rest % alphabet.length) + digits;
    rest = Math.floor(rest / alphabet.length);
  }
  return digits;
}

const withChecksum = (body: string): string => body + checksumOf(body);

export const makeKey = (type: KeyType, environment: KeyEnvironment): string =>
  withChecksum(`cs_${type}_${environment}_${randomCharacters(secretLength)}`);

/** Derives a key from 32 bytes, deterministically. The bytes must be as hard to guess as a key. */
export function keyFromBytes(type: KeyType, environment: KeyEnvironment, bytes: Buffer): string {
  if (bytes.length !== 32) throw new Error("a key needs exactly 32 bytes");
  let rest = BigInt(`0x${bytes.toString("hex")}`);
  let digits = "";
  for (let place = 0; place < secretLength; place++) {
    digits = alphabet.charAt(Number(rest % 62n)) + digits;
    rest /= 62n;
  }
  return withChecksum(`cs_${type}_${environment}_${digits}`);
}

export const isWellFormedKey = (key: string): boolean =>
  form.test(key) && checksumOf(key.slice(0, -checksumLength)) === key.slice(-checksumLength);

/** Returns the parts of a key that may be shown and logged. */
export const recognisable = (key: string): { readonly prefix: string; readonly last4: string } => ({
  prefix: key.slice(0, key.lastIndexOf("_") + 5),
  last4: key.slice(-4),
});
