import { hashTypedData } from "viem";
import { describe, expect, test } from "vitest";
import { alice, bob, read, readText } from "../../test/request.ts";

const permit = {
  domain: {
    name: "USD Coin",
    version: "2",
    chainId: 1,
    verifyingContract: "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
  },
  types: {
    Permit: [
      { name: "owner", type: "address" },
      { name: "spender", type: "address" },
      { name: "value", type: "uint256" },
      { name: "nonce", type: "uint256" },
      { name: "deadline", type: "uint256" },
    ],
  },
  primaryType: "Permit",
  message: { owner: alice, spender: bob, value: "5", nonce: 0, deadline: 1_800_000_000 },
} as const;
const proposed = (tx: unknown) => read({ human_intent: "x", proposed_tx: tx });

describe("typed data", () => {
  test.each([
    ["order", { order: permit }],
    ["typed_data", { typed_data: permit }],
    ["typedData", { typedData: permit }],
    ["message", { message: permit }],
    ["JSON text", { order: JSON.stringify(permit) }],
    ["the transaction itself", permit],
    ["an entry of a list", { transactions: [{ order: permit }] }],
    ["two equal copies", { order: permit, typedData: permit }],
    ["without a primary type", { order: { ...permit, primaryType: undefined } }],
    ["a message called value", { order: { ...permit, message: undefined, value: permit.message } }],
  ])("is found as %s", (_, tx) => {
    const { typedData, defects } = proposed(tx);
    expect(defects).toEqual([]);
    expect(typedData).toMatchObject({
      primaryType: "Permit",
      domain: { chainId: 1n, verifyingContract: "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48" },
      message: { owner: alice, value: "5", nonce: 0n, deadline: 1_800_000_000n },
    });
  });

  test("keeps its digest", () => {
    const { typedData } = proposed({ order: permit });
    expect(hashTypedData(typedData as never)).toBe(hashTypedData(permit as never));
  });

  test("reports two different messages as a defect", () => {
    const other = { ...permit, message: { ...permit.message, value: "6" } };
    expect(proposed({ order: permit, typedData: other }).defects).toMatchObject([
      { check: "typed_data_wellformed", at: "proposed_tx.typedData" },
    ]);
  });

  test.each([
    ["plain text", "sign me"],
    ["a number", 5],
    ["an unknown struct", { owner: alice, spender: bob }],
    ["no types", { ...permit, types: {} }],
    ["malformed types", { ...permit, types: { Permit: [5] } }],
    ["a primary type that is not in its types", { ...permit, primaryType: "__proto__" }],
    ["no message", { domain: {}, types: permit.types, primaryType: "Permit" }],
  ])("reports %s as a defect and reads no typed data", (_, order) => {
    const { typedData, defects } = proposed({ order });
    expect(typedData).toBeNull();
    expect(defects).toMatchObject([{ check: "typed_data_wellformed" }]);
  });

  test("reports malformed addresses and wrong checksums in arrays and inner structs", () => {
    const order = {
      domain: permit.domain,
      types: { Outer: [{ name: "items", type: "Inner[]" }], Inner: [{ name: "to", type: "address" }] },
      message: { items: [{ to: "0x12" }, { to: "0xa0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48" }] },
    };
    expect(proposed({ order }).defects).toMatchObject([
      { check: "address_format", at: "proposed_tx.order.message.items[0].to" },
      { check: "checksum", at: "proposed_tx.order.message.items[1].to" },
    ]);
  });

  test("keeps every digit of a long amount, and reports exponents and fractions as defects", () => {
    const text = (value: string): string =>
      `{"human_intent":"x","proposed_tx":{"order":${JSON.stringify(permit).replace('"5"', value)}}}`;
    expect(readText(text("123456789012345678901234567890")).typedData?.message["value"]).toBe(
      123456789012345678901234567890n,
    );
    for (const value of ["1e18", "1.5"]) {
      expect(readText(text(value)).defects).toMatchObject([{ check: "typed_data_wellformed" }]);
    }
  });
});

describe("a bare CoW order", () => {
  const order = {
    sellToken: "0x6B175474E89094C44Da98b954EedeAC495271d0F",
    buyToken: "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
    sellAmount: "1000",
    buyAmount: 5,
    validTo: 1_800_000_000,
    kind: "sell",
    quoteId: 7,
  };

  test("is read as typed data for the settlement contract on that chain", () => {
    const { typedData, defects } = read({
      human_intent: "x",
      proposed_tx: { order },
      metadata: { chain_id: 100 },
    });
    expect(defects).toEqual([]);
    expect(typedData).toMatchObject({
      primaryType: "Order",
      domain: {
        name: "Gnosis Protocol",
        version: "v2",
        chainId: 100n,
        verifyingContract: "0x9008d19f58aabd9ed0d60971565aa8510560ab41",
      },
      message: {
        sellToken: "0x6b175474e89094c44da98b954eedeac495271d0f",
        receiver: "0x0000000000000000000000000000000000000000",
        sellAmount: "1000",
        buyAmount: 5n,
        validTo: 1_800_000_000n,
        partiallyFillable: false,
        feeAmount: "0",
      },
    });
    expect(typedData?.message).not.toHaveProperty("quoteId");
    expect(() => hashTypedData(typedData as never)).not.toThrow();
  });

  test("may be in snake case, or have a domain but no types", () => {
    const snake = { sell_token: bob, buy_token: alice, sell_amount: "1", buy_amount: "2", valid_to: 3 };
    expect(proposed({ order: snake }).typedData?.message).toMatchObject({ sellToken: bob, validTo: 3n });
    const { typedData } = proposed({ order: { domain: { chainId: 1 }, message: order } });
    expect(typedData).toMatchObject({
      domain: { chainId: 1n },
      primaryType: "Order",
      message: { buyAmount: 5n },
    });
  });
});
