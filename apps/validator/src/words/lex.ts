/** Text into pieces: words, numbers, addresses, names, quotations, marks. One pass, each piece with its place. */
import { lexNumber, fractionAt, type NumberReading } from "./numbers.ts";
import { fold, isHan } from "./phrases.ts";

export type Piece = {
  readonly t: "word" | "num" | "addr" | "hex" | "name" | "quote" | "mark" | "line";
  readonly text: string;
  /** Folded, possessive ending off: what phrases are matched against. */
  readonly low: string;
  readonly start: number;
  readonly end: number;
  readonly read?: NumberReading;
  /** Written against the piece before it, without a space. */
  readonly tight: boolean;
  readonly possessive?: true;
};

export type LexOptions = {
  readonly decimalMark: "," | ".";
  /** Words that begin with a digit and are names: "1inch", "0x", "3crv". */
  readonly isName: (word: string) => boolean;
};

const HEX = /0[xX][0-9a-fA-F]*/y;
const WORD = /(?:\$(?=\p{L}))?[\p{L}\p{M}_][\p{L}\p{M}\p{N}_]*(?:'[\p{L}]+)?/uy;
const NAME =
  /(?:(?!\p{Script=Han})[\p{L}\p{N}_\p{Extended_Pictographic}-]){1,80}(?:\.(?:(?!\p{Script=Han})[\p{L}\p{N}_\p{Extended_Pictographic}-]){1,80}){1,5}/uy;
const DIGIT_WORD = /[0-9]{1,4}[\p{L}][\p{L}\p{N}]*/uy;
const ARROW = /-{1,2}>|=>|>>|>=|<-{1,2}(?![0-9])|<=|\.\.\.|[→➡⇒➔⟶≥≤≈]/uy;
const TLDS = new Set(
  "eth,xyz,id,lens,crypto,nft,wallet,dao,bnb,arb,sol,base,box,x,blockchain,bitcoin,zil,888,avax,polygon,com,org,io,fi,finance,app,net,art,club,luxe,kred,op,linea,link".split(
    ",",
  ),
);

const sticky = (pattern: RegExp, text: string, at: number): string | null => {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
};

type Made = Omit<Piece, "start" | "tight">;
const made = (t: Piece["t"], text: string, at: number): Made => ({
  t,
  text,
  low: fold(text),
  end: at + text.length,
});

const lexHex = (text: string, at: number): Made | null => {
  const found = sticky(HEX, text, at);
  if (
    found === null ||
    (found.length < 5 && text[at + found.length] !== "…" && !text.startsWith("..", at + found.length))
  )
    return null;
  const after = text[at + found.length] ?? "";
  if (/[\p{L}\p{N}_]/u.test(after) && found.length < 42) return null;
  const cut = /^(?:…|\.{2,3}|\*{2,3})[0-9a-fA-F]{0,40}/.exec(
    text.slice(at + found.length, at + found.length + 44),
  )?.[0];
  if (cut !== undefined) return made("hex", found + cut, at);
  return made(found.length === 42 ? "addr" : "hex", found, at);
};

const lexName = (text: string, at: number): Made | null => {
  const found = sticky(NAME, text, at);
  if (found === null) return null;
  const last = found.slice(found.lastIndexOf(".") + 1).toLowerCase();
  if (!TLDS.has(last) || /^[0-9.]+$/.test(found)) return null;
  return made("name", found, at);
};

/** Text between quotation marks on one line, if it closes soon. */
const lexQuote = (text: string, at: number): Made | null => {
  const open = text[at] ?? "";
  const window = text.slice(at + 1, at + 200);
  const close = window.indexOf(open);
  const line = window.indexOf("\n");
  if (close < 1 || (line >= 0 && line < close)) return null;
  const inner = window.slice(0, close);
  return { t: "quote", text: inner, low: fold(inner.trim()), end: at + close + 2 };
};

const lexWord = (text: string, at: number): Made | null => {
  const char = text[at] ?? "";
  if (isHan(char)) return made("word", char, at);
  const found = sticky(WORD, text, at);
  if (found === null) return null;
  const han = found.search(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u);
  const word = han > 0 ? found.slice(0, han) : found;
  const low = fold(word);
  // "N'envoie pas": the refusal is a word of its own.
  if (/^[nN]['’]\p{L}/u.test(word)) return made("word", word.slice(0, 2), at);
  // French elision before a name: "l'ETH", "d'USDC", "d'Aave".
  if (/^[ldLD]'\p{Lu}/u.test(word)) return made("word", word.slice(2), at + 2);
  if (low.endsWith("'s") && !/^(?:let|it|that|what|here|there|who|he|she|where)'s$/.test(low)) {
    return {
      t: "word",
      text: word.slice(0, -2),
      low: low.slice(0, -2),
      end: at + word.length,
      possessive: true,
    };
  }
  return { t: "word", text: word, low, end: at + word.length };
};

const lexDigits = (text: string, at: number, options: LexOptions): Made | null => {
  const word = sticky(DIGIT_WORD, text, at);
  if (word !== null && options.isName(fold(word))) return made("word", word, at);
  const found = lexNumber(text, at, options.decimalMark);
  if (found === null) return null;
  return { ...made("num", text.slice(at, found.end), at), read: found.read };
};

const isDigit = (char: string): boolean => char >= "0" && char <= "9";
const startsNumber = (text: string, at: number): boolean => {
  const char = text.charAt(at);
  return isDigit(char) || (char === "." && isDigit(text.charAt(at + 1))) || fractionAt(text, at) !== null;
};

const NAME_START = /[\p{L}\p{N}\p{Extended_Pictographic}_]/u;

const startsName = (text: string, at: number): boolean => {
  const before = text.charAt(at - 1);
  const fresh = !/[\p{L}\p{N}]/u.test(before) || isHan(before);
  return fresh && NAME_START.test(charAt(text, at));
};

/** The whole character, also where it takes two units. */
const charAt = (text: string, at: number): string => String.fromCodePoint(text.codePointAt(at) ?? 32);

const lexSpecial = (text: string, at: number, options: LexOptions): Made | null => {
  const char = text.charAt(at);
  const hex = char === "0" ? lexHex(text, at) : null;
  const name = hex ?? (startsName(text, at) ? lexName(text, at) : null);
  const number = name ?? (startsNumber(text, at) ? lexDigits(text, at, options) : null);
  return number ?? (char === '"' || char === "`" ? lexQuote(text, at) : null);
};

const lexAt = (text: string, at: number, options: LexOptions): Made => {
  const char = text.charAt(at);
  if (char === "\n" || char === "\r") return made("line", char, at);
  const found = lexSpecial(text, at, options) ?? lexWord(text, at);
  return found ?? made("mark", sticky(ARROW, text, at) ?? charAt(text, at), at);
};

/** A hyphen between two words only joins them: "top-up", "twenty-five". */
const joins = (text: string, at: number): boolean =>
  text[at] === "-" && /[\p{L}]/u.test(text[at - 1] ?? "") && /[\p{L}]/u.test(text[at + 1] ?? "");

const splitUnderscores = (piece: Piece): Piece[] => {
  const inner = piece.text.slice(1, -1);
  if (piece.t !== "word" || !inner.includes("_") || /^[A-Z0-9_]+$/.test(piece.text)) return [piece];
  let start = piece.start;
  return piece.text
    .split("_")
    .map((part) => {
      const one: Piece = { ...piece, text: part, low: fold(part), start, end: start + part.length };
      start += part.length + 1;
      return one;
    })
    .filter((one) => one.text !== "");
};

export const lex = (text: string, options: LexOptions): Piece[] => {
  const out: Piece[] = [];
  let at = 0;
  let tight = false;
  while (at < text.length) {
    if (/[ \t]/.test(text[at] ?? "") || joins(text, at)) {
      tight = false;
      at += 1;
      continue;
    }
    const piece = lexAt(text, at, options);
    out.push(...splitUnderscores({ ...piece, start: at, tight }));
    at = piece.end;
    tight = true;
  }
  return out;
};
