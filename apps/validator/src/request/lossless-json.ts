/**
 * Parses JSON without rounding. Amounts in wei do not fit a double, and a parser that rounds them would show the checks a
 * different amount than the one to be signed.
 */

const limits = { characters: 8 * 1024 * 1024, depth: 64, digits: 100 } as const;

const written = Symbol("written");

/** A number that is not written as a plain integer but would parse to one or to infinity (`1e18`, `1.0`, `1e999`). Kept as written. */
export type WrittenNumber = { readonly [written]: string };

export type Parsed = { readonly value: unknown } | { readonly fault: string };

export const isWrittenNumber = (value: unknown): value is WrittenNumber =>
  typeof value === "object" && value !== null && written in value;

export const writtenNumber = (text: string): WrittenNumber => ({ [written]: text });

/** Returns the number as written in the request. */
export const writtenAs = (number: WrittenNumber): string => number[written];

/**
 * Returns safe integers and fractions as numbers, longer integers as bigint, and every other number as a `WrittenNumber`.
 * Returns a fault for text that is malformed, too deep or too long, and for objects that repeat a key, because parsers
 * disagree about which one counts.
 */
export function parseLossless(text: string): Parsed {
  if (text.length > limits.characters) return { fault: `longer than ${limits.characters} characters` };
  try {
    const fault = findFault(text);
    if (fault !== null) return { fault };
    return { value: JSON.parse(text, revive) };
  } catch {
    return { fault: "not valid JSON" };
  }
}

// The type library does not have the third argument yet. It contains the source text of the value.
function revive(key: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (key === "__proto__") return undefined;
  return typeof value === "number" && context?.source !== undefined
    ? numberFrom(context.source, value)
    : value;
}

function numberFrom(source: string, value: number): number | bigint | WrittenNumber {
  if (/^-?[0-9]+$/.test(source)) {
    if (Number.isSafeInteger(value)) return value === 0 ? 0 : value;
    // Turning a million digits into a bigint takes quadratic time, and no amount has more than 78.
    return source.length > limits.digits ? writtenNumber(source) : BigInt(source);
  }
  return Number.isInteger(value) || !Number.isFinite(value)
    ? writtenNumber(source.slice(0, limits.digits))
    : value;
}

/** An open object with the keys read so far. `keys` is null for a list. */
type Open = { readonly keys: Set<string> | null; expectsKey: boolean };

/** Finds excessive depth and repeated keys, which JSON.parse does not report, in one pass over the characters. */
function findFault(text: string): string | null {
  const open: Open[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? "";
    if (character === '"') {
      const end = endOfString(text, at);
      const repeated = repeatedKey(text.slice(at + 1, end), open.at(-1));
      if (repeated !== null) return `the key ${repeated} occurs twice in one object`;
      at = end;
    } else follow(character, open);
    if (open.length > limits.depth) return `nested deeper than ${limits.depth} levels`;
  }
  return null;
}

function follow(character: string, open: Open[]): void {
  if (character === "{") open.push({ keys: new Set(), expectsKey: true });
  else if (character === "[") open.push({ keys: null, expectsKey: false });
  else if (character === "}" || character === "]") open.pop();
  else if (character === ",") {
    const inside = open.at(-1);
    if (inside !== undefined) inside.expectsKey = inside.keys !== null;
  }
}

/** Decodes escapes first, so that `"to"` and `"\u0074o"` count as the same key. */
function repeatedKey(raw: string, inside: Open | undefined): string | null {
  if (inside?.expectsKey !== true) return null;
  const key = raw.includes("\\") ? (JSON.parse(`"${raw}"`) as string) : raw;
  if (inside.keys?.has(key) === true) return JSON.stringify(key.slice(0, 40));
  inside.keys?.add(key);
  inside.expectsKey = false;
  return null;
}

/** Returns the index of the closing quote. If there is no closing quote, returns the end of the text, which JSON.parse then rejects. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text[before] === "\\") before -= 1;
    if ((end - before) % 2 === 1) return end;
  }
  return text.length;
}
