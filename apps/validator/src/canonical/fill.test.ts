import { describe, expect, test } from "vitest";
import { fill } from "./fill.ts";
import { patterns, slots, type Slot } from "./patterns.ts";

const pattern = "Send {gives}[ from {payer}] to {to}[ on {chain}].";

describe("a pattern", () => {
  test("is filled, without the optional parts that have no value", () => {
    expect(fill(pattern, { gives: "1 ETH", to: "Bob" })).toEqual({ sentence: "Send 1 ETH to Bob." });
    expect(fill(pattern, { gives: "1 ETH", to: "Bob", payer: "Alice", chain: "Base" })).toEqual({
      sentence: "Send 1 ETH from Alice to Bob on Base.",
    });
  });

  test("is not filled without a value that it needs", () => {
    expect(fill(pattern, { gives: "1 ETH" })).toEqual({ missing: ["to"], unplaced: [] });
  });

  test("is not filled if a value has no place, because the sentence would hide it", () => {
    expect(fill(pattern, { gives: "1 ETH", to: "Bob", fee: "5%" })).toEqual({
      missing: [],
      unplaced: ["fee"],
    });
  });

  test("may leave out the venue and the deadline", () => {
    const terms = { gives: "1 ETH", to: "Bob", venue: "Aave v3", deadline: "2026-01-01 00:00:00 UTC" };
    expect(fill(pattern, terms)).toEqual({ sentence: "Send 1 ETH to Bob." });
  });

  test("keeps braces and brackets of a value", () => {
    expect(fill(pattern, { gives: "1 {to}", to: "[x]" })).toEqual({ sentence: "Send 1 {to} to [x]." });
  });
});

describe("the table", () => {
  test.each([...patterns])(
    "%s: has known slots, each at most once, one for each optional part",
    (_, text) => {
      const used = [...text.matchAll(/\{(\w+)\}/g)].map(([, slot]) => slot as Slot);
      expect(new Set(used).size).toBe(used.length);
      for (const slot of used) expect(Object.keys(slots)).toContain(slot);
      for (const [group] of text.matchAll(/\[[^\]]*\]/g)) expect(group.match(/\{/g)).toHaveLength(1);
      expect(text).toMatch(/^[A-Z].*\.$/);
    },
  );
});
