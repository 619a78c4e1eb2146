/** Which language a text is in, by script and small words; and the table of phrases for it, made once. */
import { de } from "./languages/de.ts";
import { en } from "./languages/en.ts";
import { es } from "./languages/es.ts";
import { fr } from "./languages/fr.ts";
import { pt } from "./languages/pt.ts";
import { zh } from "./languages/zh.ts";
import type { Lexicon } from "./lexicon.ts";
import { fold, isHan, makeTable, type Pack, type Table } from "./phrases.ts";

const PACKS: readonly Pack[] = [en, es, pt, fr, de, zh];

/** Small words that several languages spell alike tell nothing by themselves: "do", "no", "as", "on", "die". */
const SHARED = new Set(
  "a an as do no on in e me so am die was all per con final mas den des plan sin me ma son pour is or ten pay".split(
    " ",
  ),
);

const ENGLISH_TOO =
  "the of and this that these those it its i'm i'd i'll we our us he she his her they them their your who what when where which how be been are was were will would should could may might must have has had does did not don't yes but or so if then than some any more most only just about around at by up out over under with without within one two three hundred thousand half hey hi hello thanks thank pls plz ok okay worth receive gets get give pay tip transfer forward supply deposit withdraw borrow repay approve revoke list put take make move turn change trade exchange between through recipient quick need wanna gonna asap";

/** Frequent words of languages nobody here reads: enough to know that it is none of ours. */
const FOREIGN_WORDS =
  "cevir aktar hesabima gonder lutfen cuzdan cuzdanima icin ve bir adresine hesabina tane kadar takas et satin al yatir cek degistir invia mandare manda scambia compra vendi vorrei di il lo gli della del al alla favore indirizzo portafoglio stuur naar het een van mijn wissel koop verkoop adres wyslij prosze na adres zamien kup sprzedaj moje kirim ke saya tukar beli jual dompet gui den doi mua ban vi cua toi skicka till byt kop salj poslji posli prosim trimite catre schimb kuldj kerlek laheta osoite vaihda";

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

/** A verb of one's own tells more than a small word; English verbs are at home everywhere. */
const weightsOf = (pack: Pack): Weights =>
  new Map(
    [...weigh(wordSet(pack.stop), 2), ...weigh(verbsOf(pack), 4)].filter(
      ([word]) => !SHARED.has(word) && !englishVerbs.has(word),
    ),
  );

const KNOWN: readonly { readonly id: string; readonly known: Weights }[] = [
  {
    id: "en",
    known: new Map([
      ...weigh(englishVerbs, 1),
      ...weigh(wordSet(en.stop), 2),
      ...weigh(wordSet(ENGLISH_TOO), 2),
    ]),
  },
  ...PACKS.filter((pack) => pack.id !== "zh" && pack.id !== "en").map((pack) => ({
    id: pack.id,
    known: weightsOf(pack),
  })),
  { id: "unknown", known: new Map(weigh(wordSet(FOREIGN_WORDS), 4)) },
];

const SAMPLE = 4000;
const NOT_WORDS = /0[xX][0-9a-fA-F]+|[\p{L}\p{N}_-]+\.(?:eth|xyz|com|io)\b/gu;
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;
const OTHER_SCRIPT = /[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/u;

/** Most words are in a script that none of our languages uses. A single look-alike letter is not that. */
const isForeign = (words: readonly string[]): boolean =>
  words.filter((word) => OTHER_SCRIPT.test(word)).length * 3 > words.length;

/** `en`, `es`, `pt`, `fr`, `de`, `zh`; `unknown` for any other language; `en` where no word tells. */
export const languageOf = (text: string): string => {
  const sample = text.slice(0, SAMPLE);
  if (KANA.test(sample)) return "unknown";
  if (isHan(sample)) return "zh";
  // Letters inside addresses and names are nobody's words.
  const words = fold(sample.replace(NOT_WORDS, " ")).match(/[\p{L}']+/gu) ?? [];
  if (isForeign(words)) return "unknown";
  let best = { id: "en", score: 0 };
  for (const { id, known } of KNOWN) {
    const score = words.reduce((sum, word) => sum + (known.get(word) ?? 0), 0);
    if (score > best.score) best = { id, score };
  }
  return best.id;
};

const tables = new WeakMap<Lexicon, Map<string, Table>>();

/** English is always there beneath the language itself: people say "swap" and "stake" in every one. */
export const tableFor = (lexicon: Lexicon, language: string): Table => {
  const made = tables.get(lexicon) ?? new Map<string, Table>();
  tables.set(lexicon, made);
  const known = made.get(language);
  if (known !== undefined) return known;
  const own = PACKS.find((pack) => pack.id === language && pack.id !== "en");
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
    ...(lexicon.collectionPhrases ?? []).map((phrase) => ({ phrase, k: "collection", v: phrase })),
  ];
  const table = makeTable(own === undefined ? [en] : [en, own], names);
  made.set(language, table);
  return table;
};

export const decimalMarkOf = (language: string): "," | "." =>
  ["es", "pt", "fr", "de"].includes(language) ? "," : ".";
export const isVerbLast = (language: string): boolean => language === "de" || language === "zh";
