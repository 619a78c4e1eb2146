// What a request is, before anything is sent.
import { CountersignError } from "../errors.ts";

export type Ask = {
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Instead of a body: what OAuth's endpoints take. */
  readonly form?: Readonly<Record<string, string>>;
  /** Makes a POST repeatable. */
  readonly idempotencyKey?: string;
  /** Sending it twice does no more than sending it once. Known of GET, PUT and what has a key; of others it is said. */
  readonly isRepeatable?: boolean;
  /** It carries a proof that is good once: it goes without the client's credential, and is never sent again. */
  readonly isOneTime?: boolean;
  readonly signal?: AbortSignal | undefined;
  /** For one attempt. */
  readonly timeoutMs?: number;
  /** Statuses other than 2xx that are an answer, not an error. */
  readonly accept?: readonly number[];
};

export type Question = { readonly origin: string; readonly path: string; readonly ask: Ask };

export const mayBeRepeated = ({ method = "GET", idempotencyKey, isRepeatable }: Ask): boolean =>
  isRepeatable ?? (method === "GET" || method === "PUT" || idempotencyKey !== undefined);

const userAgent = "countersign-sdk/0.1.0";

/** A page's requests are its browser's, which says who it is; to say something else would take the service's permission. */
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
    // The runtime's own words would quote it, and it may be a credential.
    throw new CountersignError("One of the headers holds a character that no header may hold");
  }
}

export function bodyOf({ body, form }: Ask): string | URLSearchParams | undefined {
  if (form !== undefined) return new URLSearchParams(form);
  if (body === undefined) return undefined;
  try {
    return JSON.stringify(body);
  } catch (error) {
    // A bigint, or a thing that holds itself. The message names the kind, not the content.
    throw new CountersignError("What was to be sent cannot be written as JSON", { cause: error });
  }
}
