import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { exactly, native, token } from "../../effects.ts";
import type { Address } from "../../proposal.ts";
import { amountOf, assetOf, lessFees, together, type Item } from "./seaport-items.ts";

const item = (parts: Partial<Item>): Item => ({
  itemType: 1,
  token: `0x${"22".repeat(20)}`,
  identifierOrCriteria: 7n,
  startAmount: 10n,
  endAmount: 10n,
  at: "offer[0]",
  ...parts,
});
const NO_TOKEN: Address = `0x${"00".repeat(20)}`;
const amount = fc.bigInt({ min: 0n, max: 10n ** 30n });

describe("items of an order", () => {
  test("read an amount that changes over time as an interval, in both directions", () => {
    fc.assert(
      fc.property(amount, amount, (startAmount, endAmount) => {
        const { least, most } = amountOf(item({ startAmount, endAmount }), [1n, 1n]);
        expect(least).toBe(startAmount < endAmount ? startAmount : endAmount);
        expect(most).toBe(startAmount < endAmount ? endAmount : startAmount);
      }),
    );
  });

  test("scale their amounts with the filled part", () => {
    expect(amountOf(item({}), [1n, 2n])).toEqual(exactly(5n));
    expect(amountOf(item({}), [2n, 2n])).toEqual(exactly(10n));
  });

  test.each([
    [0n, 2n],
    [1n, 0n],
    [3n, 2n],
  ])("rejects %s of %s parts", (part, whole) => {
    expect(() => amountOf(item({}), [part, whole])).toThrow("not a part of the order");
  });

  test("rejects a part that does not divide the amount", () => {
    expect(() => amountOf(item({ startAmount: 10n, endAmount: 11n }), [1n, 2n])).toThrow("cannot be divided");
  });

  test("have no id for any token of a collection, and throw for an unknown kind", () => {
    expect(assetOf(item({ itemType: 4 }))).toMatchObject({ kind: "nft", id: null });
    expect(assetOf(item({ itemType: 2 }))).toMatchObject({ kind: "nft", id: 7n });
    expect(assetOf(item({ itemType: 0, token: NO_TOKEN, identifierOrCriteria: 0n }))).toEqual(native);
    expect(() => assetOf(item({ itemType: 6 }))).toThrow("the kind of item is not known");
  });

  test("reject native token with an address, and native token or tokens with an id", () => {
    const plain = { itemType: 0, token: NO_TOKEN, identifierOrCriteria: 0n } as const;
    expect(() => assetOf(item({ ...plain, token: `${NO_TOKEN.slice(0, -1)}1` as Address }))).toThrow(
      "has a token address",
    );
    expect(() => assetOf(item({ ...plain, identifierOrCriteria: 1n }))).toThrow("has an id");
    expect(() => assetOf(item({ itemType: 1, identifierOrCriteria: 1n }))).toThrow("has an id");
  });

  test("of the same asset are added up, and fees reduce that asset alone", () => {
    const a = token(`0x${"33".repeat(20)}`);
    const flows = [
      { asset: a, amount: exactly(5n), at: "x" },
      { asset: native, amount: exactly(1n), at: "y" },
      { asset: a, amount: exactly(2n), at: "z" },
    ];
    expect(together(flows).map(({ amount: { most } }) => most)).toEqual([7n, 1n]);
    const [first] = together(flows);
    if (first === undefined) throw new Error("no flow");
    expect(lessFees(first, [{ asset: a, amount: exactly(3n), at: "f" }]).amount).toEqual(exactly(4n));
    expect(lessFees(first, [{ asset: native, amount: exactly(3n), at: "f" }]).amount).toEqual(exactly(7n));
  });
});
