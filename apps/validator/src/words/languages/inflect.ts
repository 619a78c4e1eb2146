/** Forms of verbs by rule, so that a pack lists each verb once. Irregular forms are listed in the packs themselves. */

const VOWEL = /[aeiou]/;

/** Ends consonant, vowel, consonant in a short or stressed last syllable: the consonant doubles (swap, swapped). */
const doubles = (verb: string): boolean =>
  /(?:fer|mit|wrap|drop)$/.test(verb) ||
  (/[^aeiou][aeiou][bdgklmnprtpz]$/.test(verb) && (verb.match(/[aeiou]+/g) ?? []).length === 1);

const english = (verb: string): string[] => {
  const e = verb.endsWith("e");
  const y = verb.endsWith("y") && !VOWEL.test(verb.at(-2) ?? "");
  const s = y ? `${verb.slice(0, -1)}ies` : /(?:s|x|z|ch|sh)$/.test(verb) ? `${verb}es` : `${verb}s`;
  const stem = doubles(verb) ? verb + (verb.at(-1) ?? "") : e ? verb.slice(0, -1) : verb;
  const past = y ? `${verb.slice(0, -1)}ied` : `${stem}ed`;
  return [verb, s, past, `${stem}ing`];
};

/** English verbs, the first word of each inflected: "top up" gives "topping up". */
export const englishForms = (verbs: string): string =>
  verbs
    .split(",")
    .flatMap((phrase) => {
      const [head = "", ...rest] = phrase.trim().split(" ");
      return english(head).map((form) => [form, ...rest].join(" "));
    })
    .join(",");

const withEndings = (stems: string, endings: string): string =>
  stems
    .split(",")
    .flatMap((stem) => endings.split(",").map((ending) => stem.trim() + ending.trim()))
    .join(",");

const CLITICS_ES = ["", "me", "le", "les", "lo", "la", "los", "las", "melo", "selo", "sela", "nos"];

const iberian = (stem: string, vowel: string): string[] => {
  const moods = vowel === "a" ? ["a", "e", "en", "o"] : ["e", "a", "an", "o"];
  const nominal = [
    `${vowel}r`,
    vowel === "i" || vowel === "e" ? "iendo" : "ando",
    vowel === "a" ? "ado" : "ido",
  ];
  const clitic = CLITICS_ES.flatMap((end) => [
    stem + (moods[0] ?? "") + end,
    stem + (moods[1] ?? "") + end,
    `${stem}${vowel}r${end}`,
  ]);
  return [
    ...clitic,
    ...moods.map((end) => stem + end),
    ...nominal.map((end) => stem + end),
    stem + (vowel === "a" ? "ada" : "ida"),
    stem + (vowel === "a" ? "amos" : "emos"),
    stem + (vowel === "a" ? "aremos" : "eremos"),
    stem + (vowel === "a" ? "ados" : "idos"),
    stem + (vowel === "a" ? "as" : "es"),
  ];
};

/** Spanish verbs given as stem and vowel of the infinitive: "envi-a, vend-e". */
export const spanishForms = (verbs: string): string =>
  verbs
    .split(",")
    .flatMap((entry) => {
      const [stem = "", vowel = "a"] = entry.trim().split("/");
      return iberian(stem, vowel);
    })
    .join(",");

const portuguese = (stem: string, vowel: string): string[] => {
  const imperative = vowel === "a" ? "e" : "a";
  const nominal = [
    `${vowel}r`,
    `${vowel}ndo`,
    vowel === "a" ? "ado" : "ido",
    vowel === "a" ? "ada" : "ida",
    vowel === "a" ? "ados" : "idos",
  ];
  return [
    vowel === "a" ? "a" : "e",
    imperative,
    `${imperative}m`,
    "o",
    vowel === "a" ? "amos" : "emos",
    vowel === "a" ? "ou" : "eu",
    vowel === "a" ? "ei" : "i",
    ...nominal,
  ].map((end) => stem + end);
};

export const portugueseForms = (verbs: string): string =>
  verbs
    .split(",")
    .flatMap((entry) => {
      const [stem = "", vowel = "a"] = entry.trim().split("/");
      return portuguese(stem, vowel);
    })
    .join(",");

/** French verbs in -er, by stem. */
export const frenchForms = (stems: string): string =>
  withEndings(stems, "er,e,es,ez,ons,ent,é,ée,és,ées,ant,erai,eras,erez");

/** German weak verbs, by stem: "tausch" gives tausche, tauschen, getauscht. */
export const germanForms = (stems: string): string =>
  `${withEndings(stems, ",e,en,st,t,et,end")},${stems
    .split(",")
    .map((stem) => `ge${stem.trim()}t`)
    .join(",")}`;

const ONES_DE = ["ein", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun"];
const TEENS_DE = "zehn,elf,zwölf,dreizehn,vierzehn,fünfzehn,sechzehn,siebzehn,achtzehn,neunzehn".split(",");
const TENS_DE = "zwanzig,dreißig,vierzig,fünfzig,sechzig,siebzig,achtzig,neunzig".split(",");

/** One to ninety-nine, as they stand before another word: "ein", "einundzwanzig". */
const belowHundred: readonly string[] = [
  ...ONES_DE,
  ...TEENS_DE,
  ...TENS_DE.flatMap((ten) => [ten, ...ONES_DE.map((one) => `${one}und${ten}`)]),
];

/** German writes a number as one word: 13 to 99, hundreds, thousands, and hundreds or thousands with what follows them. */
export const germanNumbers = (): Readonly<Record<string, string>> => {
  const words = new Map<number, string>();
  for (const [at, word] of belowHundred.entries()) {
    const n = at + 1;
    if (n > 12) words.set(n, word);
    words.set(n * 1000, `${word}tausend`);
    for (const [more, rest] of belowHundred.entries())
      if (n < 10) words.set(n * 100 + more + 1, `${word}hundert${rest}`);
  }
  for (const [at, one] of ONES_DE.entries()) {
    words.set((at + 1) * 100, at === 0 ? "hundert, einhundert" : `${one}hundert`);
    for (const [hundred, more] of ONES_DE.entries())
      words.set((at + 1) * 1000 + (hundred + 1) * 100, `${one}tausend${more}hundert`);
  }
  return Object.fromEntries([...words].map(([n, word]) => [`num:${String(n)}`, word]));
};
