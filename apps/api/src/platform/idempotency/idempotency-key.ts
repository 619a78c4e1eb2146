import { idempotencyErrors } from "./errors.ts";

const visible = /^[\x21-\x7e]{1,255}$/;

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The request's key, if it has one. One that is sent twice is none: the two arrive joined by a blank. */
export function readIdempotencyKey(headers: Headers): string | undefined {
  const key = headers["idempotency-key"];
  if (key === undefined) return undefined;
  if (typeof key !== "string" || !visible.test(key)) throw idempotencyErrors.badKey();
  return key;
}

/** For the `refuses` of an endpoint that takes a key. */
export const idempotencyRefusals = [
  idempotencyErrors.badKey,
  idempotencyErrors.inFlight,
  idempotencyErrors.otherRequest,
] as const;

/** Whose keys they are. The scheme too, because an account and a key could be called the same. */
export const principalOf = ({
  scheme,
  subject,
}: {
  readonly scheme: string;
  readonly subject: string;
}): string => `${scheme}:${subject}`;
