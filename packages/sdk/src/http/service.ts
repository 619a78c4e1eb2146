// Where a service is.
import { CountersignError } from "../errors.ts";

/** Its origin. Said when it is wrong, and not at the first request; never quoted, because a password may be in it. */
export function readOrigin(url: string): string {
  const read = URL.canParse(url) ? new URL(url) : undefined;
  if (read === undefined || !["http:", "https:"].includes(read.protocol))
    throw new CountersignError("The address of a service begins with https:// or http://");
  if (read.username !== "" || read.password !== "")
    throw new CountersignError("The address of a service holds no password: the credential goes beside it");
  if (read.pathname !== "/" || read.search !== "" || read.hash !== "")
    throw new CountersignError(
      `The address of a service has nothing behind its host: ${read.origin} is enough`,
    );
  return read.origin;
}

export function addressOf(
  origin: string,
  path: string,
  query: Readonly<Record<string, string | number | undefined>> = {},
): string {
  // A path that begins with two slashes would be another host's, and the credential would go there.
  if (!path.startsWith("/") || path.startsWith("//") || path.startsWith("/\\"))
    throw new CountersignError("A path begins with one slash");
  const address = new URL(path, origin);
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) address.searchParams.set(name, String(value));
  return address.href;
}

/** Without the query, which may hold a code. */
export const pathOf = (path: string): string => path.split(/[?#]/)[0] ?? path;
