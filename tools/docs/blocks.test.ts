import fc from "fast-check";
import { expect, test } from "vitest";
import { findBlocks } from "./blocks.ts";

test("finds a block with the line of its fence", () => {
  expect(findBlocks("# Title\n\n```ts\nlet a = 1;\n```\n").blocks).toEqual([
    { language: "ts", attributes: {}, line: 3, text: "let a = 1;\n" },
  ]);
});

test("a block in a list loses its indent, and no more", () => {
  const { blocks } = findBlocks("1. First\n\n   ```sh\n   if true; then\n     echo\n\n   fi\n   ```\n");
  expect(blocks[0]?.text).toBe("if true; then\n  echo\n\nfi\n");
});

test("a shorter fence inside a longer one is text", () => {
  const { blocks } = findBlocks("````md\n```json\n{}\n```\n````\n");
  expect(blocks).toHaveLength(1);
  expect(blocks[0]?.text).toBe("```json\n{}\n```\n");
});

test("code in a line of prose opens nothing", () => {
  expect(findBlocks("```ts``` is how a block begins\n").blocks).toEqual([]);
});

test("a block that is never closed is a fault, not an empty document", () => {
  expect(findBlocks("text\n```sh\nls\n").faults).toEqual([{ line: 2, message: "the block is never closed" }]);
});

test("a misspelt language is a fault at its line", () => {
  expect(findBlocks("\n```tss\n```\n").faults).toMatchObject([{ line: 2 }]);
});

const line = fc
  .string({ unit: "grapheme-ascii", maxLength: 20 })
  .map((text) => text.replaceAll(/[`~\n\r]/g, "x"));
const part = fc.record({
  prose: fc.array(line, { maxLength: 3 }),
  code: fc.array(line, { maxLength: 4 }),
  fence: fc.constantFrom("```", "````", "~~~"),
  language: fc.constantFrom("ts", "sh", "json", "text", ""),
});

test("whatever is written between fences is found again, at its line", () => {
  fc.assert(
    fc.property(fc.array(part, { maxLength: 5 }), (parts) => {
      const document = parts
        .flatMap(({ prose, code, fence, language }) => [...prose, `${fence}${language}`, ...code, fence])
        .join("\n");
      const { blocks, faults } = findBlocks(document);
      expect(faults).toEqual([]);
      expect(blocks.map(({ language, text }) => ({ language, text }))).toEqual(
        parts.map(({ language, code }) => ({ language, text: code.map((each) => `${each}\n`).join("") })),
      );
      const lines = document.split("\n");
      for (const { line: at, language } of blocks)
        expect(lines[at - 1]).toMatch(new RegExp(`^[\`~]+${language}$`));
    }),
  );
});
