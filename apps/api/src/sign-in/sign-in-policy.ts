import type { SiweMessage } from "./siwe-message.ts";

/** Whose pages may ask people to sign in here: is this host with this scheme one of them? */
export type SignInPages = (scheme: string, host: string) => boolean;

const loopbackHosts = new Set(["localhost", "127.0.0.1", "[::1]"]);
const isLoopback = (host: string): boolean => loopbackHosts.has(host.replace(/:\d+$/, ""));

/**
 * The pages of the service and of the web app, and what the operator adds. With a service on this machine also any page of
 * this machine, whatever its port: that is where somebody develops. Never what a request's own Host header says.
 */
export function makeSignInPages(urls: readonly string[]): SignInPages {
  const known = urls.map((url) => new URL(url));
  const isLocal = known.some(({ host }) => isLoopback(host));
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
