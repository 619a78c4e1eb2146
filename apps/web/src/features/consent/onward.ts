// The redirect after the answer. The service names it; this page follows it only if the app registered it.

const never = new Set([
  "javascript:",
  "data:",
  "vbscript:",
  "blob:",
  "file:",
  "about:",
  "view-source:",
  "filesystem:",
]);

const read = (address: string): URL | undefined => (URL.canParse(address) ? new URL(address) : undefined);

/**
 * Returns the redirect URL, or undefined unless it is the registered one plus a query. Scheme, host and path must match, and
 * script URLs are always refused.
 */
export function onwardAddress(redirectUrl: string, announced: string): string | undefined {
  const [to, from] = [read(redirectUrl), read(announced)];
  if (to === undefined || from === undefined || never.has(to.protocol)) return undefined;
  const isSame =
    to.protocol === from.protocol &&
    to.host === from.host &&
    to.pathname === from.pathname &&
    to.username === from.username &&
    to.password === from.password;
  return isSame ? to.href : undefined;
}
