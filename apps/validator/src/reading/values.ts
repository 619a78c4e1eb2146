/** Values read from tokens: numbers, assets, amounts, parties, durations. Each function gives every reading that starts at a token. */
import type { AssetRef, Decimal, PartyRef, Quantity, Span } from "../intent.ts";
import { decimal, plus, times, ratioIn, toShare } from "../words/numbers.ts";
import type { Vocabulary } from "./lexicon/vocabulary.ts";
import type { Token } from "./tokens.ts";

export type Read<T> = { readonly end: number; readonly value: T };
export type Amount = { readonly asset: AssetRef | null; readonly quantity: Quantity | null; readonly each: boolean };

/** The tokens of a request, what its words can mean, and the labels that the caller gave to addresses. */
export type Source = {
  readonly tokens: readonly Token[];
  readonly vocabulary: Vocabulary;
  readonly labels: readonly (readonly string[])[];
  readonly memory: Readonly<Record<"classes" | "args" | "amounts" | "parties", Map<number, unknown>>>;
};

export const spanOf = ({ tokens }: Source, from: number, to: number): Span => [
  tokens[from]?.span[0] ?? 0,
  tokens[to - 1]?.span[1] ?? 0,
];
export const lowAt = ({ tokens }: Source, at: number): string => {
  const token = tokens[at];
  return token?.kind === "word" ? token.low : token?.kind === "mark" ? token.mark : "";
};
export const isMark = ({ tokens }: Source, at: number, marks: string): boolean => {
  const token = tokens[at];
  return token?.kind === "mark" && marks.includes(token.mark);
};
/** Phrases of one class that start at a token. */
export const ofClass = (source: Source, at: number, cls: string): readonly { end: number; value: string }[] =>
  memoize(source, source.memory.classes, at, phrasesAt).get(cls) ?? none;

const none: readonly { end: number; value: string }[] = [];

function phrasesAt(source: Source, at: number): ReadonlyMap<string, readonly { end: number; value: string }[]> {
  const found = new Map<string, { end: number; value: string }[]>();
  for (const { end, entry } of source.vocabulary.matches(source.tokens, at))
    found.set(entry.cls, [...(found.get(entry.cls) ?? []), { end, value: entry.value }]);
  return found;
}

/** What starts at a token does not depend on how it was reached. */
export function memoize<T>(source: Source, memory: Map<number, unknown>, at: number, find: (source: Source, at: number) => T): T {
  const known = memory.get(at);
  if (known !== undefined) return known as T;
  const found = find(source, at);
  memory.set(at, found);
  return found;
}

export const newMemory = (): Source["memory"] => ({ classes: new Map(), args: new Map(), amounts: new Map(), parties: new Map() });

const units: Readonly<Record<string, number>> = Object.fromEntries(
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
    .split(" ")
    .map((word, n) => [word, n]),
);
const tens: Readonly<Record<string, number>> = Object.fromEntries(
  "twenty thirty forty fifty sixty seventy eighty ninety".split(" ").map((word, n) => [word, (n + 2) * 10]),
);
const scales: Readonly<Record<string, bigint>> = { hundred: 100n, thousand: 1000n, grand: 1000n, million: 1_000_000n, billion: 1_000_000_000n };

type NumberValue = { readonly n: Decimal; readonly others: readonly Decimal[] };

/** "twelve hundred", "two thousand and fifty", "3 million". */
function writtenNumber(source: Source, at: number): Read<NumberValue> | null {
  let total = 0n;
  let group = 0n;
  let end = at;
  let any = false;
  for (;;) {
    const low = lowAt(source, end);
    const small = units[low] ?? tens[low];
    const scale = scales[low];
    if (small !== undefined) group += BigInt(small);
    else if (scale !== undefined && any) {
      group = (group === 0n ? 1n : group) * scale;
      if (scale >= 1000n) {
        total += group;
        group = 0n;
      }
    } else if (low === "and" && any && (units[lowAt(source, end + 1)] ?? tens[lowAt(source, end + 1)]) !== undefined) {
      end += 1;
      continue;
    } else break;
    any = true;
    end += 1;
  }
  return any ? { end, value: { n: decimal(total + group), others: [] } } : null;
}

