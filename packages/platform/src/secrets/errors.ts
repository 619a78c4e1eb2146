export type SecretErrorCode = "unknown-secret" | "unknown-kek" | "does-not-open";

/**
 * Why a secret cannot be had. Always the service's own trouble and never the client's, so it has no status: outside it is a
 * plain 500. The message names records and keys by their ids and never holds a value.
 */
export class SecretError extends Error {
  readonly code: SecretErrorCode;

  constructor(code: SecretErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "SecretError";
    this.code = code;
  }
}
