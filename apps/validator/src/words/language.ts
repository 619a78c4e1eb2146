/** Which language a text is in, by script and small words; and the table of phrases for it, made once. */
import { de } from "./languages/de.ts";
import { en } from "./languages/en.ts";
import { es } from "./languages/es.ts";
import { fr } from "./languages/fr.ts";
import { pt } from "./languages/pt.ts";
import { zh } from "./languages/zh.ts";
import { ordinaryWords } from "./force/ordinary-words.ts";
import { FOREIGN_LETTERS, FOREIGN_WORDS } from "./languages/foreign.ts";
import type { Lexicon } from "./lexicon.ts";
import { fold, isHan, isNear, makeTable, type Pack, type Table } from "./phrases.ts";

const PACKS: readonly Pack[] = [en, es, pt, fr, de, zh];

/** Small words that several languages spell alike tell nothing by themselves: "do", "no", "as", "on", "die". */
const SHARED = new Set(
  "a an as do no on in e me so am die was all per con final mas den des plan sin me ma son pour is or ten pay".split(
    " ",
  ),
);

const ENGLISH_TOO =
  "the of and this that these those it its i'm i'd i'll we our us he she his her they them their your who what when where which how be been are was were will would should could may might must have has had does did not don't yes but or so if then than some any more most only just about around at by up out over under with without within one two three hundred thousand half hey hi hello thanks thank pls plz ok okay worth receive gets get give pay tip transfer forward supply deposit withdraw borrow repay approve revoke list put take make move turn change trade exchange between through recipient quick need wanna gonna asap payee payees payout payouts treasury invoice vendor";

const wordSet = (list: string): ReadonlySet<string> => new Set(list.split(" ").map(fold));

/** The verbs of a pack that are one word and no English word: they tell a language better than any small word. */
const verbsOf = (pack: Pack): string[] =>
  Object.entries(pack.marks)
    .filter(([key]) => key.startsWith("verb"))
    .flatMap(([, phrases]) => phrases.split(",").map((phrase) => fold(phrase.trim())))
    .filter((phrase) => phrase.length > 3 && !phrase.includes(" "));

const englishVerbs = new Set(verbsOf(en));

type Weights = ReadonlyMap<string, number>;
const weigh = (words: Iterable<string>, weight: number): [string, number][] =>
  [...words].map((word) => [word, weight]);

/** A verb of a language counts more than a small word; English verbs occur everywhere. */
const weightsOf = (pack: Pack): Weights =>
  new Map(
    [...weigh(wordSet(pack.stop), 2), ...weigh(verbsOf(pack), 4)].filter(
      ([word]) => !SHARED.has(word) && !englishVerbs.has(word),
    ),
  );

const vocabularyOf = (pack: Pack): ReadonlySet<string> =>
  new Set(
    [...Object.values(pack.marks), ...Object.values(pack.keys), pack.stop]
      .flatMap((phrases) => fold(phrases).split(/[,\s-]+/))
      .filter((word) => word !== ""),
  );
const VOCABULARIES = PACKS.map((pack) => ({ id: pack.id, words: vocabularyOf(pack) }));

/** Every word of every pack: what a person who writes one of our languages may be expected to use. */
const VOCABULARY: ReadonlySet<string> = new Set([
  ...VOCABULARIES.flatMap(({ words }) => [...words]),
  ...wordSet(ENGLISH_TOO),
]);

/** A word that one of our languages also has proves nothing. */
const foreignWords = [...wordSet(FOREIGN_WORDS)].filter((word) => !VOCABULARY.has(word));

/** Words of everyday life that only one of the languages has. */
const everyday = (id: string): ReadonlySet<string> =>
  new Set([...(ordinaryWords[id] ?? [])].filter((word) => !isElsewhere(word, id)));
const isElsewhere = (word: string, id: string): boolean =>
  SHARED.has(word) ||
  VOCABULARIES.some((other) => other.id !== id && other.words.has(word)) ||
  Object.entries(ordinaryWords).some(([other, words]) => other !== id && words?.has(word) === true);