export function numbersAt(source: Source, at: number): readonly Read<NumberValue>[] {
  const token = source.tokens[at];
  if (token?.kind === "number") {
    const value = { n: token.n, others: token.others };
    const scale = scales[lowAt(source, at + 1)];
    if (scale !== undefined && scale > 100n)
      return [{ end: at + 2, value: { n: times(token.n, decimal(scale)), others: [] } }];
    return [{ end: at + 1, value }];
  }
  const low = lowAt(source, at);
  const written = writtenNumber(source, at);
  if (written !== null) {
    const half = ["and a half", "point five"].some((phrase) => follows(source, written.end, phrase));
    return half
      ? [{ end: written.end + (lowAt(source, written.end) === "and" ? 3 : 2), value: { n: plus(written.value.n, decimal(5n, 1)), others: [] } }]
      : [written];
  }
  if ((low === "a" || low === "an") && scales[lowAt(source, at + 1)] !== undefined)
    return [{ end: at + 2, value: { n: decimal(scales[lowAt(source, at + 1)] ?? 0n), others: [] } }];
  if (low === "half" && ["a", "an"].includes(lowAt(source, at + 1))) return [{ end: at + 2, value: { n: decimal(5n, 1), others: [] } }];
  if (follows(source, at, "a quarter of an") || follows(source, at, "a quarter of a")) return [{ end: at + 4, value: { n: decimal(25n, 2), others: [] } }];
  if (follows(source, at, "a tenth of an") || follows(source, at, "a tenth of a")) return [{ end: at + 4, value: { n: decimal(1n, 1), others: [] } }];
  return [];
}

export const follows = (source: Source, at: number, phrase: string): boolean =>
  phrase.split(" ").every((word, offset) => lowAt(source, at + offset) === word);

const plainWords = new Set("native plain actual real regular normal good old bridged original".split(" "));
const coinWords = new Set("token tokens coin coins shares share".split(" "));

/** `afterNumber`: in the place of an asset even a dictionary word in lower case is one. */
export function assetsAt(source: Source, at: number, afterNumber: boolean): readonly Read<AssetRef>[] {
  const { tokens, vocabulary } = source;
  const { names } = vocabulary;
  let from = at;
  while (plainWords.has(lowAt(source, from))) from += 1;
  const bridged = lowAt(source, at) === "bridged";
  const found: Read<AssetRef>[] = [];
  const add = (end: number, symbol: string): void => {
    const stop = coinWords.has(lowAt(source, end)) ? end + 1 : end;
    found.push({ end: stop, value: { kind: "symbol", symbol, span: spanOf(source, at, end) } });
  };
  for (const { end, value } of ofClass(source, from, "asset")) add(end, value);
  const token = tokens[from];
  if (token?.kind === "word") {
    const dotted = isMark(source, from + 1, ".") && tokens[from + 1]?.tight === true && lowAt(source, from + 2) === "e" && tokens[from + 2]?.tight === true;
    const bare = token.text.replace(/^\$/, "");
    const symbol = bare.toUpperCase();
    const capitals = bare === symbol && /[A-Z]/.test(bare);
    const mixed = /[A-Z]/.test(bare.slice(1));
    const common = names.isCommon?.(bare) ?? true;
    // "Aave" is the venue and "AAVE" the token, unless a number stands before it.
    const venue = !capitals && !afterNumber && ofClass(source, from, "venue").length > 0;
    const known = names.isSymbol(bare) && !venue;
    const fits = capitals || mixed || token.text.startsWith("$") ? known : known && (afterNumber ? common || !names.isEnglish(token.low) : common && !names.isEnglish(token.low));
    if (dotted && known) add(from + 3, `${symbol}.E`);
    else if (fits && !(vocabulary.is(token.low, "thing") && !capitals && !mixed && !afterNumber)) add(from + 1, bridged ? `${symbol}.E` : symbol);
  }
  return found;
}

