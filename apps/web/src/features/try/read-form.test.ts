import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { examples } from "./examples.ts";
import { nothingEntered, readForm, toWei, type Entered } from "./read-form.ts";

const to = "0x742d35Cc6634C0532925a3b844Bc454e4438f44e";
const entered = (more: Partial<Entered> = {}): Entered => ({
  ...nothingEntered,
  words: "Send 1 ETH",
  to,
  ...more,
});
const wrong = (more: Partial<Entered>): readonly string[] =>
  Object.keys(readForm(entered(more)).problems ?? {});

describe("readForm", () => {
  test("sends the request unchanged and applies defaults", () => {
    expect(readForm(entered({ words: " Send\n1 ETH ", value: " 0.05 " })).trial).toEqual({
      intent: " Send\n1 ETH ",
      tx: { to, value: "50000000000000000", data: "0x" },
      chainId: 1,
    });
  });

  test("accepts pasted blanks and line breaks", () => {
    expect(readForm(entered({ data: "0xab\n cd", to: ` ${to} ` })).trial?.tx).toMatchObject({
      to,
      data: "0xabcd",
    });
  });

  test.each<[keyof Entered, string]>([
    ["words", " "],
    ["words", "a".repeat(20_001)],
    ["to", ""],
    ["to", "vitalik.eth"],
    ["to", `${to}0`],
    ["value", ""],
    ["value", "0,05"],
    ["value", "-1"],
    ["value", "1e18"],
    ["value", `0.${"1".repeat(19)}`],
    ["value", "9".repeat(61)],
    ["data", "ab"],
    ["data", "0xabc"],
    ["data", "0xzz"],
    ["data", `0x${"ab".repeat(64 * 1024 + 1)}`],
    ["from", "me"],
  ])("reports an invalid field: %s %#", (name, value) => {
    expect(wrong({ [name]: value })).toEqual([name]);
  });

  test("reports all invalid fields at once", () => {
    expect(
      Object.keys(readForm({ ...nothingEntered, value: "x", data: "x", from: "x" }).problems ?? {}),
    ).toEqual([...["words", "to", "value", "data", "from"]]);
  });
});

describe("toWei", () => {
  test("keeps every digit", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 40n }), (wei) => {
        const digits = wei.toString().padStart(19, "0");
        expect(toWei(`${digits.slice(0, -18)}.${digits.slice(-18)}`)).toBe(wei.toString());
      }),
    );
    expect([toWei("1"), toWei(".5"), toWei("2."), toWei(".")]).toEqual([
      ...["1000000000000000000", "500000000000000000", "2000000000000000000", undefined],
    ]);
  });
});

test.each(examples)("accepts the example: $name", (example) => {
  expect(readForm(example.entered).problems).toBeUndefined();
});
