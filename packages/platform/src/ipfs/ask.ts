// One bounded question to a server of the IPFS world. Errors are in our own words: what the libraries say may hold the
// server's address, and with it an access key.

import { callOther } from "../trace/index.ts";

export type Server = {
  /** Who is asked, in a sentence: "the IPFS gateway". */
  readonly whom: string;
  readonly url: string;
  readonly timeoutMs: number;
  readonly token?: string | undefined;
};

type Question = {
  readonly method?: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: RequestInit["body"];
  readonly maximumBytes: number;
};

const headersFor = ({ token }: Server, headers: Question["headers"] = {}) => ({
  ...headers,
  ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
});

/** Returns the status of any answer. */
export async function knock(server: Server, path: string): Promise<number> {
  const signal = AbortSignal.timeout(server.timeoutMs);
  const init = { signal, redirect: "manual", headers: headersFor(server) } as const;
  const response = await fetch(`${server.url}${path}`, init).catch(() => {
    throw new Error(`${server.whom} could not be reached${signal.aborted ? " in time" : ""}`);
  });
  await response.body?.cancel().catch(() => undefined);
  return response.status;
}

/** Any status but success throws, as do a redirect, no answer in time, and an answer that is too long or cut off. */
export async function ask(
  server: Server,
  path: string,
  { method = "GET", headers, body = null, maximumBytes }: Question,
): Promise<Uint8Array> {
  const { whom, url, timeoutMs } = server;
  // One time limit for the whole of the answer.
  const signal = AbortSignal.timeout(timeoutMs);
  const late = (): string => (signal.aborted ? " in time" : "");
  const response = await callOther({ to: "ipfs", method }, () =>
    fetch(`${url}${path}`, {
      ...{ method, body, signal, redirect: "error" },
      headers: headersFor(server, headers),
    }),
  ).catch(() => {
    throw new Error(`${whom} could not be reached${late()}`);
  });
  if (!response.ok) {
    await response.body?.cancel().catch(() => undefined);
    throw new Error(`${whom} answered ${response.status}`);
  }
  const bytes = await readAtMost(response.body, maximumBytes).catch(() => {
    throw new Error(`${whom}'s answer did not arrive whole${late()}`);
  });
  if (bytes === undefined) throw new Error(`${whom}'s answer is longer than ${maximumBytes} bytes`);
  return bytes;
}

/** Counts the bytes as they come: the announced length is not believed. Returns undefined for too many. */
async function readAtMost(
  body: AsyncIterable<Uint8Array> | null,
  maximumBytes: number,
): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.byteLength;
    if (length > maximumBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Returns undefined for what is not JSON. */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString());
  } catch {
    return undefined;
  }
}
