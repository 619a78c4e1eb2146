import { isLoopback } from "../platform/is-loopback.ts";
import type { SiweMessage } from "./siwe-message.ts";

/** Whether a page with this scheme and host may ask users to sign in here. */
export type SignInPages = (scheme: string, host: string) => boolean;

type Addresses = {
  readonly baseUrl: string;
  /** The web app's address, and those that the operator adds. */
  readonly others: readonly string[];
};

/**
 * Accepts pages of the service, of the web app, and of addresses that the operator adds. If the service
 * itself is on this machine, as in development, also any page of this machine on any port. A loopback web app
 * does not open a public service to all of loopback. The request's Host header is never trusted.
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
/** Tolerates clock skew. */
const newestMs = minute;

function isOurUri(uri: string, pages: SignInPages): boolean {
  const url = URL.parse(uri);
  // User info in front of the host would make one host look like another.
  return url !== null && url.username === "" && pages(url.protocol.replace(":", ""), url.host);
}

/** Returns why this message cannot sign in here and now, or undefined if it can. */
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
