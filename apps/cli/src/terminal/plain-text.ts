// What others wrote is shown as text and does nothing else: it moves no cursor, hides nothing, turns nothing around.
import { codePointName, hiddenCharacter } from "@countersign/sdk/report";

const hidden = new RegExp(hiddenCharacter, "gu");

const visible = (character: string): string => `<${codePointName(character)}>`;

/** On one line, whatever it holds. */
export const plainLine = (text: string): string =>
  text
    .replace(/\s*\r?\n\s*/g, " ")
    .replace(/\t/g, " ")
    .replace(hidden, visible);

/** Its lines are kept. */
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

/** JSON that says the same to a program and is harmless on a terminal. Amounts become decimal strings. */
export function jsonText(value: unknown, space?: number): string {
  const text = JSON.stringify(
    value,
    (_, member: unknown) => (typeof member === "bigint" ? member.toString() : member),
    space,
  );
  // The line breaks are its own layout: inside a string they are escaped already.
  return text.replace(hidden, (character) => (character === "\n" ? character : escaped(character)));
}
