/** Skips to the end of the string that begins at `start`; returns the place of its closing quotation mark. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at;
}

/** Two spellings of one name are one name. */
const nameOf = (written: string): string =>
  written.includes("\\") ? (JSON.parse(written) as string) : written.slice(1, -1);

/** Adds the name; returns false if it was there before. */
function isNew(names: Set<string>, name: string): boolean {
  const before = names.size;
  return names.add(name).size > before;
}

/**
 * Returns the name of the first member that an object of this JSON text has twice, undefined if no name is repeated. Parsers differ in
 * which of the two they keep, so that a proxy, a signer and this service could read different requests. The text must be valid
 * JSON. Goes through it once, without recursion.
 */
export function findRepeatedMember(text: string): string | undefined {
  /** The names of each object that is open; undefined for an array. */
  const open: (Set<string> | undefined)[] = [];
  const next = { isName: false };
  const step: Readonly<Record<string, () => void>> = {
    "{": () => {
      open.push(new Set());
      next.isName = true;
    },
    "[": () => {
      open.push(undefined);
      next.isName = false;
    },
    "}": () => void open.pop(),
    "]": () => void open.pop(),
    ",": () => {
      next.isName = open.at(-1) !== undefined;
    },
  };
  for (let at = 0; at < text.length; at++) {
    if (text[at] !== '"') {
      step[text[at] ?? ""]?.();
      continue;
    }
    const end = endOfString(text, at);
    const names = next.isName ? open.at(-1) : undefined;
    const name = names === undefined ? "" : nameOf(text.slice(at, end + 1));
    if (names !== undefined && !isNew(names, name)) return name;
    next.isName = false;
    at = end;
  }
  return undefined;
}
