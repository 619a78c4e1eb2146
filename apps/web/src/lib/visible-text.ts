// Text of strangers, in pieces: what shows by itself, and what would hide or turn something and is shown by its number instead.
import { codePointName, hiddenCharacter } from "@countersign/sdk/report";

export type Piece = { readonly kind: "plain" | "hidden"; readonly text: string };

/** Line ends stay: where they are shown is for whoever shows it. */
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
