import { printable } from "../platform/printable.ts";

/** Longer than any that a browser sends. */
const longest = 300;

/** What the caller calls itself, if it does. */
export function userAgentIn(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): string | null {
  const said = headers["user-agent"];
  return typeof said === "string" && said !== "" ? printable(said, longest) : null;
}
