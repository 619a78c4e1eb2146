// Splits untrusted text into visible text and hidden characters, which are shown by code point.
import { codePointName, hiddenCharacter } from "@countersign/sdk/report";

export type Piece = { readonly kind: "plain" | "hidden"; readonly text: string };

/** Keeps line breaks; the component decides how to show them. */
export function visiblePieces(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let plain = "";
  for (const character of text.replaceAll("\r\n", "\n").replaceAll("\t", " ")) {
    if (character === "\n" || !hiddenCharacter.test(character)) {
      plain += character;
      continue;
    }
    if (plain !== "") pieces.push({ kind: "plain", text: plain });
    plain = "";
    pieces.push({ kind: "hidden", text: codePointName(character) });
  }
  return plain === "" ? pieces : [...pieces, { kind: "plain", text: plain }];
}

const strong =
  /(\p{Script=Hebrew}|\p{Script=Arabic}|\p{Script=Syriac}|\p{Script=Thaana}|\p{Script=Nko})|\p{L}/u;

/** Returns the direction of a text by its first letter. Needed where pieces of it are isolated: `auto` skips those. */
export const directionOf = (text: string): "ltr" | "rtl" =>
  strong.exec(text)?.[1] === undefined ? "ltr" : "rtl";
