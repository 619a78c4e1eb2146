import { printable } from "../platform/printable.ts";

/** Longer than any browser sends. */
const longest = 300;

/** Returns the caller's user agent, if it sent one. */
export function userAgentIn(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): string | null {
  const said = headers["user-agent"];
  return typeof said === "string" && said !== "" ? printable(said, longest) : null;
}
