// One bounded HTTP request. Errors have our own messages, because an error in a step reaches the engine's journal,
// which must not contain others' texts.

import { callOther, callService } from "@countersign/platform/trace";

/** Something that is unavailable now and may be available later. The caller is expected to retry. */
export class Unavailable extends Error {
  constructor(message: string) {
    super(message);
    this.name = "Unavailable";
  }
}

export type Answer = {
  readonly status: number;
  readonly bytes: Uint8Array;
  /** The header of the answer, unread. */
  readonly traceparent?: string;
};

type Question = {
  /** The server's name in messages: "the validator". */
  readonly whom: string;
  /** The route, with its parameters in braces, if it is one of our own services: it continues the trace. */
  readonly route?: string;
  readonly url: string;
  readonly method?: "GET" | "POST" | "PATCH";
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly timeoutMs: number;
  readonly maxBytes: number;
};

/** Any status is an answer. Throws `Unavailable` without an answer, on a redirect, and if the answer is too long. */
export async function ask({ whom, timeoutMs, maxBytes, ...question }: Question): Promise<Answer> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const response = await send(whom, question, signal);
    const bytes = await readAtMost(response, maxBytes);
    const traceparent = response.headers.get("traceparent");
    if (bytes !== undefined)
      return { status: response.status, bytes, ...(traceparent === null ? {} : { traceparent }) };
  } catch {
    throw new Unavailable(signal.aborted ? `${whom} did not answer in time` : `${whom} could not be reached`);
  }
  throw new Unavailable(`${whom} answered with more than ${maxBytes} bytes`);
}

function send(
  whom: string,
  { url, route, method = "GET", headers = {}, body }: Omit<Question, "whom" | "timeoutMs" | "maxBytes">,
  signal: AbortSignal,
): Promise<Response> {
  const request = (trace: Readonly<Record<string, string>> = {}): Promise<Response> =>
    fetch(url, {
      method,
      headers: {
        ...headers,
        ...trace,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal,
      // A redirect would send keys and proposals to an address that the operator did not choose.
      redirect: "error",
    });
  const to = whom.replace(/^the /, "");
  return route === undefined
    ? callOther({ to, method }, () => request())
    : callService({ to, method, path: route }, request);
}

async function readAtMost(response: Response, maxBytes: number): Promise<Uint8Array | undefined> {
  const parts: Uint8Array[] = [];
  let size = 0;
  const body: AsyncIterable<Uint8Array> | null = response.body;
  if (body === null) return new Uint8Array();
  for await (const part of body) {
    parts.push(part);
    size += part.byteLength;
    // Leaving the loop closes the connection.
    if (size > maxBytes) return undefined;
  }
  return Buffer.concat(parts);
}

/** Undefined for invalid JSON. */
export function jsonOf({ bytes }: Answer): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString("utf8")) as unknown;
  } catch {
    return undefined;
  }
}

/** For health checks: whether a server answers there. */
export async function knock(whom: string, url: string): Promise<void> {
  const { status } = await ask({ whom, url, timeoutMs: 2_500, maxBytes: 256 * 1024 });
  if (status !== 200) throw new Unavailable(`${whom} answered with status ${status}`);
}
