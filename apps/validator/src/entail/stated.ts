/** Decides whether the request names a choice of the contract's caller, or another one of its kind. */
import { namehash } from "viem/ens";
import { keccak256, stringToBytes } from "viem/utils";
import { choiceKinds } from "../choices.ts";
import type { Choice } from "../effects.ts";
import type { Span } from "../intent.ts";
import type { Address } from "../proposal.ts";
import { symbolOf } from "./show.ts";
import type { World } from "./world.ts";

/**
 * `same`: the request names it. `other`: the request names something else of that kind. `none`: the request names
 * nothing of that kind. `unclear`: the request names both it and another, and only one can be meant.
 */
export type Stated =
  | { readonly kind: "same" | "other"; readonly span: Span; readonly text: string }
  | { readonly kind: "none" | "unclear" };

const none: Stated = { kind: "none" };

/** A mention of something of that kind, and whether it is the one chosen. */
type Mention = { readonly span: Span; readonly text: string; readonly isIt: boolean };

const judge = (mentions: readonly Mention[]): Stated => {
  const it = mentions.find(({ isIt }) => isIt);
  const found = it ?? mentions[0];
  return found === undefined
    ? none
    : { kind: it === undefined ? "other" : "same", span: found.span, text: found.text };
};

type IsIt = (found: RegExpExecArray) => boolean;

const mentionAt = (found: RegExpExecArray, isIt: IsIt): Mention => ({
  span: [found.index, found.index + found[0].length],
  text: found[0],
  isIt: isIt(found),
});

const mentionsOf = (pattern: RegExp, words: string, isIt: IsIt): readonly Mention[] =>
  [...words.matchAll(pattern)].map((found) => mentionAt(found, isIt));

/**
 * Caches what was found for one request. A batch chooses the same contract hundreds of times, and every unread word
 * is compared with every choice, so that searching each time would cost the product of both lengths.
 */
type Known = {
  readonly stated: Map<string, Stated>;
  readonly beside: Map<string, readonly RegExpExecArray[]>;
  spans: readonly Span[] | null;
};

const known = new WeakMap<World, Known>();

function knownOf(world: World): Known {
  let found = known.get(world);
  if (found === undefined) known.set(world, (found = { stated: new Map(), beside: new Map(), spans: null }));
  return found;
}

function memoized<T>(memory: Map<string, T>, key: string, find: () => T): T {
  let found = memory.get(key);
  if (found === undefined) memory.set(key, (found = find()));
  return found;
}

const keyOf = ({ what, value }: Choice): string => `${what} ${value}`;

export const findStated = (choice: Choice, world: World): Stated =>
  memoized(knownOf(world).stated, keyOf(choice), () => findIn(choice, world));

/** Returns where the request names a choice of the contract's caller. */
export function statedSpans(world: World): readonly Span[] {
  const memory = knownOf(world);
  if (memory.spans !== null) return memory.spans;
  const choices = new Map(
    world.reading.effects.flatMap((effect) =>
      effect.choices.map((choice) => [keyOf(choice), choice] as const),
    ),
  );
  memory.spans = [...choices.values()].flatMap((choice) => {
    const stated = findStated(choice, world);
    return stated.kind === "same" ? [stated.span] : [];
  });
  return memory.spans;
}

function findIn(choice: Choice, world: World): Stated {
  const { value, what } = choice;
  const { words } = world.proposal;
  if (isSigned(what)) return signedIn(what, value, world);
  if (what === "vote") return judge(votesIn(words, value));
  if (what === "rate") return rateIn(words, value);
  if (what === "duration") return judge(durationsIn(words, value));
  if (what === "role")
    return judge([...writtenIn(words, value), ...rolesIn(words, value), ...numbersIn(words, choice)]);
  if (what === "name") return judge(namesIn(words, value));
  if (what === "pool" && !value.startsWith("0x")) return judge(poolsIn(words, value));
  if (/^0x[0-9a-f]{40}$/.test(value)) return addressIn(value as Address, choice, world);
  if (value.startsWith("0x")) return judge(writtenIn(words, value));
  return judge(/^\d+$/.test(value) ? numbersIn(words, choice) : textIn(words, value));
}

