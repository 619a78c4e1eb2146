/** A request as tokens: what a person sees, each with its place in the original text. Tokens never change. */
import type { Decimal, Span } from "../intent.ts";
import { lex } from "../words/lex.ts";
import type { Ratio } from "../words/numbers.ts";
import { readCharacters } from "../words/unicode.ts";

type Placed = { readonly text: string; readonly span: Span; /** Written against the token before it. */ readonly tight: boolean };

export type Token = Placed &
  (
    | {
        readonly kind: "word";
        /** Lower case, without accents and without a possessive ending. */
        readonly low: string;
        readonly possessive: boolean;
      }
    | {
        readonly kind: "number";
        readonly n: Decimal;
        /** Further honest readings: "1.000" is 1 or 1000. */
        readonly others: readonly Decimal[];
        readonly part: Ratio | null;
      }
    | { readonly kind: "address"; readonly address: `0x${string}` }
    | { readonly kind: "name"; readonly name: string }
    | { readonly kind: "hex" }
    | { readonly kind: "mark"; readonly mark: string }
    | { readonly kind: "line" }
  );

const quotes = new Set(['"', "`", "“", "”", "„", "«", "»"]);
const pictures = /^[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\ufe0f\u200d]+$/u;

/** Splits a text into tokens. Quotation marks and pictures are marks: `"` and `☺`. */
export function tokenise(text: string, isName: (word: string) => boolean): readonly Token[] {
  const { clean, at } = readCharacters(text);
  // A quotation mark is a token of its own, so what stands between two of them is read like the rest.
  const open = [...clean].map((char) => (quotes.has(char) ? "\u0002" : char)).join("");
  const place = (index: number): number => at[index] ?? text.length;
  return lex(open, { decimalMark: ".", isName }).flatMap((piece): Token[] => {
    const placed: Placed = {
      text: piece.text,
      span: [place(piece.start), place(piece.end)],
      tight: piece.tight,
    };
    if (piece.t === "num") {
      if (piece.read === undefined || piece.read.absurd === true) return [{ ...placed, kind: "hex" }];
      const { n, others, part } = piece.read;
      return [{ ...placed, kind: "number", n, others, part: part ?? null }];
    }
    if (piece.t === "addr")
      return [{ ...placed, kind: "address", address: piece.text.toLowerCase() as `0x${string}` }];
    if (piece.t === "name") return [{ ...placed, kind: "name", name: piece.text }];
    if (piece.t === "line") return [{ ...placed, kind: "line" }];
    if (piece.t === "word")
      return [{ ...placed, kind: "word", low: piece.low, possessive: piece.possessive === true }];
    if (piece.t === "hex") return [{ ...placed, kind: "hex" }];
    const mark = piece.text === "\u0002" ? '"' : pictures.test(piece.text) ? "☺" : piece.text;
    return [{ ...placed, kind: "mark", mark }];
  });
}
