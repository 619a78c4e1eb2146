/** Longer than any that a program uses, and short enough for a browser's address line. */
const longest = 2000;

/**
 * Schemes that programs on people's own machines are known to listen for. The MCP specification has only https and
 * localhost, but these programs cannot be connected otherwise; what protects them is PKCE. Beside these, any scheme that is
 * a domain name turned round (RFC 8252, 7.1). There is no list of dangerous ones: what is not allowed is refused.
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

// Read off the text itself: a URL parser mends much of what must be refused, and others mend it otherwise.
const readable = /^[!-~]+$/;
const ambiguous = /[\\*#"<>^`{|}]/;
const webUri = /^(https?):\/\/(\[[0-9a-f:]+\]|[a-z0-9._-]+)(?::\d{1,5})?(?:[/?].*)?$/i;
const otherUri = /^([a-z][a-z0-9+.-]*):(?:\/\/[^/?@]*(?:[/?].*)?|\/(?!\/).*|[^/].*)$/i;
const loopbackUri = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?((?:[/?].*)?)$/;

function isAllowedWebUri(text: string, { protocol, hostname, username, password }: URL): boolean {
  const [, scheme = "", host = ""] = webUri.exec(text) ?? [];
  // What was written must be what a browser goes to: `0x7f.1` is 127.0.0.1 to it.
  if (`${scheme.toLowerCase()}:` !== protocol || host.toLowerCase() !== hostname) return false;
  if (username !== "" || password !== "") return false;
  return protocol === "https:" || loopbackHosts.has(hostname);
}

function isAllowedProgramUri(text: string, { protocol, username, password }: URL): boolean {
  const scheme = (otherUri.exec(text)?.[1] ?? "").toLowerCase();
  if (`${scheme}:` !== protocol || username !== "" || password !== "") return false;
  return schemesOfPrograms.has(scheme) || reverseDomain.test(scheme);
}

/** Whether somebody may be sent there with a code. Judged by the text and by what a browser makes of it; both must hold. */
export function isAllowedRedirectUri(text: string): boolean {
  if (text.length > longest || !readable.test(text) || ambiguous.test(text)) return false;
  const url = URL.parse(text);
  if (url?.hash !== "") return false;
  return ["http:", "https:"].includes(url.protocol)
    ? isAllowedWebUri(text, url)
    : isAllowedProgramUri(text, url);
}

/** To a program on the person's own machine, whichever that is: the page that asks for consent says so. */
export const isLoopbackRedirect = (text: string): boolean =>
  isAllowedRedirectUri(text) && loopbackUri.test(text);

/** Where it leads, for people: its host, or its scheme with the colon if it has none. */
export function hostOfRedirect(text: string): string {
  const { protocol, host } = new URL(text);
  return host === "" ? protocol : host;
}

/**
 * Whether what is asked for is what was registered: letter by letter, except for the port of a program on the person's own
 * machine, which takes the one that is free (RFC 8252, 7.3). The three names of that machine are three places.
 */
export function isSameRedirect(asked: string, registered: string): boolean {
  if (asked === registered) return true;
  if (!isLoopbackRedirect(asked) || !isLoopbackRedirect(registered)) return false;
  const [, askedHost, askedRest] = loopbackUri.exec(asked) ?? [];
  const [, host, rest] = loopbackUri.exec(registered) ?? [];
  return askedHost === host && askedRest === rest;
}
