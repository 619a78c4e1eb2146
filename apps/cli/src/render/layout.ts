// Wraps text by terminal columns, never inside a word: a broken address or number cannot be copied and is misread.
import picocolors from "picocolors";

export type Page = {
  /** Columns. A line exceeds it only for a single longer word. */
  readonly width: number;
  readonly colour: boolean;
  /** The prefix of our commands, if not the plain name. */
  readonly program?: string;
};

export type Colours = ReturnType<typeof picocolors.createColors>;
export const coloursOf = ({ colour }: Page): Colours => picocolors.createColors(colour);

const marks = /\p{Mark}/u;
const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60]/u;

/** Returns the columns that a text takes. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) columns += marks.test(character) ? 0 : wide.test(character) ? 2 : 1;
  return columns;
}

export const padTo = (text: string, columns: number): string =>
  text + " ".repeat(Math.max(0, columns - columnsOf(text)));

export type Indent = { readonly first?: string; readonly rest?: string };

/** Wraps to `width` columns; `first` prefixes the first line, `rest` the others. */
export function wrap(text: string, width: number, { first = "", rest = "" }: Indent = {}): string[] {
  const lines: string[] = [];
  let line = first;
  let isEmpty = true;
  for (const word of text.split(/\s+/u).filter((part) => part !== "")) {
    if (!isEmpty && columnsOf(line) + 1 + columnsOf(word) > width) {
      lines.push(line);
      line = rest;
      isEmpty = true;
    }
    line += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return isEmpty ? lines : [...lines, line];
}

export type Row = readonly [label: string, text: string];

/** Renders labels and texts in two columns, or the text below its label if the space is too narrow. */
export function rows(given: readonly Row[], width: number, indent = "  "): string[] {
  const column = Math.max(0, ...given.map(([label]) => columnsOf(label))) + 2;
  return given.flatMap(([label, text]) => {
    const first = `${indent}${padTo(label, column)}`;
    const longest = Math.max(0, ...text.split(/\s+/u).map(columnsOf));
    const below = `${indent}  `;
    // A long word has more room below the label. If it does not fit there either, it stays.
    const helps = columnsOf(first) + longest > width && columnsOf(below) + longest <= width;
    if (!helps) return wrap(text, width, { first, rest: " ".repeat(columnsOf(first)) });
    return [`${indent}${label}`, ...wrap(text, width, { first: below, rest: below })];
  });
}

/** `1 check`, `2 checks`. */
export const counted = (count: number, one: string, several = `${one}s`): string =>
  `${count} ${count === 1 ? one : several}`;
