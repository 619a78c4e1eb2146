// Sanitizes untrusted text: it must not move the cursor, hide text or change its direction.
import { codePointName, hiddenCharacter } from "@countersign/sdk/report";

const hidden = new RegExp(hiddenCharacter, "gu");

const visible = (character: string): string => `<${codePointName(character)}>`;

/** Returns a single line. */
export const plainLine = (text: string): string =>
  text
    .replace(/\s*\r?\n\s*/g, " ")
    .replace(/\t/g, " ")
    .replace(hidden, visible);

/** Keeps line breaks. */
export const plainText = (text: string): string =>
  text
    .replace(/\r\n/g, "\n")
    .replace(/\t/g, "  ")
    .split("\n")
    .map((line) => line.replace(hidden, visible))
    .join("\n");

const escaped = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`,
  ).join("");

/** Serializes to JSON that is safe on a terminal. Amounts become decimal strings. */
export function jsonText(value: unknown, space?: number): string {
  const text = JSON.stringify(
    value,
    (_, member: unknown) => (typeof member === "bigint" ? member.toString() : member),
    space,
  );
  // Line breaks are layout: inside strings they are already escaped.
  return text.replace(hidden, (character) => (character === "\n" ? character : escaped(character)));
}