const KNOWN: readonly { readonly id: string; readonly known: Weights }[] = [
  {
    id: "en",
    known: new Map([
      ...weigh(everyday("en"), 1),
      ...weigh(englishVerbs, 1),
      ...weigh(wordSet(en.stop), 2),
      ...weigh(wordSet(ENGLISH_TOO), 2),
    ]),
  },
  ...PACKS.filter((pack) => pack.id !== "zh" && pack.id !== "en").map((pack) => ({
    id: pack.id,
    known: new Map([...weigh(everyday(pack.id), 1), ...weightsOf(pack)]),
  })),
  { id: "unknown", known: new Map(weigh(foreignWords, 4)) },
];

const SAMPLE = 4000;
const NOT_WORDS = /0[xX][0-9a-fA-F]+|[\p{L}\p{N}_-]+\.(?:eth|xyz|com|io)\b/gu;
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;
const OTHER_SCRIPT = /[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/u;

/** Most words are in a script that none of our languages uses. A single look-alike letter is not that. */
const isForeign = (words: readonly string[]): boolean =>
  words.filter((word) => OTHER_SCRIPT.test(word)).length * 3 > words.length;

const isOrdinary = (word: string, lexicon: Lexicon): boolean =>
  VOCABULARY.has(word) || lexicon.isEnglish(word) || lexicon.isSymbol(word);

/** Names belong to no vocabulary; a lower-case word, or the first of the text, should belong to one. */
const plainWords = (text: string): readonly string[] =>
  (text.replace(NOT_WORDS, " ").match(/[\p{L}']+/gu) ?? []).filter(
    (word, at) => word.length > 1 && (at === 0 || !/^\p{Lu}/u.test(word)),
  );

const UNREAD_MIN = 2;
const UNREAD_MANY = 4;
/** A slip is looked for in the first few words only: the search goes through every verb. */
const MISSPELT_MAX = 6;

/** Latin letters and still none of ours: reading it as English would leave half of its words, a "not" among them, unread. */
const isUnread = (text: string, score: number, lexicon: Lexicon): boolean => {
  const words = plainWords(text).map(fold);
  const unread = words.filter((word) => !isOrdinary(word, lexicon));
  if (unread.length < UNREAD_MIN || unread.slice(0, MISSPELT_MAX).some(isMisspelt)) return false;
  return score === 0 || (unread.length >= UNREAD_MANY && unread.length * 3 > words.length * 2);
};

const isMisspelt = (word: string): boolean =>
  word.length > 3 && [...englishVerbs].some((verb) => isNear(word, verb));

/** "no Compound", "na Aave": in Portuguese a place. Spanish, otherwise so alike, would refuse it after a comma. */
const IN_PLACE = /(?:^|[^,;:] )(?:[Nn][oa]s?) \p{Lu}/u;

/** "n'envoie" is two words, and French. */
const unelided = (word: string): readonly string[] => {
  const found = /^(?:n|l|d|j|s|c|qu)'(.+)$/.exec(word)?.[1];
  return found === undefined ? [word] : [word, "le", found];
};

type Guess = { readonly id: string; readonly score: number };

const beats = (one: Guess, best: Guess, sample: string): boolean => {
  const alike = one.id === "pt" && best.id === "es" && one.score > 0 && one.score === best.score;
  return one.score > best.score || (alike && IN_PLACE.test(sample));
};

const likeliest = (words: readonly string[], sample: string): Guess => {
  let best: Guess = { id: "en", score: 0 };
  for (const { id, known } of KNOWN) {
    const letters = id === "unknown" ? foreignLetters(sample) : 0;
    const score = words.reduce((sum, word) => sum + (known.get(word) ?? 0), letters);
    if (beats({ id, score }, best, sample)) best = { id, score };
  }
  return best;
};

/** How much these words show of each language. */
export const scoresOf = (words: readonly string[]): Readonly<Record<string, number>> =>
  Object.fromEntries(
    KNOWN.map(({ id, known }) => [
      id,
      words.flatMap((word) => unelided(fold(word))).reduce((sum, word) => sum + (known.get(word) ?? 0), 0),
    ]),
  );

// Letters inside addresses and names are not words of any language.
const wordsOf = (sample: string): readonly string[] =>
  (fold(sample.replace(NOT_WORDS, " ")).match(/[\p{L}']+/gu) ?? []).flatMap(unelided);

/** Words that only English has, by the language the rest is in. */
const englishBeside = (pack: Pack): ReadonlySet<string> => {
  const own = vocabularyOf(pack);
  return new Set([...wordSet(en.stop), ...wordSet(ENGLISH_TOO)].filter((word) => !own.has(word)));
};
const ENGLISH_BESIDE = new Map(PACKS.map((pack) => [pack.id, englishBeside(pack)]));

/** A verb of its own, or two small words. German and Portuguese are told by one small word: few write them for show. */
const CLEAR: Readonly<Record<string, number>> = { de: 2, pt: 2, es: 4, fr: 4 };

/** The text is in this language beyond doubt: enough of its own words, and none that only English has. */
export const isClearly = (language: string, text: string): boolean => {
  const words = wordsOf(text.slice(0, SAMPLE));
  const known = KNOWN.find(({ id }) => id === language)?.known;
  const score = words.reduce((sum, word) => sum + (known?.get(word) ?? 0), 0);
  const english = ENGLISH_BESIDE.get(language);
  return score >= (CLEAR[language] ?? Infinity) && !words.some((word) => english?.has(word));
};

/** `en`, `es`, `pt`, `fr`, `de`, `zh`; `unknown` for any other language; `en` if no word shows it. */
export const languageOf = (text: string, lexicon: Lexicon): string => {
  const sample = text.slice(0, SAMPLE);
  if (KANA.test(sample)) return "unknown";
  if (isHan(sample)) return "zh";
  const words = wordsOf(sample);
  if (isForeign(words)) return "unknown";
  const best = likeliest(words, sample);
  return best.id === "en" && isUnread(sample, best.score, lexicon) ? "unknown" : best.id;
};

const foreignLetters = (text: string): number =>
  plainWords(text).filter((word) => FOREIGN_LETTERS.test(word.toLowerCase())).length * FOREIGN_WEIGHT;
const FOREIGN_WEIGHT = 4;

/**
 * Words of refusal that only one of our languages uses, and those of unsupported languages: they refuse whatever
 * language the rest was read as.
 */
const REFUSALS =
  "nie,niet,geen,non,inte,ikke,nem,jangan,khong,huwag,nesiusk,usitume,nincs,nikdy,nigdy,hayir,degil,n',pas,jamais,nicht,niemals,keinesfalls,kein,keine,keinen,nunca,jamas,nao,de jeito nenhum,de maneira nenhuma,de forma alguma,de modo algum,sob hipotese alguma,em hipotese alguma,de ninguna manera,de ningun modo,bajo ningun concepto,en aucun cas,auf keinen fall,unter keinen umstanden".split(
    ",",
  );

const tables = new WeakMap<Lexicon, Map<string, Table>>();

/** English is always there beneath the language itself: people say "swap" and "stake" in every one. */
export const tableFor = (lexicon: Lexicon, language: string): Table => {
  const made = tables.get(lexicon) ?? new Map<string, Table>();
  tables.set(lexicon, made);
  const own = PACKS.find((pack) => pack.id === language && pack.id !== "en");
  const key = own?.id ?? "en";
  const known = made.get(key);
  if (known !== undefined) return known;
  const names = [
    ...lexicon.chainPhrases.map((phrase) => ({ phrase, k: "chain", v: phrase })),
    // Wrapped ether is a token to everybody who says its name, though a contract keeps it.
    ...lexicon.venuePhrases
      .filter((phrase) => !/^(?:weth|wrapped (?:ether|eth|ethereum))$/.test(phrase))
      .map((phrase) => ({
        phrase,
        k: "venue",
        v: lexicon.venueNamed(phrase) ?? phrase,
      })),
    ...REFUSALS.map((phrase) => ({ phrase, k: "neg", v: phrase.includes(" ") ? "refuse" : "" })),
    ...(lexicon.collectionPhrases ?? []).map((phrase) => ({ phrase, k: "collection", v: phrase })),
  ];
  const table = makeTable(own === undefined ? [en] : [en, own], names);
  made.set(key, table);
  return table;
};

/** Every table, before the first request needs one. */
export const makeTables = (lexicon: Lexicon): void => {
  for (const { id } of PACKS) tableFor(lexicon, id);
};

export const decimalMarkOf = (language: string): "," | "." =>
  ["es", "pt", "fr", "de"].includes(language) ? "," : ".";
export const isVerbLast = (language: string): boolean => language === "de" || language === "zh";
