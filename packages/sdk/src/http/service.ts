// Addresses of services.
import { CountersignError } from "../errors.ts";

/** Returns the origin. Throws early if the address is invalid, and never quotes it because it may contain a password. */
export function readOrigin(url: string): string {
  const read = URL.canParse(url) ? new URL(url) : undefined;
  if (read === undefined || !["http:", "https:"].includes(read.protocol))
    throw new CountersignError("The address of a service must begin with https:// or http://");
  if (read.username !== "" || read.password !== "")
    throw new CountersignError(
      "The address of a service must not contain a password: pass the credential separately",
    );
  if (read.pathname !== "/" || read.search !== "" || read.hash !== "")
    throw new CountersignError(`The address of a service must not have a path: use ${read.origin}`);
  return read.origin;
}

export function addressOf(
  origin: string,
  path: string,
  query: Readonly<Record<string, string | number | undefined>> = {},
): string {
  // A path that begins with two slashes names another host, which would receive the credential.
  if (!path.startsWith("/") || path.startsWith("//") || path.startsWith("/\\"))
    throw new CountersignError("A path must begin with one slash");
  const address = new URL(path, origin);
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) address.searchParams.set(name, String(value));
  return address.href;
}

/** Removes the query, which may contain a code. */
export const pathOf = (path: string): string => path.split(/[?#]/)[0] ?? path;
