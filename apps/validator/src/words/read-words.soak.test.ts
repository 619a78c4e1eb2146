// Also everything in the imported file at full size.
import "./read-words.test.ts";
import { describe, expect, test } from "vitest";
import { growth, linear } from "../testing/growth.ts";
import { fill } from "../testing/hostile-words.ts";
import { readWords } from "./read-words.ts";
import { hostileUnits, lexicon } from "./testing.ts";

describe("a hostile text is read in time proportional to its length", () => {
  test.each(hostileUnits)("%j repeated", async (unit) => {
    const toRead = (size: number) => () => readWords(fill(unit, size), lexicon);
    expect(await growth({ small: toRead(5_000), large: toRead(10_000), rounds: 3 })).toBeLessThan(linear);
  });
});
