import { isLoopback } from "../platform/is-loopback.ts";
import type { SiweMessage } from "./siwe-message.ts";

/** Whose pages may ask people to sign in here: is this host with this scheme one of them? */
export type SignInPages = (scheme: string, host: string) => boolean;

type Addresses = {
  readonly baseUrl: string;
  /** Of the web app, and of what the operator adds. */
  readonly others: readonly string[];
};

/**
 * The pages of the service and of the web app, and what the operator adds. If the service itself is on this machine, also any page
 * of this machine, whatever its port: that is where it is developed. A web app or a further page on loopback does not open a
 * public service to all of loopback. Never what a request's own Host header says.
 */
export function makeSignInPages({ baseUrl, others }: Addresses): SignInPages {
  const known = [baseUrl, ...others].map((url) => new URL(url));
  const isLocal = isLoopback(new URL(baseUrl).host);
  return (scheme, host) =>
    known.some((page) => page.host === host && (scheme === "https" || page.protocol === `${scheme}:`)) ||
    (isLocal && isLoopback(host) && (scheme === "http" || scheme === "https"));
}

const minute = 60_000;
const oldestMs = 10 * minute;
/** Clocks differ a little. */
const newestMs = minute;

function isOurUri(uri: string, pages: SignInPages): boolean {
  const url = URL.parse(uri);
  // A name and password before the host would make one host look like another.
  return url !== null && url.username === "" && pages(url.protocol.replace(":", ""), url.host);
}

/** Why this message does not sign anybody in here and now; undefined if it may. */
export function refuseMessage(message: SiweMessage, pages: SignInPages, now: Date): string | undefined {
  const age = now.getTime() - message.issuedAt.getTime();
  if (!pages(message.scheme ?? "https", message.domain)) return "domain";
  if (!isOurUri(message.uri, pages)) return "uri";
  if (age > oldestMs || age < -newestMs) return "issued at";
  if (message.expirationTime !== undefined && message.expirationTime <= now) return "expired";
  if (message.notBefore !== undefined && message.notBefore.getTime() > now.getTime() + newestMs)
    return "not before";
  return undefined;
}
