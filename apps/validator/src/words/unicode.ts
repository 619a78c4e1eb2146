/**
 * The gate before all reading: characters a person does not see, or takes for others. It gives back the text a person
 * believes to read, with the way back to the original, and a finding for each deception. Emoji and foreign scripts are fine.
 */
import type { Intent, Span } from "../intent.ts";

type Finding = Intent["unicode"][number];
type Draft = Omit<Finding, "touchesMoney">;

export type Characters = {
  /** The text as a reader sees it: hidden characters removed, look-alikes and foreign digits in ASCII. */
  readonly clean: string;
  /** For each unit of `clean`, where it stood; one entry more for the end. */
  readonly at: readonly number[];
  readonly findings: readonly Draft[];
};

const BIDI = /[\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c]/;
// Built from code points: written out, the characters could not be seen here either.
const inRanges =
  (...ranges: readonly (readonly [number, number])[]) =>
  (char: string): boolean => {
    const code = char.codePointAt(0) ?? 0;
    return ranges.some(([from, to]) => code >= from && code <= to);
  };
const isHidden = inRanges(
  [0x200b, 0x200d],
  [0x2060, 0x2064],
  [0xfeff, 0xfeff],
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180e, 0x180e],
  [0x3164, 0x3164],
  [0xffa0, 0xffa0],
  [0xfff9, 0xfffb],
  [0x2800, 0x2800],
  [0x0, 0x8],
  [0xb, 0xc],
  [0xe, 0x1f],
  [0x7f, 0x9f],
);
const VARIATION = /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/u;
const TAG = /[\u{e0000}-\u{e007f}]/u;
const PICTURE = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\ufe0f\u20e3]/u;
const MARK = /\p{M}/u;

/** Letters of other scripts that look like Latin ones. */
const LOOKALIKES = new Map(
  Object.entries({
    А: "A",
    В: "B",
    Е: "E",
    К: "K",
    М: "M",
    Н: "H",
    О: "O",
    Р: "P",
    С: "C",
    Т: "T",
    Х: "X",
    У: "Y",
    І: "I",
    Ѕ: "S",
    Ј: "J",
    а: "a",
    е: "e",
    о: "o",
    р: "p",
    с: "c",
    у: "y",
    х: "x",
    і: "i",
    ѕ: "s",
    ј: "j",
    ԁ: "d",
    һ: "h",
    ԛ: "q",
    ԝ: "w",
    в: "b",
    к: "k",
    м: "m",
    н: "h",
    т: "t",
    г: "r",
    п: "n",
    ь: "b",
    З: "3",
    ӏ: "l",
    ɡ: "g",
    ɑ: "a",
    ı: "i",
    ℮: "e",
    Α: "A",
    Β: "B",
    Ε: "E",
    Ζ: "Z",
    Η: "H",
    Ι: "I",
    Κ: "K",
    Μ: "M",
    Ν: "N",
    Ο: "O",
    Ρ: "P",
    Τ: "T",
    Υ: "Y",
    Χ: "X",
    α: "a",
    ο: "o",
    ν: "v",
    ρ: "p",
    τ: "t",
    υ: "u",
    ι: "i",
    κ: "k",
    ε: "e",
    η: "n",
    χ: "x",
    γ: "y",
    Ꭼ: "E",
    Ꮪ: "S",
    Ꮯ: "C",
    Ꭰ: "D",
    Ꮖ: "I",
    Ս: "U",
    Օ: "O",
    ո: "n",
    օ: "o",
    ս: "u",
    ց: "g",
    հ: "h",
  }),
);

/** Punctuation of other keyboards, as the reader's own. No deception in it. */
const PUNCTUATION = new Map(
  Object.entries({
    "，": ",",
    "。": ".",
    "；": ";",
    "：": ":",
    "？": "?",
    "！": "!",
    "（": "(",
    "）": ")",
    "、": ",",
    "“": '"',
    "”": '"',
    "„": '"',
    "«": '"',
    "»": '"',
    "「": '"',
    "」": '"',
    "『": '"',
    "』": '"',
    "‘": "'",
    "’": "'",
    "′": "'",
    "–": "-",
    "—": "-",
    "‑": "-",
    "‐": "-",
    "−": "-",
    "％": "%",
    "＄": "$",
    "＃": "#",
    "～": "~",
    "〜": "~",
    "…": "…",
    "\u00a0": " ",
    "\u202f": " ",
    "\u2009": " ",
    "\u3000": " ",
    "\u2007": " ",
    "＝": "=",
    "／": "/",
    "【": "(",
    "】": ")",
    "《": '"',
    "》": '"',
    "٫": ".",
    "٬": ",",
    "，​": ",",
    "¿": " ",
    "¡": " ",
  }),
);

const digitOf = (char: string): string | null => {
  if (!/\p{Nd}/u.test(char)) return null;
  const compat = char.normalize("NFKC");
  if (/^[0-9]$/.test(compat)) return compat;
  const code = char.codePointAt(0) ?? 0;
  let back = 0;
  while (back < 60 && /\p{Nd}/u.test(String.fromCodePoint(code - back - 1))) back += 1;
  return String(back % 10);
};

type Seen = { readonly kind: Finding["kind"] | null; readonly put: string; readonly said: string };

