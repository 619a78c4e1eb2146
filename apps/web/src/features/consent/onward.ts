// Where the browser is sent after the answer. The service says it; this page goes there only if it is where the program said it is.

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
 * The address to go to, or undefined if it is not the announced one with an answer added. The scheme, the host and the path must
 * be the same; a script is never an address.
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
