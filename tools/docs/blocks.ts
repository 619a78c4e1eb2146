// Finds the fenced blocks of a Markdown document, with the line each begins at.
import { readInfoString, type Info } from "./info-string.ts";

export type Block = Info & {
  /** Of the opening fence, counted from 1. The first line of the text is the next one. */
  readonly line: number;
  readonly text: string;
};

export type Fault = { readonly line: number; readonly message: string };

type Open = {
  readonly line: number;
  readonly indent: number;
  readonly fence: string;
  readonly info: string;
  readonly lines: string[];
};

// A fence may stand in a list, so it may be indented; one that opens inside a longer one is text.
const opening = /^( *)(`{3,}|~{3,})([^`]*)$/;

export function findBlocks(document: string): {
  readonly blocks: readonly Block[];
  readonly faults: readonly Fault[];
} {
  const blocks: Block[] = [];
  const faults: Fault[] = [];
  let open: Open | undefined;
  for (const [index, text] of document.split("\n").entries()) {
    if (open === undefined) {
      open = openingOf(text, index + 1);
      continue;
    }
    if (!closes(text, open.fence)) {
      open.lines.push(dedent(text, open.indent));
      continue;
    }
    try {
      blocks.push({
        ...readInfoString(open.info),
        line: open.line,
        text: open.lines.map((line) => `${line}\n`).join(""),
      });
    } catch (error) {
      faults.push({ line: open.line, message: (error as Error).message });
    }
    open = undefined;
  }
  if (open !== undefined) faults.push({ line: open.line, message: "the block is never closed" });
  return { blocks, faults };
}

function openingOf(text: string, line: number): Open | undefined {
  const found = opening.exec(text);
  if (found === null) return undefined;
  const [, indent = "", fence = "", info = ""] = found;
  return { line, indent: indent.length, fence, info, lines: [] };
}

function closes(text: string, fence: string): boolean {
  const trimmed = text.trim();
  return trimmed.length >= fence.length && trimmed === fence.charAt(0).repeat(trimmed.length);
}

function dedent(text: string, indent: number): string {
  const own = text.length - text.trimStart().length;
  return text.slice(Math.min(own, indent));
}
