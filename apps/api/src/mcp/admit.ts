import { mcpErrors } from "./errors.ts";

type Parts = {
  readonly baseUrl: string;
  /** Origins of pages beside our own. */
  readonly origins: readonly string[];
};
type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

const loopback = ["localhost", "127.0.0.1", "[::1]"];
const defaultPorts: Readonly<Record<string, string>> = { "http:": "80", "https:": "443" };

/** The names that we are called by, each with its port where one may be left out. */
function hostsOf(baseUrl: string): ReadonlySet<string> {
  const { protocol, hostname, port } = new URL(baseUrl);
  const names = loopback.includes(hostname) ? loopback : [hostname];
  return new Set(
    names.flatMap((name) =>
      port === "" ? [name, `${name}:${defaultPorts[protocol] ?? ""}`] : [`${name}:${port}`],
    ),
  );
}

/** A page on the user's own machine: tools of developers are such. */
function isLoopbackOrigin(origin: string): boolean {
  if (!URL.canParse(origin)) return false;
  const url = new URL(origin);
  return url.origin === origin && loopback.includes(url.hostname);
}

/**
 * Keeps out what a browser may have been talked into sending: pages of others, and names that were made to point at us
 * (DNS rebinding). Whoever sends no Origin is no browser.
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
