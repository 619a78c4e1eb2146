// Words in a report are a stranger's. Some characters hide, or turn around what stands beside them: whoever shows such words
// shows these by their number.

/**
 * Controls, formats (direction marks and zero-width among them), private use, lone surrogates, line and paragraph separators,
 * and whatever shows as nothing at all (fillers, variation selectors, tags).
 */
export const hiddenCharacter =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** `U+200B`. */
export const codePointName = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
