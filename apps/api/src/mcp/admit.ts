import { mcpErrors } from "./errors.ts";

type Parts = {
  readonly baseUrl: string;
  /** Allowed origins of pages in addition to our own. */
  readonly origins: readonly string[];
};
type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

const loopback = ["localhost", "127.0.0.1", "[::1]"];
const defaultPorts: Readonly<Record<string, string>> = { "http:": "80", "https:": "443" };

/** Our host names, with and without a default port. */
function hostsOf(baseUrl: string): ReadonlySet<string> {
  const { protocol, hostname, port } = new URL(baseUrl);
  const names = loopback.includes(hostname) ? loopback : [hostname];
  return new Set(
    names.flatMap((name) =>
      port === "" ? [name, `${name}:${defaultPorts[protocol] ?? ""}`] : [`${name}:${port}`],
    ),
  );
}

/** A page on the user's own machine, such as a developer tool. */
function isLoopbackOrigin(origin: string): boolean {
  if (!URL.canParse(origin)) return false;
  const url = new URL(origin);
  return url.origin === origin && loopback.includes(url.hostname);
}

/**
 * Rejects requests that a browser may have been tricked into sending: from other sites' pages, or to host
 * names that were pointed at us (DNS rebinding). A client without an Origin header is not a browser.
 */
export function makeAdmit({ baseUrl, origins }: Parts): (headers: Headers) => void {
  const hosts = hostsOf(baseUrl);
  const allowed = new Set(origins);
  return ({ host, origin }) => {
    if (typeof host !== "string" || !hosts.has(host.toLowerCase())) throw mcpErrors.hostRefused();
    if (origin === undefined) return;
    if (typeof origin !== "string" || !(allowed.has(origin) || isLoopbackOrigin(origin)))
      throw mcpErrors.originRefused();
  };
}
