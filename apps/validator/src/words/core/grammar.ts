/** The data of a language: verbs that ask for an act, and phrases around a request, by their function. */
import { isForeignWord, loadWords } from "../force/ordinary-words.ts";
import { tellsPast } from "../languages/past.ts";
import { fold } from "../phrases.ts";
import { loadPhrases } from "./load-phrases.ts";
import type { Words } from "./segment.ts";
import type { Token } from "./tokens.ts";

/** Verbs by the group of acts that they ask for, in the forms in which a person asks: imperative and infinitive. */
export const verbs = ["pay", "approve", "revoke", "wrap", "unwrap", "convert", "buy"] as const;
export type Verb = (typeof verbs)[number];

const classes = [
  ...verbs,
  /** Asks for the act right after it. */
  "ask",
  /** Begins a clause whose act comes after its values: "bitte … überweisen", "把 … 转给". */
  "takes",
  /** Changes nothing, anywhere. */
  "filler",
  "greet",
  "thanks",
  /** Asks for what the rest of the text describes. */
  "go",
  /** Says that there is nothing more. */
  "done",
  /** "so": ends a reason. */
  "therefore",
  "det",
  "poss",
  "pron",
  /** Can refer to the request: "it", "this". */
  "it",
  "cop",
  /** First in a sentence, it makes a question of it, in languages where the subject comes first. */
  "inverts",
  "prep",
  "and",
  /** Introduces where money goes, and where it comes from. */
  "to",
  "from",
  "for",
  "of",
  /** Introduces an explanation. */
  "explains",
  /** Words of payments: wallet, address, network. They say nothing on their own. */
  "own",
  /** Names of payments that can stand for the request: "the transfer". */
  "request",
  /** "approval", "allowance". */
  "allowance",
  /** A verb that takes an allowance back and nothing else. */
  "revoked",
  "zero",
  "spend",
  "least",
  /** Says who receives money: "Ana gets 5 USDC". */
  "gets",
  /** The label of an amount in a list of fields. */
  "amount",
  /** A label of another field: "Why: …". */
  "label",
  "pool",
  /** Makes what follows something else than a request: it speaks about the text, supposes, quotes, or defers. */
  "frames",
  /** Of the frames, those that change only the sentence they are in. A finished sentence before the request may hold them: "The old one broke." */
  "local",
  /** Of the frames, verbs of speech. A finished sentence may hold them with their content: "Ana says the shop is open." */
  "speech",
  /** Parts of the request that something can happen to: "the address expired". */
  "party",
  "neg",
  /** Asks on its own, anywhere in its sentence: "please". */
  "please",
  /** Says what becomes possible: "so she can start". */
  "can",
  /** Another person. */
  "they",
  /** A verb of a request in the past: "paid". */
  "did",
  /** About the past: a day that follows is not one on which something is to be done. */
  "past",
  /** Verbs that say of the request why it is made: "need", "checked". */
  "keeps",
  /** Verbs for an amount that is owed or due: "my share", "the fee comes to". */
  "states",
] as const;
export type Class = (typeof classes)[number];

export type Grammar = {
  readonly language: string;
  /** How many tokens the longest phrase of one of these classes takes; 0 without a match. */
  readonly phraseAt: (tokens: readonly Token[], at: number, classes: readonly Class[]) => number;
  /** How many tokens an ordinary noun or adjective takes. */
  readonly describes: (tokens: readonly Token[], at: number) => number;
  /** How many tokens an ordinary verb takes, in any form. */
  readonly tells: (tokens: readonly Token[], at: number) => number;
  /** How many tokens a phrase or word of the language takes; 0 for a word of no list. */
  readonly knows: (tokens: readonly Token[], at: number) => number;
  /** A verb in the form of an order that is no noun as well. */
  readonly commands: (tokens: readonly Token[], at: number) => boolean;
  /** A noun for a person that needs no article, so that it can be the subject of a verb right after it. */
  readonly isPerson: (tokens: readonly Token[], at: number) => boolean;
  /** An ordinary word of another language and of no list of this one: it is no name, and can mean anything. */
  readonly isForeign: (tokens: readonly Token[], at: number) => boolean;
  /** A verb in a form that reports the past, as written with its accents. */
  readonly isPast: (tokens: readonly Token[], at: number) => boolean;
  /** A verb without an ending: before a request it can be a condition, 到货请付. */
  readonly isBare: (tokens: readonly Token[], at: number) => boolean;
  /** Without a verb a text asks only if a phrase of the class "go" does. */
  readonly needsVerb: boolean;
  /** Words of a language that writes no spaces; null if it does. */
  readonly words: Words | null;
};

