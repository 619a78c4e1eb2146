/**
 * does-not-open: the service decrypted nothing, because the ciphertext, its place or its key is another one. refused: a
 * retry does not help, for example without a permission. unavailable: it may. wrong-key: the key is not the expected one,
 * or an answer was not made with it.
 */
export type KeyServiceErrorCode = "does-not-open" | "refused" | "unavailable" | "wrong-key";

/**
 * Why a key service did not do what it was asked. The message names the key and the service's error code. It never contains
 * the service's own text, and there is no cause: errors of the clients hold the request and its credentials.
 */
export class KeyServiceError extends Error {
  readonly code: KeyServiceErrorCode;

  constructor(code: KeyServiceErrorCode, message: string) {
    super(message);
    this.name = "KeyServiceError";
    this.code = code;
  }
}

/** The part of an error that may be repeated: a code of letters, digits and underscores. */
export const codeIn = (value: unknown): string => {
  const text = typeof value === "string" ? value : "";
  return /^\w{1,60}$/.test(text) ? text : "no error code";
};