const point = (char: string): string =>
  `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;

const seenTag = (before: string): Seen =>
  before === "🏴"
    ? { kind: null, put: "", said: "" }
    : { kind: "tag", put: "", said: "invisible tag characters" };

const seenHidden = (char: string, before: string): Seen => {
  // Joiners hold emoji together, and belong to the spelling of several scripts.
  const joins =
    /[\u200c\u200d]/.test(char) &&
    (PICTURE.test(before) || /[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/u.test(before));
  return joins
    ? { kind: null, put: "", said: "" }
    : { kind: "hidden", put: "", said: `an invisible character ${point(char)}` };
};

/** "nº 3391", "1ª": ordinary letters of Spanish and Portuguese. */
const ORDINALS = /^[ºª]$/;

const seenCompat = (char: string): Seen | null => {
  if (ORDINALS.test(char)) return null;
  const digit = digitOf(char);
  if (digit !== null)
    return { kind: "digits", put: digit, said: `the digit ${char} (${point(char)}) for ${digit}` };
  const compat = char.normalize("NFKC");
  if (/^[A-Za-z]+$/.test(compat) && !/\p{Script=Latin}/u.test(char)) {
    return { kind: "homoglyph", put: compat, said: `${char} (${point(char)}) for ${compat}` };
  }
  if (/^[A-Za-z]$/.test(compat) && compat !== char) {
    return { kind: "homoglyph", put: compat, said: `${char} (${point(char)}) for ${compat}` };
  }
  return null;
};

const seen = (char: string, before: string, marks: number): Seen => {
  const mapped = PUNCTUATION.get(char);
  if (mapped !== undefined) return { kind: null, put: mapped, said: "" };
  if (TAG.test(char)) return seenTag(before);
  if (BIDI.test(char)) return { kind: "bidi", put: "", said: `a direction control ${point(char)}` };
  if (isHidden(char)) return seenHidden(char, before);
  if (VARIATION.test(char) || char === "\u20e3") {
    const picture = !/[A-Za-z]/.test(before);
    return picture
      ? { kind: null, put: "", said: "" }
      : { kind: "hidden", put: "", said: `a variation selector ${point(char)}` };
  }
  if (MARK.test(char) && (marks > 2 || /[A-Za-z0-9]/.test(before))) return seenMark(char, before, marks);
  return seenCompat(char) ?? { kind: null, put: char, said: "" };
};

/** One accent on a letter is spelling; one on a digit, or a pile of them, is not. */
const seenMark = (char: string, before: string, marks: number): Seen => {
  const composed = (before + char).normalize("NFC");
  if (marks <= 2 && composed.length === 1) return { kind: null, put: char, said: "" };
  return { kind: "homoglyph", put: "", said: `a mark ${point(char)} over ${before}` };
};

const push = (findings: Draft[], kind: Finding["kind"], said: string, span: Span): void => {
  const last = findings.at(-1);
  if (last?.kind === kind && last.span[1] === span[0])
    findings[findings.length - 1] = { ...last, span: [last.span[0], span[1]] };
  else findings.push({ kind, said, span });
};

const WORD = /[\p{L}\p{M}\p{N}_.]+/gu;
const FOREIGN = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Cherokee}\p{Script=Armenian}ɡɑı℮]/u;
const onlyLookalikes = (word: string): boolean =>
  Array.from(word).every((char) => LOOKALIKES.has(char) || /[0-9.]/.test(char));

/** Words that mix Latin with look-alikes, or that are look-alikes throughout and in capitals (ЕТН). */
const unmask = (clean: string, at: readonly number[], findings: Draft[]): string => {
  if (!FOREIGN.test(clean)) return clean;
  return clean.replace(WORD, (word, offset: number) => {
    if (!FOREIGN.test(word)) return word;
    const mixed = /\p{Script=Latin}/u.test(word.replace(/[ɡɑı℮]/gu, ""));
    const masked = mixed || (onlyLookalikes(word) && word.length >= 2 && word === word.toUpperCase());
    if (!masked) return word;
    const plain = Array.from(word, (char) => LOOKALIKES.get(char) ?? char).join("");
    if (plain.length !== word.length) return word;
    findings.push({
      kind: "homoglyph",
      said: `"${word}" mixes look-alike letters and reads as "${plain}"`,
      span: [at[offset] ?? 0, at[offset + word.length] ?? 0],
    });
    return plain;
  });
};

const ASCII = /^[\t\n\r -~]$/;
const NOT_ASCII = /[^\t\n\r -~]/;

/** Every character is what it seems, at its original place. */
const readAscii = (text: string): Characters => {
  const at: number[] = [];
  for (let index = 0; index <= text.length; index += 1) at.push(index);
  return { clean: text, at, findings: [] };
};

export const readCharacters = (text: string): Characters => {
  if (!NOT_ASCII.test(text)) return readAscii(text);
  const findings: Draft[] = [];
  const at: number[] = [];
  let clean = "";
  let index = 0;
  let before = "";
  let marks = 0;
  for (const char of text) {
    const ascii = ASCII.test(char);
    marks = !ascii && MARK.test(char) ? marks + 1 : 0;
    const { kind, put, said } = ascii ? { kind: null, put: char, said: "" } : seen(char, before, marks);
    if (kind !== null) push(findings, kind, said, [index, index + char.length]);
    for (let unit = 0; unit < put.length; unit += 1)
      at.push(put.length === char.length ? index + unit : index);
    clean += put;
    index += char.length;
    if (put !== "") before = char;
  }
  at.push(text.length);
  return { clean: unmask(clean, at, findings), at, findings };
};

/** Which findings lie in, or next to, a word that matters for money. Both lists in order of place. */
export const markMoney = (findings: readonly Draft[], hard: readonly Span[]): Finding[] => {
  const sorted = [...findings].sort((a, b) => a.span[0] - b.span[0]);
  let next = 0;
  return sorted.map((finding) => {
    while (next < hard.length && (hard[next]?.[1] ?? 0) < finding.span[0] - 1) next += 1;
    const near = hard[next];
    const touchesMoney = finding.kind === "tag" || (near !== undefined && near[0] <= finding.span[1] + 1);
    return { ...finding, touchesMoney };
  });
};
