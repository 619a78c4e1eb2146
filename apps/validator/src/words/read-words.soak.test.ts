// Also everything in the imported file at full size.
import "./read-words.test.ts";
import { describe, expect, test } from "vitest";
import { growth, linear } from "../../test/growth.ts";
import { fill } from "../../test/hostile-words.ts";
import { readWords } from "./read-words.ts";
import { hostileUnits, lexicon } from "../../test/words.ts";

describe("a hostile text is read in time proportional to its length", () => {
  test.each(hostileUnits)("%j repeated", async (unit) => {
    const toRead = (size: number) => () => readWords(fill(unit, size), lexicon);
    expect(await growth({ small: toRead(5_000), large: toRead(10_000), rounds: 3 })).toBeLessThan(linear);
  });
});
