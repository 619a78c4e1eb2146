/** Longer than any that a program uses, and short enough for a browser's address bar. */
const longest = 2000;

/**
 * Schemes that known desktop programs listen on. The MCP specification allows only https and localhost, but
 * these programs cannot be connected otherwise; PKCE protects them. Also allowed: any scheme that is a
 * reversed domain name (RFC 8252, 7.1). This is an allow list: everything else is rejected.
 */
const schemesOfPrograms = new Set([
  "claude",
  "cursor",
  "goose",
  "jetbrains",
  "kiro",
  "lmstudio",
  "raycast",
  "vscode",
  "vscode-insiders",
  "vscodium",
  "warp",
  "windsurf",
  "zed",
]);
const reverseDomain = /^[a-z][a-z0-9-]*(?:\.[a-z0-9][a-z0-9-]*)+$/;

const loopbackHosts = new Set(["localhost", "127.0.0.1", "[::1]"]);

// Matched against the text itself: a URL parser repairs much of what must be rejected, and other parsers repair it
// differently.
const readable = /^[!-~]+$/;
const ambiguous = /[\\*#"<>^`{|}]/;
const webUri = /^(https?):\/\/(\[[0-9a-f:]+\]|[a-z0-9._-]+)(?::\d{1,5})?(?:[/?].*)?$/i;
const otherUri = /^([a-z][a-z0-9+.-]*):(?:\/\/[^/?@]*(?:[/?].*)?|\/(?!\/).*|[^/].*)$/i;
const loopbackUri = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?((?:[/?].*)?)$/;

function isAllowedWebUri(text: string, { protocol, hostname, username, password }: URL): boolean {
  const [, scheme = "", host = ""] = webUri.exec(text) ?? [];
  // The text must equal what a browser opens: it reads `0x7f.1` as 127.0.0.1.
  if (`${scheme.toLowerCase()}:` !== protocol || host.toLowerCase() !== hostname) return false;
  if (username !== "" || password !== "") return false;
  return protocol === "https:" || loopbackHosts.has(hostname);
}

function isAllowedProgramUri(text: string, { protocol, username, password }: URL): boolean {
  const scheme = (otherUri.exec(text)?.[1] ?? "").toLowerCase();
  if (`${scheme}:` !== protocol || username !== "" || password !== "") return false;
  return schemesOfPrograms.has(scheme) || reverseDomain.test(scheme);
}

/** Whether a browser may be redirected there with a code. Both the text and the parsed URL must pass. */
export function isAllowedRedirectUri(text: string): boolean {
  if (text.length > longest || !readable.test(text) || ambiguous.test(text)) return false;
  const url = URL.parse(text);
  if (url?.hash !== "") return false;
  return ["http:", "https:"].includes(url.protocol)
    ? isAllowedWebUri(text, url)
    : isAllowedProgramUri(text, url);
}

/** Whether it leads to a program on the user's own machine, which the consent page points out. */
export const isLoopbackRedirect = (text: string): boolean =>
  isAllowedRedirectUri(text) && loopbackUri.test(text);

/** Returns where it leads, for users: its host, or its scheme with the colon if it has no host. */
export function hostOfRedirect(text: string): string {
  const { protocol, host } = new URL(text);
  return host === "" ? protocol : host;
}

/**
 * Whether the requested address equals the registered one: byte for byte, except for the port of a program on
 * the user's own machine, which uses a free one (RFC 8252, 7.3). The three loopback names are different
 * addresses.
 */
export function isSameRedirect(asked: string, registered: string): boolean {
  if (asked === registered) return true;
  if (!isLoopbackRedirect(asked) || !isLoopbackRedirect(registered)) return false;
  const [, askedHost, askedRest] = loopbackUri.exec(asked) ?? [];
  const [, host, rest] = loopbackUri.exec(registered) ?? [];
  return askedHost === host && askedRest === rest;
}
