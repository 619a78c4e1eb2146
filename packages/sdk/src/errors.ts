// All errors of the SDK. The message is a sentence for people; programs use the members.
import type { TransactionView } from "./types.ts";

/** The base class of all errors of the SDK. Thrown directly for invalid arguments. */
export class CountersignError extends Error {
  override readonly name: string = "CountersignError";
}

/** The response that an `ApiError` was made from. */
export type Refusal = {
  readonly status: number;
  readonly method: string;
  /** Without the query, which may contain a code. */
  readonly path: string;
  readonly message: string;
  /** The stable error code of docs/reference/errors.md. Undefined if the response is not from the service. */
  readonly code: string | undefined;
  /** Identifies the request in the service's log. */
  readonly requestId: string | undefined;
  /** Milliseconds to wait before a retry, if the service sent Retry-After. */
  readonly retryAfterMs: number | undefined;
  readonly body: unknown;
};

/** The service responded with an error status. */
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

/** 400 or 422: the request is invalid. The message names the member. */
export class InvalidRequestError extends ApiError {
  override readonly name = "InvalidRequestError";
}

/** 401: no credential, or an invalid one. */
export class AuthenticationError extends ApiError {
  override readonly name = "AuthenticationError";
}

/** 403: the credential is valid but not allowed to do this. */
export class PermissionError extends ApiError {
  override readonly name = "PermissionError";
}

/** 404 or 410: the object does not exist, or no longer exists. */
export class NotFoundError extends ApiError {
  override readonly name = "NotFoundError";
}

/** 409: the request conflicts with existing state. */
export class ConflictError extends ApiError {
  override readonly name = "ConflictError";
}

/** 429, after all retries. See `retryAfterMs`. */
export class RateLimitError extends ApiError {
  override readonly name = "RateLimitError";
}

/** 5xx, after all retries. */
export class ServiceError extends ApiError {
  override readonly name = "ServiceError";
}

/** No response, or an unreadable one. The request may have arrived: repeat it only with the same idempotency key. */
export class ConnectionError extends CountersignError {
  override readonly name = "ConnectionError";
}

/** The wait timed out. The proposal is still active. */
export class WaitTimeoutError extends CountersignError {
  override readonly name = "WaitTimeoutError";
  /** The last known state. */
  readonly transaction: TransactionView | undefined;

  constructor(message: string, transaction?: TransactionView) {
    super(message);
    this.transaction = transaction;
  }
}

/** Whether the error is temporary. */
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