/** "Azuki #908", "Pudgy Penguin 4410 and 4411", "my Azuki NFTs". */
export function collectiblesAt(source: Source, at: number): readonly Read<AssetRef>[] {
  return ofClass(source, at, "collection").flatMap(({ end }) => {
    const { ids, end: stop } = idsAt(source, skip(source, end, nftWords));
    const collection = source.tokens.slice(at, end).map(({ text }) => text).join(" ");
    const past = ids.length === 0 ? skip(source, end, nftWords) : skip(source, stop, nftWords);
    return [{ end: past, value: { kind: "nft", collection, ids, span: spanOf(source, at, past) } }];
  });
}
const nftWords = new Set("nft nfts token tokens id ids number no collectible collectibles collection piece".split(" "));
const skip = (source: Source, at: number, words: ReadonlySet<string>): number => {
  let end = at;
  while (words.has(lowAt(source, end)) || (isMark(source, end, "#") && source.tokens[end + 1]?.kind === "number") || (isMark(source, end, ".") && words.has(lowAt(source, end - 1)) && source.tokens[end + 1]?.kind === "number")) end += 1;
  return end;
};
function idsAt(source: Source, from: number): { ids: bigint[]; end: number } {
  const ids: bigint[] = [];
  let end = from;
  for (let at = from; ; ) {
    if (isMark(source, at, "#")) at += 1;
    const token = source.tokens[at];
    if (token?.kind !== "number" || token.n.scale !== 0) break;
    ids.push(token.n.digits);
    end = at + 1;
    at = end;
    if (isMark(source, at, ",") || lowAt(source, at) === "and" || isMark(source, at, "&")) at += 1;
    else break;
    if (!isMark(source, at, "#")) break;
  }
  return { ids, end };
}

const possessives = new Set("my our the that those these this of your".split(" "));
const past = (source: Source, at: number): number => {
  let end = at;
  while (possessives.has(lowAt(source, end))) end += 1;
  return end;
};

const exact = (value: NumberValue, span: Span): Quantity => ({ kind: "exact", n: value.n, others: value.others, span });

/** Quantity and asset in either order, a quantity alone, or "all my USDC". */
export const amountsAt = (source: Source, at: number): readonly Read<Amount>[] => memoize(source, source.memory.amounts, at, findAmounts);

