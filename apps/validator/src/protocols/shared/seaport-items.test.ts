import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { exactly, native, token } from "../../effects.ts";
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
const amount = fc.bigInt({ min: 0n, max: 10n ** 30n });

describe("items of an order", () => {
  test("a sliding amount is an interval, whichever way it slides", () => {
    fc.assert(
      fc.property(amount, amount, (startAmount, endAmount) => {
        const { least, most } = amountOf(item({ startAmount, endAmount }), [1n, 1n]);
        expect(least).toBe(startAmount < endAmount ? startAmount : endAmount);
        expect(most).toBe(startAmount < endAmount ? endAmount : startAmount);
      }),
    );
  });

  test("a part of an order is that part of its amounts, and a part of nothing throws", () => {
    expect(amountOf(item({}), [1n, 2n])).toEqual(exactly(5n));
    expect(() => amountOf(item({}), [1n, 0n])).toThrow("a part of nothing");
  });

  test("any of a collection has no id; an unknown kind throws", () => {
    expect(assetOf(item({ itemType: 4 }))).toMatchObject({ kind: "nft", id: null });
    expect(assetOf(item({ itemType: 2 }))).toMatchObject({ kind: "nft", id: 7n });
    expect(assetOf(item({ itemType: 0 }))).toEqual(native);
    expect(() => assetOf(item({ itemType: 6 }))).toThrow("a kind of item that is not known");
  });

  test("the same asset is added up, and fees come off that asset alone", () => {
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
