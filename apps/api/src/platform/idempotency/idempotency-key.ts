import { idempotencyErrors } from "./errors.ts";

const visible = /^[\x21-\x7e]{1,255}$/;

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Returns the request's key, if any. A repeated header is rejected: its values arrive joined by a space. */
export function readIdempotencyKey(headers: Headers): string | undefined {
  const key = headers["idempotency-key"];
  if (key === undefined) return undefined;
  if (typeof key !== "string" || !visible.test(key)) throw idempotencyErrors.badKey();
  return key;
}

/** For the `refuses` of an endpoint that accepts a key. */
export const idempotencyRefusals = [
  idempotencyErrors.badKey,
  idempotencyErrors.inFlight,
  idempotencyErrors.otherRequest,
] as const;

/**
 * Identifies the owner of the keys. Includes the scheme, because an account and an API key could have the
 * same name.
 */
export const principalOf = ({
  scheme,
  subject,
}: {
  readonly scheme: string;
  readonly subject: string;
}): string => `${scheme}:${subject}`;
