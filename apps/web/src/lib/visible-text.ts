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
