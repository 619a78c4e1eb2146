import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { byteRows, bytesIn, offsetLabel, shortened } from "./byte-rows.ts";

const bytes = (count: number): string => `0x${"ab".repeat(count)}`;

describe("byteRows", () => {
  test("splits the selector and rows of 32 bytes, each with its offset", () => {
    const rows = byteRows(bytes(4 + 32 + 5), []);
    expect(
      rows.map(({ offset, pieces }) => [offsetLabel(offset), pieces.map(({ hex }) => hex.length)]),
    ).toEqual([
      ["0x0000", [8]],
      ["0x0004", [64]],
      ["0x0024", [10]],
    ]);
  });

  test("marks flagged bytes across rows", () => {
    const rows = byteRows(bytes(68), [{ from: 2, to: 40, by: 3 }]);
    expect(rows.map(({ pieces }) => pieces.map(({ hex, by }) => [hex.length / 2, ...by]))).toEqual([
      [[2], [2, 3]],
      [[32, 3]],
      [[4, 3], [28]],
    ]);
  });

  test("keeps all bytes in order", () => {
    const marks = fc.array(fc.record({ from: fc.nat(300), to: fc.nat(300), by: fc.nat(4) }), {
      maxLength: 5,
    });
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), marks, (content, ranges) => {
        const data = `0x${Buffer.from(content).toString("hex")}`;
        const pieces = byteRows(data, ranges).flatMap((row) => row.pieces);
        expect(`0x${pieces.map(({ hex }) => hex).join("")}`).toBe(data);
      }),
    );
  });

  test("returns no rows for invalid hex", () => {
    expect([bytesIn("0x"), bytesIn("0xabc"), bytesIn("zz"), bytesIn("0xAB")]).toEqual([0, 0, 0, 1]);
    expect(byteRows("0xabc", [])).toEqual([]);
  });

  test("shortens long data but keeps flagged rows, and counts the hidden ones", () => {
    const rows = byteRows(bytes(4 + 32 * 99), [{ from: 4 + 32 * 50, to: 4 + 32 * 50 + 1, by: 0 }]);
    const shown = shortened(rows, 10);
    expect(shown.map((row) => ("gap" in row ? -row.gap : row.offset)).slice(9)).toEqual([
      260, -41, 1604, -48,
    ]);
    expect(shown.reduce((sum, row) => sum + ("gap" in row ? row.gap : 1), 0)).toBe(rows.length);
    expect(shortened(rows.slice(0, 18), 10)).toHaveLength(18);
  });
});
