import { oauthErrors } from "./errors.ts";

const absolute = /^(https?:\/\/[a-z0-9.:[\]-]+)(\/[!-~]*)?$/i;

/**
 * Refuses what is not this server. There is one resource, /mcp; clients also name it with a slash behind, or by the server
 * it is on, and mean the same. The token is for /mcp in each case.
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
    // Sent without a value is not sent (RFC 6749, 3.1).
    if (!named.every((text) => text === "" || isOurs(text))) throw oauthErrors.invalidTarget();
  };
}
