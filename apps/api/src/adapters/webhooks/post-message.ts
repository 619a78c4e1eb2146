// Posts messages to URLs that owners choose, without ever contacting a private address.
import { BlockList, isIP } from "node:net";
import { errors, request } from "undici";
import {
  AddressNotPublicError,
  askNameServers,
  checkHost,
  isPublicAddress,
  makePublicAgent,
  type PublicAgentOptions,
  type Resolve,
} from "../public-web/index.ts";

/** The result of one attempt. The receiver's answer is not kept: only its status. */
export type Posted = {
  /** Null if no answer came. */
  readonly status: number | null;
  /** Null if the receiver accepted it. One of our own sentences, never the receiver's text. */
  readonly error: string | null;
  readonly durationMs: number;
  /** The pause that the receiver asks for, if it does: `retry-after` in seconds. */
  readonly retryAfterMs?: number;
};

type Message = { readonly headers: Readonly<Record<string, string>>; readonly body: string | Buffer };

export type PostMessage = (url: string, message: Message) => Promise<Posted>;

type Options = Partial<PublicAgentOptions> & {
  /** For the whole attempt. */
  readonly timeoutMs?: number;
  /** Whether http and https to this machine are allowed, for development. */
  readonly allowLoopback?: boolean;
};

/** Receivers answer with an empty body or a short one. The rest is not read. */
const mostAnswerBytes = 16 * 1024;

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

const isLoopbackAddress = (address: string): boolean =>
  isIP(address) !== 0 && loopback.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");

/** The hosts file is not read, so the usual name of this machine is resolved here. */
const resolveWithLocalhost: Resolve = async (host) =>
  host === "localhost" ? [{ address: "127.0.0.1", family: 4 }] : askNameServers(host);

/** Whether a URL may be posted to: https, or http to this machine if that is allowed. */
export function isPostable(url: URL, { allowLoopback }: { readonly allowLoopback: boolean }): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const isLocal = host === "localhost" || isLoopbackAddress(host);
  if (isLocal) return allowLoopback && ["http:", "https:"].includes(url.protocol);
  return url.protocol === "https:" && (isIP(host) === 0 || isPublicAddress(host));
}

const certificateCodes = /^(?:ERR_TLS_|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/;

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";

/** Explains a failed attempt in one of our own sentences. */
function explain(error: unknown): string {
  if (error instanceof AddressNotPublicError) return "The address is not public";
  if (error instanceof Error && error.name === "TimeoutError") return "No answer in time";
  if (error instanceof errors.ConnectTimeoutError) return "No connection in time";
  if (certificateCodes.test(codeOf(error))) return "The TLS certificate is not valid";
  return "The connection failed";
}

function explainStatus(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400
    ? `Answered ${status}; redirects are not followed`
    : `Answered ${status}`;
}

type Answer = Pick<Posted, "retryAfterMs"> & { readonly status: number };

/** A date instead of seconds is ignored. */
const retryAfterOf = (header: string | readonly string[] | undefined): Pick<Posted, "retryAfterMs"> =>
  typeof header === "string" && /^\d{1,6}(?:\.\d+)?$/.test(header)
    ? { retryAfterMs: Math.ceil(Number(header) * 1000) }
    : {};

/** Reads and forgets the answer, so that the receiver can finish it. */
async function drain(body: AsyncIterable<Buffer>): Promise<void> {
  let length = 0;
  for await (const chunk of body) if ((length += chunk.byteLength) > mostAnswerBytes) return;
}

/** Makes a function that posts one message once and reports the result. It never throws for what a receiver does. */
export function makePostMessage({
  connectMs = 3000,
  timeoutMs = 10_000,
  allowLoopback = false,
  isAllowed = (address) => isPublicAddress(address) || (allowLoopback && isLoopbackAddress(address)),
  resolve = allowLoopback ? resolveWithLocalhost : askNameServers,
  certificate,
}: Options = {}): PostMessage {
  const agent = makePublicAgent({ connectMs, isAllowed, resolve, certificate });

  const post = async (address: string, { headers, body }: Message): Promise<Answer> => {
    const url = new URL(address);
    if (url.protocol !== "https:" && !isPostable(url, { allowLoopback }))
      throw new AddressNotPublicError("the URL is not https");
    checkHost(url, isAllowed);
    const answer = await request(url, {
      ...{ method: "POST", dispatcher: agent, headers, body },
      signal: AbortSignal.timeout(timeoutMs),
    });
    // Destroying the unread body emits an error, which would end the process if unhandled.
    answer.body.on("error", () => undefined);
    // The status is the answer, also if the rest of it does not arrive.
    await drain(answer.body).catch(() => undefined);
    answer.body.destroy();
    return { status: answer.statusCode, ...retryAfterOf(answer.headers["retry-after"]) };
  };

  return async (address, message) => {
    const start = performance.now();
    const durationMs = (): number => Math.round(performance.now() - start);
    try {
      const { status, ...more } = await post(address, message);
      return { status, error: explainStatus(status), durationMs: durationMs(), ...more };
    } catch (error) {
      return { status: null, error: explain(error), durationMs: durationMs() };
    }
  };
}