const isSigned = (what: Choice["what"]): what is "message" | "site" => what === "message" || what === "site";

/** A request to sign names the whole text, or the site. The site of a text that is named as a whole is the one in it. */
function signedIn(what: "message" | "site", value: string, { intent, proposal }: World): Stated {
  for (const { signing, span } of intent.steps) {
    if (signing === undefined) continue;
    if ("message" in signing) {
      if (what === "site") return judge(textIn(proposal.words, value));
      if (signing.message !== value && !signing.isQuoted) return { kind: "unclear" };
      return { kind: signing.message === value ? "same" : "other", span, text: signing.message };
    }
    if (what === "site") return { kind: signing.site === value ? "same" : "other", span, text: signing.site };
  }
  return none;
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
const shortestHex = 10;
const always = (): boolean => true;

const writtenIn = (words: string, value: string): readonly Mention[] =>
  value.length < shortestHex
    ? []
    : mentionsOf(new RegExp(`(?<![0-9a-zA-Z])${escaped(value)}(?![0-9a-zA-Z])`, "gi"), words, always);

const textIn = (words: string, value: string): readonly Mention[] =>
  value.trim().length < 2
    ? []
    : mentionsOf(
        new RegExp(`(?<![\\p{L}\\p{N}_])${escaped(value.trim())}(?![\\p{L}\\p{N}_])`, "giu"),
        words,
        always,
      );

/** By its digits, by a label that the caller knows or, for a token, by its symbol. */
function addressIn(address: Address, { what }: Choice, world: World): Stated {
  const { registry, proposal, intent } = world;
  const { words, context, chain } = proposal;
  const labels = [
    ...context.known.flatMap((one) => (one.address === address && one.label !== null ? [one.label] : [])),
    ...[...context.names].flatMap(([name, at]) => (at === address ? [name] : [])),
  ];
  const symbol =
    registry.token(chain.id, address)?.core === true
      ? symbolOf({ kind: "token", address }, { chain: chain.id, registry }).toUpperCase()
      : null;
  const asset = intent.tokens.find(({ kind, text }) => kind === "asset" && text.toUpperCase() === symbol);
  const { noun } = choiceKinds[what];
  const beside = memoized(knownOf(world).beside, noun, () => [
    ...words.matchAll(new RegExp(`(?<![\\p{L}])${noun}\\s+(?:at\\s+)?(0x[0-9a-f]{40})(?![0-9a-z])`, "giu")),
  ]);
  return judge([
    ...writtenIn(words, address),
    ...labels.flatMap((label) => textIn(words, label)),
    ...(asset === undefined ? [] : [{ span: asset.span, text: asset.text, isIt: true }]),
    ...beside.map((found) => mentionAt(found, ([, other]) => other?.toLowerCase() === address)),
  ]);
}

/** Nouns before or after an id, so that an amount of the same digits does not count as one. */
const nouns: Readonly<Partial<Record<Choice["what"], string>>> = {
  order: "order|offer",
  request: "request|withdrawal|claim|ticket",
  position: "position|nft|token|id|lp",
  proposal: "proposal|proposition|prop|poll",
  weight: "weight|votes|power",
  shares: "shares?",
  setting: "category|mode|setting|value|number",
  module_type: "type|module",
  operator: "validator|operator|id",
  role: "role",
};

const digitsOf = (text: string): string => text.replace(/[^\d]/g, "");

function numbersIn(words: string, { what, value }: Choice): readonly Mention[] {
  const noun = nouns[what];
  if (noun === undefined || !/^\d+$/.test(value)) return [];
  const number = "(\\d+(?:[,_' ]\\d{3})*)(?![\\p{L}\\p{N}]|[.,]\\d)";
  const before = `(?:${noun})(?:\\s+(?:id|number|no\\.?|nr\\.?))?\\s*(?:#|:|is|=)?\\s*#?${number}`;
  const after = `#?${number}\\s+(?:${noun})(?![\\p{L}\\p{N}])`;
  return mentionsOf(
    new RegExp(`(?<![\\p{L}\\p{N}])(?:${before}|${after})`, "giu"),
    words,
    ([, first, second]) => digitsOf(first ?? second ?? "") === value,
  );
}

const votes: Readonly<Record<string, RegExp>> = {
  for: /\b(?:(?:vote|voting|cast)\b.{0,40}?\b(?:for|yes|yea|aye|in favou?r)|(?:support|approve)\b)/gi,
  against: /\b(?:(?:vote|voting|cast)\b.{0,40}?\b(?:against|no|nay)\b|oppose\b)/gi,
  abstain: /\babstain(?:ing)?\b/gi,
};

/** Exactly one direction must be named: "vote for … or against" names none. */
function votesIn(words: string, value: string): readonly Mention[] {
  const named = Object.entries(votes).flatMap(([direction, pattern]) => {
    const [first] = mentionsOf(pattern, words, () => direction === value);
    return first === undefined ? [] : [first];
  });
  return named.length === 1 ? named : [];
}

const rateNouns = "rate|interest|debt|mode|apr|apy|tasa|tipo|interés|taux|taxa|juros?|zins\\p{L}*";

/** A word next to a noun for interest, on either side, with at most one word between them. */
const besideRate = (words: string): RegExp =>
  new RegExp(
    `(?<!\\p{L})(?:(?:${words})[\\s-]{1,3}(?:\\p{L}+[\\s-]{1,3})?(?:${rateNouns})|(?:${rateNouns})[\\s:-]{1,3}(?:\\p{L}+[\\s-]{1,3})?(?:${words}))(?!\\p{L})`,
    "giu",
  );

const rates: Readonly<Record<string, RegExp>> = {
  stable: besideRate("stable|fixed|estable|fij[oa]|fixe|fix[oa]|estável|stabil\\p{L}*|fest\\p{L}*"),
  variable: besideRate("variab\\p{L}+|variável|floating|flottant"),
};

function rateIn(words: string, value: string): Stated {
  const named = Object.entries(rates).flatMap(([kind, pattern]) =>
    mentionsOf(pattern, words, () => kind === value),
  );
  return new Set(named.map(({ isIt }) => isIt)).size > 1 ? { kind: "unclear" } : judge(named);
}

const seconds: Readonly<Record<string, bigint>> = {
  second: 1n,
  minute: 60n,
  hour: 3_600n,
  day: 86_400n,
  week: 604_800n,
  month: 2_592_000n,
  year: 31_536_000n,
};
const counts = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

const countOf = (text: string): bigint => {
  const word = text.toLowerCase();
  if (/^\d+$/.test(word)) return BigInt(word);
  return word === "a" || word === "an" ? 1n : BigInt(counts.indexOf(word));
};

const durationsIn = (words: string, value: string): readonly Mention[] =>
  mentionsOf(
    new RegExp(`\\b(\\d+|an?|${counts.join("|")})[\\s-]+(${Object.keys(seconds).join("|")})s?\\b`, "gi"),
    words,
    ([, count = "", unit = ""]) => countOf(count) * (seconds[unit.toLowerCase()] ?? 0n) === BigInt(value),
  );

const poolFees =
  /(?<![\d.,])(\d+(?:[.,]\d+)?)\s?%\s*(?:fee\s+)?(?:pool|tier|fee)\b|\bfee(?:\s+tier)?\s*(?:(?:of|:|is|=)\s*)?(\d+(?:[.,]\d+)?)\s?%/gi;
/** With a point or a comma before the decimals: no fee has thousands. */
const percentOf = (text: string | undefined): number => Number(text?.replace(",", "."));
/** Where the request names pools by their fee. */
export const poolFeeSpans = (words: string): readonly Span[] =>
  mentionsOf(poolFees, words, always).map(({ span }) => span);

const poolCurves = /\b(stable|volatile)\s+(?:[\w/-]+\s+)?pool\b/gi;

/** Finds pools that the request identifies by fee ("the 0.05% pool") or by curve ("the stable pool"). */
function poolsIn(words: string, value: string): readonly Mention[] {
  const [, list, more] = /^([\d.]+% fee(?:, [\d.]+% fee)*)(.*)$/.exec(value) ?? [];
  if (list !== undefined) {
    const fees = list.split(", ").map((fee) => Number.parseFloat(fee));
    const named = mentionsOf(poolFees, words, ([, first, second]) =>
      fees.includes(percentOf(first ?? second)),
    );
    // The fee matches but the pool is non-standard: neither a match nor a clear difference.
    return more === "" ? named : named.filter(({ isIt }) => !isIt);
  }
  if (/^(?:stable|volatile) pool$/.test(value))
    return mentionsOf(poolCurves, words, ([, curve = ""]) => value.startsWith(curve.toLowerCase()));
  return textIn(words, value);
}

const hashOf = (name: string): string | null => {
  try {
    return namehash(name);
  } catch {
    return null;
  }
};

/** A name itself, or its hash: calls contain the node of the whole name, or the hash of its first label. */
const namesIn = (words: string, value: string): readonly Mention[] => [
  ...writtenIn(words, value),
  ...mentionsOf(
    /(?<![\p{L}\p{N}.-])[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.eth(?![\p{L}\p{N}])/giu,
    words,
    ([text]) => {
      const name = text.toLowerCase();
      const label = name.split(".")[0] ?? "";
      return (
        name === value.toLowerCase() || hashOf(name) === value || keccak256(stringToBytes(label)) === value
      );
    },
  ),
];

const ROOT_ROLE = `0x${"0".repeat(64)}`;

/**
 * Words before "admin role" that do not make it the role of another admin: "the admin role", not "the minter admin
 * role".
 */
const plain = new Set(
  "THE A AN HIS HER ITS OUR MY THEIR HIM THEM ME GRANT GIVE ASSIGN ADD SET REVOKE REMOVE RENOUNCE".split(" "),
);

/** The root role has no name of its own: it is DEFAULT_ADMIN_ROLE, or "the admin role". An ADMIN_ROLE is another one. */
const isRoot = (role: string, before: string | undefined): boolean =>
  role === "DEFAULT ADMIN ROLE" ||
  role === "DEFAULT_ADMIN_ROLE" ||
  (role === "ADMIN ROLE" && (before === undefined || plain.has(before)));

/** Roles are hashes of their names: MINTER_ROLE, or "the minter role". An identifier counts only as a whole. */
const isRole = (text: string, value: string): boolean => {
  const parts = text.toUpperCase().split(" ");
  return parts.some((_, from) => {
    const role = parts.slice(from).join(" ");
    if (value === ROOT_ROLE) return isRoot(role, parts[from - 1]);
    return keccak256(stringToBytes(role.replaceAll(" ", "_"))) === value;
  });
};

/** "The minter admin role" may be the root of a contract that has no other: neither a match nor a clear difference. */
const isUnclear = ({ text, isIt }: Mention, value: string): boolean =>
  !isIt && value === ROOT_ROLE && text.toUpperCase().endsWith(" ADMIN ROLE");

const rolesIn = (words: string, value: string): readonly Mention[] =>
  mentionsOf(/\b[A-Za-z]+(?:[_ ][A-Za-z]+){0,3}[_ ]role\b/gi, words, ([text]) => isRole(text, value)).filter(
    (mention) => !isUnclear(mention, value),
  );