function findAmounts(source: Source, at: number): readonly Read<Amount>[] {
  const out: Read<Amount>[] = [];
  const push = (end: number, quantity: Quantity | null, asset: AssetRef | null): void => {
    out.push({ end, value: { quantity, asset, each: false } });
    for (const each of ofClass(source, end, "each")) out.push({ end: each.end, value: { quantity, asset, each: true } });
  };
  const withAsset = (end: number, quantity: Quantity, alone: boolean): void => {
    const open = isMark(source, end, "/") ? end + 1 : end;
    const stop = past(source, open);
    const assets = [...assetsAt(source, stop, true), ...collectiblesAt(source, stop)];
    for (const asset of assets) push(asset.end, quantity, asset.value);
    // "0.05 each of ETH", "300 of them".
    for (const each of ofClass(source, end, "each"))
      for (const asset of assetsAt(source, past(source, each.end), true)) out.push({ end: asset.end, value: { quantity, asset: asset.value, each: true } });
    if (alone && assets.length === 0) push(end, quantity, null);
    if (assets.length === 0 && lowAt(source, end) === "of" && ["it", "them", "those"].includes(lowAt(source, end + 1))) push(end + 2, quantity, null);
  };
  for (const number of numbersAt(source, at)) {
    const span = spanOf(source, at, number.end);
    const percent = isMark(source, number.end, "%") || lowAt(source, number.end) === "percent";
    if (percent) {
      const bps = number.value.n.digits * 100n;
      if (number.value.n.scale <= 2 && number.value.n.scale >= 0 && lowAt(source, number.end + 1) === "of") {
        const share = bps / 10n ** BigInt(number.value.n.scale);
        withAsset(number.end + 2, { kind: "share", bps: share, of: "balance", span }, false);
      }
      continue;
    }
    const restated = restatedAt(source, number);
    withAsset(restated, exact(number.value, span), true);
    for (const fiat of ofClass(source, number.end, "fiat")) {
      const quantity: Quantity = { kind: "fiat", n: number.value.n, currency: fiat.value as "USD", bound: "exact", span };
      const stop = ["in", "of"].includes(lowAt(source, fiat.end)) ? fiat.end + 1 : follows(source, fiat.end, "worth of") || follows(source, fiat.end, "worth in") ? fiat.end + 2 : fiat.end;
      for (const asset of assetsAt(source, past(source, stop), true)) push(asset.end, quantity, asset.value);
    }
  }
  if (isMark(source, at, "$"))
    for (const number of numbersAt(source, at + 1)) {
      const quantity: Quantity = { kind: "fiat", n: number.value.n, currency: "USD", bound: "exact", span: spanOf(source, at, number.end) };
      const stop = ["in", "of"].includes(lowAt(source, number.end)) ? number.end + 1 : follows(source, number.end, "worth of") || follows(source, number.end, "worth in") ? number.end + 2 : number.end;
      for (const asset of assetsAt(source, past(source, stop), true)) push(asset.end, quantity, asset.value);
    }
  // "USDC 2,075.00": the symbol first, in capitals.
  for (const asset of assetsAt(source, at, false)) {
    const stop = isMark(source, asset.end, ":=") ? asset.end + 1 : asset.end;
    if (source.tokens[stop]?.kind === "number" && !isMark(source, stop + 1, "%"))
      for (const number of numbersAt(source, stop)) push(number.end, exact(number.value, spanOf(source, stop, number.end)), asset.value);
  }
  for (const all of ofClass(source, at, "all")) {
    const span = spanOf(source, at, all.end);
    // "all 150 of my UNI": the number says how much that is.
    for (const number of numbersAt(source, all.end)) withAsset(number.end, exact(number.value, spanOf(source, all.end, number.end)), false);
    withAsset(all.end, { kind: "all", except: null, span }, false);
  }
  for (const share of ofClass(source, at, "share")) withAsset(share.end, { kind: "share", ...toShare(ratioIn(share.value)), of: "balance", span: spanOf(source, at, share.end) }, false);
  for (const none of ofClass(source, at, "unlimited")) withAsset(none.end, { kind: "unlimited", span: spanOf(source, at, none.end) }, true);
  if (["a", "an", "one"].includes(lowAt(source, at)))
    for (const asset of assetsAt(source, at + 1, true)) if (asset.value.kind === "symbol") push(asset.end, { kind: "exact", n: decimal(1n), others: [], span: spanOf(source, at, at + 1) }, asset.value);
  return out;
}

/** "thirty (30)": where the same number stands in brackets, they belong to it. */
function restatedAt(source: Source, { end, value }: Read<NumberValue>): number {
  if (!isMark(source, end, "(")) return end;
  const again = numbersAt(source, end + 1).find((one) => isMark(source, one.end, ")") && one.value.n.digits === value.n.digits && one.value.n.scale === value.n.scale);
  return again === undefined ? end : again.end + 1;
}

/** Seconds: "20 minutes", "a week". */
export function durationsAt(source: Source, at: number): readonly Read<bigint>[] {
  const counts = ["a", "an"].includes(lowAt(source, at)) ? [{ end: at + 1, value: { n: decimal(1n), others: [] } }] : numbersAt(source, at);
  return counts.flatMap(({ end, value }) =>
    value.n.scale === 0 ? ofClass(source, end, "unit").map((unit) => ({ end: unit.end, value: value.n.digits * BigInt(unit.value) })) : [],
  );
}

export type Party = PartyRef | { readonly kind: "pronoun"; readonly span: Span };
