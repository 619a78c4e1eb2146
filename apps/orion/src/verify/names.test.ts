import { describe, expect, test } from "vitest";
import { namesIn } from "./names.ts";

describe("names in a request", () => {
  test.each<[string, readonly string[]]>([
    ["Send 5 USDC to bob.eth", ["bob.eth"]],
    ["Send 5 USDC to Bob.eth.", ["bob.eth"]],
    ["pay bob.eth, alice.eth and bob.eth", ["bob.eth", "alice.eth"]],
    ["1 ETH to pay.alice.eth (urgent)", ["pay.alice.eth"]],
    ["bob.eth's share", ["bob.eth"]],
    ["给bob.eth转5个USDC", ["bob.eth"]],
    ["Send to 🦄.eth", ["🦄.eth"]],
    ["a.eth b.eth c.eth d.eth e.eth", ["a.eth", "b.eth", "c.eth", "d.eth"]],
    ["Send 5 USDC to bob", []],
    ["see bob.eth.limo or bob.ethereum", []],
    ["bob.xyz", []],
    [".eth", []],
  ])("%s", (text, names) => {
    expect(namesIn(text)).toEqual(names);
  });

  test.each([
    ["a Cyrillic letter among Latin ones", "Send 5 USDC to b\u043eb.eth"],
    ["a whole word of look-alikes", "Send 5 USDC to \u0440\u0430\u0443.eth"],
    ["full-width letters", "Send 5 USDC to \uff42ob.eth"],
    ["an underscore in the middle", "Send 5 USDC to b_b.eth"],
  ])("leaves out a name with %s", (_, text) => {
    expect(namesIn(text)).toEqual([]);
  });
});
