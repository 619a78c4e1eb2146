import { oauthErrors } from "./errors.ts";

const absolute = /^(https?:\/\/[a-z0-9.:[\]-]+)(\/[!-~]*)?$/i;

/**
 * Rejects resources that are not this server. There is one resource, /mcp. Clients also name it with a
 * trailing slash, or by the server's address, and mean the same. The token is for /mcp in each case.
 */
export function makeCheckResource({
  baseUrl,
}: {
  readonly baseUrl: string;
}): (resource: string | readonly string[] | undefined) => void {
  const base = new URL(baseUrl);
  const path = base.pathname.replace(/\/$/, "");
  const paths = new Set(["", "/", "/mcp", "/mcp/"].map((end) => `${path}${end}`));
  const isOurs = (text: string): boolean => {
    const [, origin = "", rest = ""] = absolute.exec(text) ?? [];
    return URL.parse(origin)?.origin === base.origin && paths.has(rest);
  };
  return (resource = []) => {
    const named = typeof resource === "string" ? [resource] : resource;
    // A parameter without a value counts as missing (RFC 6749, 3.1).
    if (!named.every((text) => text === "" || isOurs(text))) throw oauthErrors.invalidTarget();
  };
}
