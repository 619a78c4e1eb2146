import { describe, expect, test } from "vitest";
import { counted, fromNow, fromWei, shortHex } from "./format.ts";

describe("formatting", () => {
  test("keeps every digit of an amount", () => {
    expect(fromWei("0")).toBe("0");
    expect(fromWei("1")).toBe("0.000000000000000001");
    expect(fromWei("30000000000000000000000")).toBe("30,000");
    expect(fromWei("1234567890000000000")).toBe("1.23456789");
  });

  test("shortens an address to six characters at each end", () => {
    expect(shortHex("0x96221423681a6d52e184d440a8efcebb105c7242")).toBe("0x962214…5c7242");
    expect(shortHex("0x1234")).toBe("0x1234");
  });

  test("uses singular and plural", () => {
    expect([counted(1, "check"), counted(0, "check"), counted(1200, "check")]).toEqual([
      ...["1 check", "0 checks", "1,200 checks"],
    ]);
  });

  test("uses the largest fitting unit for relative times", () => {
    const now = new Date("2026-01-01T12:00:00Z");
    const at = (seconds: number): string => fromNow(new Date(now.getTime() + seconds * 1000), now);
    expect([at(0), at(-61), at(7200), at(-90_000)]).toEqual([
      ...["now", "1 minute ago", "in 2 hours", "yesterday"],
    ]);
  });
});
