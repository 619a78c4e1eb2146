// Builds requests.
import { CountersignError } from "../errors.ts";

/** A request to any endpoint, for `request`. */
export type Ask = {
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Form parameters instead of a body, for the OAuth endpoints. */
  readonly form?: Readonly<Record<string, string>>;
  /** Makes a POST idempotent. */
  readonly idempotencyKey?: string;
  /** Whether the request is idempotent. Default: true for GET, PUT and requests with an idempotency key. */
  readonly isRepeatable?: boolean;
  /** The request carries a one-time signature: it is sent without the client's credential and never retried. */
  readonly isOneTime?: boolean;
  readonly signal?: AbortSignal | undefined;
  /** Timeout of one attempt in milliseconds. */
  readonly timeoutMs?: number;
  /** Statuses other than 2xx that are not errors. */
  readonly accept?: readonly number[];
};

export type Question = { readonly origin: string; readonly path: string; readonly ask: Ask };

export const mayBeRepeated = ({ method = "GET", idempotencyKey, isRepeatable }: Ask): boolean =>
  isRepeatable ?? (method === "GET" || method === "PUT" || idempotencyKey !== undefined);

const userAgent = "countersign-sdk/0.1.0";

/** A browser sets its own user agent; overriding it would need a CORS permission of the service. */
const isInBrowser = (): boolean => "document" in globalThis || "WorkerGlobalScope" in globalThis;

export function headersOf(ask: Ask, credential: Readonly<Record<string, string>>): Headers {
  const { idempotencyKey: key } = ask;
  if (key !== undefined && !/^[!-~]{1,255}$/.test(key))
    throw new CountersignError("An idempotency key has 1 to 255 visible ASCII characters");
  const headers = {
    accept: "application/json",
    ...(isInBrowser() ? {} : { "user-agent": userAgent }),
    ...(ask.body === undefined ? {} : { "content-type": "application/json" }),
    ...(key === undefined ? {} : { "idempotency-key": key }),
    ...credential,
    ...ask.headers,
  };
  try {
    return new Headers(headers);
  } catch {
    // The runtime's message would quote the value, which may be a credential.
    throw new CountersignError("A header contains an invalid character");
  }
}

export function bodyOf({ body, form }: Ask): string | URLSearchParams | undefined {
  if (form !== undefined) return new URLSearchParams(form);
  if (body === undefined) return undefined;
  try {
    return JSON.stringify(body);
  } catch (error) {
    // A bigint or a circular structure. The cause names the kind, not the content.
    throw new CountersignError("The body cannot be serialized as JSON", { cause: error });
  }
}
