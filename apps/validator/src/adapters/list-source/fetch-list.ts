/**
 * Gets a published list and its signature from a URL or a file. HTTPS only, except from this machine; redirects are followed a few times and
 * only to addresses that would be accepted themselves; time and size are bounded.
 */
import { open } from "node:fs/promises";

/** A refusal in words for the operator. Never contains credentials or the query of a URL. */
export class SourceRefused extends Error {
  override readonly name = "SourceRefused";
}

export type Fetched = { readonly text: string; readonly signature: string | null };

type Limits = { readonly maxBytes: number; readonly timeoutMs: number };

const maxRedirects = 3;
const maxSignatureBytes = 4 * 1024;
const signatureSuffix = ".minisig";

/** `from` is a URL or a path. The signature is at the same place, with `.minisig` after the path. */
export async function fetchList(from: string, limits: Limits): Promise<Fetched> {
  const url = URL.parse(from);
  const small = { ...limits, maxBytes: maxSignatureBytes };
  // A path like C:\lists is a URL to the parser, so only these schemes are.
  if (url === null || !/^[a-z]+:\/\//i.test(from)) {
    const [text, signature] = [
      await readBounded(from, limits),
      await readBounded(`${from}${signatureSuffix}`, small),
    ];
    if (text === null) throw new SourceRefused(`there is no file ${from}`);
    return { text, signature };
  }
  const signatureUrl = new URL(url);
  signatureUrl.pathname += signatureSuffix;
  const [text, signature] = [await get(url, limits), await get(signatureUrl, small)];
  if (text === null) throw new SourceRefused(`${nameOf(url)} answered 404`);
  return { text, signature };
}

/** Returns null if there is no such file. */
async function readBounded(path: string, { maxBytes }: Limits): Promise<string | null> {
  try {
    await using file = await open(path, "r");
    if ((await file.stat()).size > maxBytes) throw tooLarge(path, maxBytes);
    return decode(await file.readFile(), path);
  } catch (error) {
    if (error instanceof SourceRefused) throw error;
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
    if (code === "ENOENT") return null;
    throw new SourceRefused(`${path} cannot be read: ${code}`);
  }
}

/** Returns what a service answers with 200 or 404, which some services use for an answer. */
export async function fetchDocument(
  url: URL,
  limits: Limits,
): Promise<{ readonly status: 200 | 404; readonly text: string }> {
  const found = await request(url, limits);
  return { status: found.status, text: await readBody(found.answer, found.url, limits) };
}

/** Returns null for 404. */
async function get(start: URL, limits: Limits): Promise<string | null> {
  const { status, answer, url } = await request(start, limits);
  return status === 404 ? null : await readBody(answer, url, limits);
}

type Requested = { readonly status: 200 | 404; readonly answer: Response; readonly url: URL };

async function request(start: URL, limits: Limits): Promise<Requested> {
  const signal = AbortSignal.timeout(limits.timeoutMs);
  let url = start;
  for (let hop = 0; hop <= maxRedirects; hop += 1) {
    checkAddress(url, start);
    const answer = await ask(url, signal, limits);
    const location = answer.headers.get("location");
    if (answer.status >= 300 && answer.status < 400 && location !== null) {
      await answer.body?.cancel();
      const next = URL.parse(location, url.href);
      if (next === null) throw new SourceRefused(`${nameOf(url)} redirects to something that is not a URL`);
      url = next;
      continue;
    }
    const { status } = answer;
    if (status !== 200 && status !== 404) throw new SourceRefused(`${nameOf(url)} answered ${status}`);
    return { status, answer, url };
  }
  throw new SourceRefused(`${nameOf(start)} redirects more than ${maxRedirects} times`);
}

/** Loopback is for mirrors on this machine; nothing else may lead there. */
function checkAddress(url: URL, start: URL): void {
  const isLoopback = ["127.0.0.1", "[::1]", "localhost"].includes(url.hostname);
  if (url.protocol === "https:" && start.protocol === "https:") return;
  if (url.protocol === start.protocol && url.protocol === "http:" && isLoopback) return;
  throw new SourceRefused(
    url === start
      ? `${nameOf(url)} is not an https address`
      : `${nameOf(start)} redirects to ${nameOf(url)}, which is not allowed`,
  );
}

async function ask(url: URL, signal: AbortSignal, { timeoutMs }: Limits): Promise<Response> {
  try {
    return await fetch(url, { redirect: "manual", signal });
  } catch (error) {
    throw unreachable(url, error, timeoutMs);
  }
}

async function readBody(answer: Response, url: URL, { maxBytes, timeoutMs }: Limits): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size > maxBytes) throw tooLarge(nameOf(url), maxBytes);
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof SourceRefused ? error : unreachable(url, error, timeoutMs);
  }
  return decode(Buffer.concat(chunks), nameOf(url));
}

/** A signature covers bytes, and they are stored as text. */
function decode(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new SourceRefused(`${name} is not UTF-8 text`);
  }
}

const tooLarge = (name: string, maxBytes: number): SourceRefused =>
  new SourceRefused(`${name} is larger than ${maxBytes} bytes`);

function unreachable(url: URL, error: unknown, timeoutMs: number): SourceRefused {
  const isLate = error instanceof Error && error.name === "TimeoutError";
  const why = isLate ? `no answer in ${timeoutMs} ms` : "no connection";
  return new SourceRefused(`${nameOf(url)} cannot be reached: ${why}`);
}

/** Without credentials and query, which can hold a key. */
const nameOf = ({ protocol, host, pathname }: URL): string => `${protocol}//${host}${pathname}`;
