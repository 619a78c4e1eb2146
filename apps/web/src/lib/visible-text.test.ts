import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { visiblePieces } from "./visible-text.ts";

const shown = (text: string): string =>
  visiblePieces(text)
    .map(({ kind, text: piece }) => (kind === "hidden" ? `[${piece}]` : piece))
    .join("");

describe("visiblePieces", () => {
  test("shows bidi, zero-width and unassigned characters", () => {
    expect(shown("pay\u202Eevil")).toBe("pay[U+202E]evil");
    expect(shown("US\u200BDC")).toBe("US[U+200B]DC");
    expect(shown("a\u0000b\uD800c\u{E0041}")).toBe("a[U+0000]b[U+D800]c[U+E0041]");
  });

  test("keeps markup, other scripts and line breaks", () => {
    for (const text of ['<b>x</b> & "y"', "送金 0.1 ETH", "שלום", "one\ntwo"]) expect(shown(text)).toBe(text);
  });

  test("loses no text and hides no character", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const pieces = visiblePieces(text);
        const plain = pieces
          .filter(({ kind }) => kind === "plain")
          .map((piece) => piece.text)
          .join("");
        // eslint-disable-next-line no-control-regex -- they are what is looked for
        expect(plain).not.toMatch(/[\u200B-\u200F\u202A-\u202E\u2066-\u2069\u0000-\u0009\u007F\uFEFF]/);
        const count = pieces.filter(({ kind }) => kind === "hidden").length;
        expect(Array.from(plain).length + count).toBe(Array.from(text.replaceAll("\r\n", "\n")).length);
      }),
    );
  });
});
