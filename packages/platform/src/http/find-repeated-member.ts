/** Skips to the end of the string that begins at `start`; returns the place of its closing quotation mark. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at;
}

/**
 * Returns the name of the first member that an object of this JSON text has twice, undefined if there is none. Parsers differ in
 * which of the two they keep, so that a proxy, a signer and this service could read different requests. The text must be valid
 * JSON. Goes through it once, without recursion.
 */
export function findRepeatedMember(text: string): string | undefined {
  /** One for each object or array that is open; undefined for an array. */
  const open: (Set<string> | undefined)[] = [];
  let isName = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === "{" || character === "[") {
      open.push(character === "{" ? new Set() : undefined);
      isName = character === "{";
    } else if (character === "}" || character === "]") {
      open.pop();
      isName = false;
    } else if (character === ",") isName = open.at(-1) !== undefined;
    else if (character === '"') {
      const end = endOfString(text, at);
      const names = isName ? open.at(-1) : undefined;
      if (names !== undefined) {
        const written = text.slice(at, end + 1);
        // Two spellings of one name are one name.
        const name = written.includes("\\") ? (JSON.parse(written) as string) : written.slice(1, -1);
        if (names.has(name)) return name;
        names.add(name);
      }
      isName = false;
      at = end;
    }
  }
  return undefined;
}
