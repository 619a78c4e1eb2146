/** 256 kB, for an envelope and for what was inside: a small ciphertext can hold a large compressed text. */
export const maximumEnvelopeBytes = 256 * 1024;

// No character of UTF-16 takes more than three bytes of UTF-8, so most texts need not be encoded to be measured.
export const isWithin = (text: string): boolean =>
  text.length * 3 <= maximumEnvelopeBytes ||
  (text.length <= maximumEnvelopeBytes && new TextEncoder().encode(text).byteLength <= maximumEnvelopeBytes);

/** Undefined for what is not JSON; no JSON text means undefined. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Undefined for what is not UTF-8. A byte order mark stays, and is not JSON. */
export function readUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
