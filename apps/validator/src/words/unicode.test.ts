import { describe, expect, test } from "vitest";
import { readWords } from "./read-words.ts";
import { A, lexicon, summary } from "../../test/words.ts";

const found = (text: string): string[] =>
  readWords(text, lexicon).unicode.map((one) => `${one.kind}${one.touchesMoney ? " on money" : ""}`);

describe("characters a reader does not see", () => {
  test.each([
    [`send 1\u200b0 USDC to ${A}`, "hidden on money"],
    [`send 10 \u202eUSDC\u202c to ${A}`, "bidi on money"],
    [`send 10 USDC to ${A}\u{e0073}\u{e0065}`, "tag on money"],
    [`send 10 USD\u0421 to ${A}`, "homoglyph on money"],
    [`send 10 \u0415\u0422\u041d to ${A}`, "homoglyph on money"],
    [`send １０ USDC to ${A}`, "digits on money"],
    [`send ١٠ USDC to ${A}`, "digits on money"],
    [`send 10 𝐔𝐒𝐃𝐂 to ${A}`, "homoglyph on money"],
    [`hello\u200b there my dear friend, send 10 USDC to ${A}`, "hidden"],
  ])("%j", (text, expected) => {
    expect(found(text)).toContain(expected);
  });

  test.each([
    `send 10 USDC to ${A} 🙏🏽👨‍👩‍👧`,
    `envía 10 USDC a ${A} mañana no, ahora`,
    `把 10 USDC 发送到 ${A}，谢谢！`,
    `send 10 USDC to ${A} “for coffee” — thanks…`,
    `send 10 USDC to ${A} 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}`,
  ])("nothing wrong with %j", (text) => {
    expect(found(text)).toEqual([]);
  });

  test("hidden characters do not change what a reader sees", () => {
    expect(summary(`send 1\u200b0 USD\u0421 to ${A}`)).toBe(summary(`send 10 USDC to ${A}`));
  });
});

describe("a name", () => {
  test.each([
    ["bob.eth", "bob.eth", true],
    ["Bob.ETH", "bob.eth", true],
    ["bo_b.eth", "bo_b.eth", false],
  ])("%s", (written, name, normalised) => {
    const [party] = readWords(`send 1 ETH to ${written}`, lexicon).steps[0]?.to ?? [];
    expect(party).toMatchObject({ kind: "name", name, normalised });
  });
});
