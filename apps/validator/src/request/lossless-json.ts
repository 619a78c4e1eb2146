/**
 * JSON without rounding. Amounts in wei do not fit a double, and a parser that rounds them shows the checks another amount
 * than the one that will be signed.
 */

const limits = { characters: 8 * 1024 * 1024, depth: 64, digits: 100 } as const;

const written = Symbol("written");

/** A number that is no plain integer but would look like one after parsing (`1e18`, `1.0`, `1e999`): kept as it was written. */
export type WrittenNumber = { readonly [written]: string };

export type Parsed = { readonly value: unknown } | { readonly fault: string };

export const isWrittenNumber = (value: unknown): value is WrittenNumber =>
  typeof value === "object" && value !== null && written in value;

export const writtenNumber = (text: string): WrittenNumber => ({ [written]: text });

/** The digits as they stood in the request. */
export const writtenAs = (number: WrittenNumber): string => number[written];

/**
 * Safe integers and fractions come back as numbers, longer integers as bigint, everything else that is numeric as a
 * `WrittenNumber`. Malformed, too deep or too long text, and objects that name a key twice (which two readers would
 * understand in two ways), come back as a fault.
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

// A third argument that the type library does not know yet: the text the value was made from.
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

/** An object that is being read, with the keys it named so far; null for a list. */
type Open = { readonly keys: Set<string> | null; expectsKey: boolean };

/** One pass over the characters for what JSON.parse does not tell: depth and repeated keys. */
function findFault(text: string): string | null {
  const open: Open[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? "";
    if (character === '"') {
      const end = endOfString(text, at);
      const repeated = repeatedKey(text.slice(at + 1, end), open.at(-1));
      if (repeated !== null) return `the key ${repeated} stands twice in one object`;
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

/** Escapes are undone, so that `"to"` and `"\u0074o"` count as the same key. */
function repeatedKey(raw: string, inside: Open | undefined): string | null {
  if (inside?.expectsKey !== true) return null;
  const key = raw.includes("\\") ? (JSON.parse(`"${raw}"`) as string) : raw;
  if (inside.keys?.has(key) === true) return JSON.stringify(key.slice(0, 40));
  inside.keys?.add(key);
  inside.expectsKey = false;
  return null;
}

/** Index of the closing quote; the end of the text where there is none, which JSON.parse then refuses. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text[before] === "\\") before -= 1;
    if ((end - before) % 2 === 1) return end;
  }
  return text.length;
}
