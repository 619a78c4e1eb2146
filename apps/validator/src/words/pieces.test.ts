/** Pieces of a collection, one at a time. */
import { describe, expect, test } from "vitest";
import { readWords } from "./read-words.ts";
import { A, lexicon } from "../../test/words.ts";

const pieces = (text: string): readonly string[] | undefined =>
  readWords(text, lexicon).others?.[0]?.steps.map(({ gives }) => {
    const asset = gives[0]?.asset;
    return asset?.kind === "nft" ? `${asset.collection}#${asset.ids.join("#")}` : "?";
  });

describe("several pieces to one party can be several steps", () => {
  test.each([`Send Azuki #77 and Azuki #78 to ${A}`, `Schicke Azuki #77 und Azuki #78 an ${A}`])(
    "%s",
    (text) => {
      expect(pieces(text)).toEqual(["Azuki#77", "Azuki#78"]);
    },
  );
  test("one piece is one", () => {
    expect(pieces(`Send Azuki #77 to ${A}`)).toBeUndefined();
  });
});