/** A language that writes no spaces. Each list adds to the ordinary words of the language. */
export type Unspaced = {
  readonly people: readonly string[];
  readonly things: readonly string[];
  readonly verbs: readonly string[];
  readonly networks: Words["networks"];
  readonly counters: Words["counters"];
  readonly introduces: Words["introduces"];
  readonly follows: Words["follows"];
  readonly directs: Words["directs"];
  readonly suggests: Words["suggests"];
  readonly labels: Words["labels"];
  /** Foreign words in the text that this language knows are no names. */
  readonly foreign: Grammar;
};

/** `written`: with accents, in lower case. */
type Entry = { readonly words: readonly string[]; readonly written: readonly string[]; readonly cls: Class };
type Index = ReadonlyMap<string, readonly Entry[]>;

/** Classes whose words describe nothing, whatever other meanings they have. */
const SMALL: readonly Class[] = [
  ...(["frames", "neg", "pron", "it", "cop", "and", "to", "from", "prep", "of", "for"] as const),
  ...(["det", "poss", "therefore", "explains"] as const),
];

export function makeGrammar(
  language: string,
  built: Readonly<Partial<Record<Class, string>>>,
  stemsOf: (word: string) => readonly string[] = (word) => [word],
  unspaced: Unspaced | null = null,
): Grammar {
  const phrases = withPhrases(language, built);
  const index = indexOf(phrases);
  const small = new Set(SMALL.flatMap((cls) => phrasesOf(phrases, cls)));
  const people = new Set([...loadWords(language, "people"), ...(unspaced?.people ?? [])]);
  const things = new Set(
    [...people, ...thingsOf(language), ...(unspaced?.things ?? [])].filter((word) => !small.has(word)),
  );
  const actions = new Set([...loadWords(language, "verbs"), ...(unspaced?.verbs ?? [])]);
  const describes = (word: string): boolean => {
    const bare = word.replace(/['’]s?$/, "");
    return things.has(bare) || /^\d/.test(bare);
  };
  const lowAt = (tokens: readonly Token[], at: number): string =>
    tokens[at]?.kind === "word" ? tokens[at].low : "";
  const isOrdinary = (low: string): boolean =>
    describes(low) || stemsOf(low).some((stem) => actions.has(stem));
  return {
    phraseAt: (tokens, at, wanted) => longestPhrase(index, tokens, at, wanted),
    describes: (tokens, at) => Number(describes(lowAt(tokens, at))),
    tells: (tokens, at) => Number(stemsOf(lowAt(tokens, at)).some((stem) => actions.has(stem))),
    knows: (tokens, at) =>
      tokens[at]?.kind === "word"
        ? longestPhrase(index, tokens, at, classes) || Number(isOrdinary(lowAt(tokens, at)))
        : 1,
    commands: (tokens, at) => {
      const low = tokens[at]?.low ?? "";
      return actions.has(low) && !describes(low);
    },
    isForeign: (tokens, at) => {
      const low = lowAt(tokens, at);
      return !isOrdinary(low) && !index.has(low) && isForeignWord(low, language);
    },
    isPerson: (tokens, at) => unspaced !== null && people.has(lowAt(tokens, at)),
    isBare: (tokens, at) =>
      unspaced !== null &&
      actions.has(lowAt(tokens, at)) &&
      !/[了的]$/u.test(lowAt(tokens, at)) &&
      longestPhrase(index, tokens, at, ["keeps", "cop", "explains"]) === 0,
    isPast: (tokens, at) => tellsPast(language, tokens[at]?.text ?? ""),
    language,
    needsVerb: unspaced !== null,
    words: unspaced === null ? null : wordsOf(phrases, things, actions, unspaced),
  };
}

const thingsOf = (language: string): readonly string[] => [
  ...loadWords(language, "things"),
  ...loadWords(language, "adjectives"),
];

/** The phrases of the language's file, and those that are built from its words. */
function withPhrases(
  language: string,
  built: Readonly<Partial<Record<Class, string>>>,
): Readonly<Partial<Record<Class, string>>> {
  const listed = loadPhrases(language);
  const unknown = [...listed.keys()].find((name) => !classes.some((cls) => cls === name));
  if (unknown !== undefined) throw new Error(`"${unknown}" is no class of phrases`);
  return Object.fromEntries(
    classes.map((cls) => [cls, [...(listed.get(cls) ?? []), built[cls] ?? ""].join(",")]),
  );
}

const phrasesOf = (phrases: Readonly<Partial<Record<Class, string>>>, cls: Class): readonly string[] =>
  (phrases[cls] ?? "").split(",").map((phrase) => fold(phrase.trim()));

function wordsOf(
  phrases: Readonly<Partial<Record<Class, string>>>,
  things: ReadonlySet<string>,
  actions: ReadonlySet<string>,
  { foreign, ...data }: Unspaced,
): Words {
  const of = (...wanted: readonly Class[]): readonly string[] =>
    wanted.flatMap((cls) => phrasesOf(phrases, cls));
  const changes = new Set(of("frames", "neg"));
  const all = new Set([...of(...classes), ...things, ...actions, ...data.networks.keys(), ...data.counters]);
  const operators = [...changes].filter((word) => word !== "");
  const alone = new Set([
    ...of("go"),
    ...of("done").filter((word) => operators.some((operator) => word.includes(operator))),
  ]);
  return {
    has: (word) => all.has(word),
    changes: (word) => changes.has(word),
    isAlone: (word) => alone.has(word),
    isName: (token) =>
      /^\p{Lu}\p{Ll}+$/u.test(token.text) &&
      foreign.phraseAt([token], 0, classes) + foreign.describes([token], 0) + foreign.tells([token], 0) === 0,
    ...data,
    longest: Math.max(...[...all].map((word) => word.length)),
  };
}

function indexOf(phrases: Readonly<Partial<Record<Class, string>>>): Index {
  const index = new Map<string, Entry[]>();
  for (const cls of classes)
    for (const phrase of (phrases[cls] ?? "").split(",")) {
      const written = phrase.trim().toLowerCase().split(/\s+/u);
      const words = written.map(fold);
      const [first = ""] = words;
      if (first !== "") index.set(first, [...(index.get(first) ?? []), { words, written, cls }]);
    }
  for (const entries of index.values()) entries.sort((a, b) => b.words.length - a.words.length);
  return index;
}

function longestPhrase(index: Index, tokens: readonly Token[], at: number, wanted: readonly Class[]): number {
  const first = tokens[at];
  if (first === undefined || !isSpelt(first)) return 0;
  const isAlone = ({ words, cls }: Entry): boolean => words.length === 1 && !MARKERS.has(cls);
  const found = index.get(first.low)?.find(
    (entry) =>
      wanted.includes(entry.cls) &&
      entry.words.every((word, next) => isWord(tokens[at + next], word, entry.written[next] ?? word)) &&
      // An operator alone keeps its meaning: "up to 50", "about 100".
      !(first.kind === "operator" && isAlone(entry)),
  );
  return found?.words.length ?? 0;
}

/** Classes that look for operators. */
const MARKERS = new Set<Class>(["frames", "neg", "least", "zero", "therefore", "explains", "did", "past"]);

/** A phrase may hold words that are operators or numbers on their own: "no rush", "one payment only", "to zero". */
const isSpelt = ({ kind }: Token): boolean => kind === "word" || kind === "operator" || kind === "number";
const isWord = (token: Token | undefined, word: string, written: string): boolean => {
  if (token === undefined || !isSpelt(token) || token.low !== word) return false;
  // "pagué" is a report and "pague" an order, "où" is not "ou". People leave accents out, but do not add them.
  return STRESSED.test(written) || !STRESSED.test(token.text.normalize("NFC").toLowerCase());
};
const STRESSED = /[áéíóúàèìòùâêîôû]$/u;
