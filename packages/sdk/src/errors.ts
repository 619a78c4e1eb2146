// Everything that the SDK throws of its own. Each says what happened in a sentence; what a program may go by is in its members.
import type { TransactionView } from "./types.ts";

export class CountersignError extends Error {
  override readonly name: string = "CountersignError";
}

export type Refusal = {
  readonly status: number;
  readonly method: string;
  /** Without the query, which may hold a code. */
  readonly path: string;
  readonly message: string;
  /** Which error it is: stable, as docs/reference/errors.md has it. Undefined if something else than the service answered. */
  readonly code: string | undefined;
  /** Under which the operator finds it in the service's log. */
  readonly requestId: string | undefined;
  /** When it may be asked again, if the service said so. */
  readonly retryAfterMs: number | undefined;
  readonly body: unknown;
};

/** The service answered, and the answer is no. */
export class ApiError extends CountersignError {
  override readonly name: string = "ApiError";
  readonly status: number;
  readonly method: string;
  readonly path: string;
  readonly code: string | undefined;
  readonly requestId: string | undefined;
  readonly retryAfterMs: number | undefined;
  readonly body: unknown;

  constructor({ status, method, path, message, code, requestId, retryAfterMs, body }: Refusal) {
    super(message);
    this.status = status;
    this.method = method;
    this.path = path;
    this.code = code;
    this.requestId = requestId;
    this.retryAfterMs = retryAfterMs;
    this.body = body;
  }
}

/** 400 or 422: the request itself is wrong. The message names the member. */
export class InvalidRequestError extends ApiError {
  override readonly name = "InvalidRequestError";
}

/** 401: no credential, or one that does not hold. */
export class AuthenticationError extends ApiError {
  override readonly name = "AuthenticationError";
}

/** 403: the credential holds, and this is not for it. */
export class PermissionError extends ApiError {
  override readonly name = "PermissionError";
}

/** 404 or 410: it is not there, or not any more. */
export class NotFoundError extends ApiError {
  override readonly name = "NotFoundError";
}

/** 409: it contradicts something that is already there. */
export class ConflictError extends ApiError {
  override readonly name = "ConflictError";
}

/** 429, after as many retries as were allowed. */
export class RateLimitError extends ApiError {
  override readonly name = "RateLimitError";
}

/** 5xx, after as many retries as were allowed. */
export class ServiceError extends ApiError {
  override readonly name = "ServiceError";
}

/** No answer came, or none that can be read. Whether the request arrived is not known: what has an idempotency key may be sent again. */
export class ConnectionError extends CountersignError {
  override readonly name = "ConnectionError";
}

/** What was waited for did not come in time. It may come yet: nothing was taken back. */
export class WaitTimeoutError extends CountersignError {
  override readonly name = "WaitTimeoutError";
  /** As it was last seen. */
  readonly transaction: TransactionView | undefined;

  constructor(message: string, transaction?: TransactionView) {
    super(message);
    this.transaction = transaction;
  }
}

/** Another time it may be answered. */
export const isPassing = (error: unknown): error is ConnectionError | ServiceError | RateLimitError =>
  error instanceof ConnectionError || error instanceof ServiceError || error instanceof RateLimitError;

const classes: Readonly<Record<number, typeof ApiError>> = {
  400: InvalidRequestError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  410: NotFoundError,
  422: InvalidRequestError,
  429: RateLimitError,
};

export function errorOf(refusal: Refusal): ApiError {
  const Class = classes[refusal.status] ?? (refusal.status >= 500 ? ServiceError : ApiError);
  return new Class(refusal);
}
