// A report contains untrusted text. Some characters are invisible or reverse the text around them, so display them by
// their code point.

/**
 * Matches control and format characters (including direction marks and zero-width), private use, lone surrogates, line and
 * paragraph separators, and invisible characters (fillers, variation selectors, tags).
 */
export const hiddenCharacter =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Returns the code point of a character as `U+200B`. */
export const codePointName = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
