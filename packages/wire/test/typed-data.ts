import fc from "fast-check";
import { anyAddress, anyHex, anyText, anyWord } from "./index.ts";

const types = {
  Order: [
    { name: "items", type: "Item[]" },
    { name: "pair", type: "int8[2]" },
    { name: "data", type: "bytes" },
    { name: "word", type: "bytes32" },
    { name: "note", type: "string" },
    { name: "open", type: "bool" },
  ],
  Item: [
    { name: "token", type: "address" },
    { name: "amount", type: "uint160" },
  ],
};
const anyTiny = fc.integer({ min: -128, max: 127 });
const anyItem = fc.record({
  token: anyAddress,
  amount: fc.bigInt({ min: 0n, max: 2n ** 160n - 1n }).map(String),
});
const anyMessage = fc.record({
  ...{ items: fc.array(anyItem, { maxLength: 4 }), pair: fc.tuple(anyTiny, anyTiny) },
  ...{ data: anyHex(0, 70), word: anyWord, note: anyText, open: fc.boolean() },
});
const anyDomain = fc.record(
  {
    ...{ name: anyText, version: anyText, chainId: fc.integer({ min: 1 }) },
    ...{ verifyingContract: anyAddress, salt: anyWord },
  },
  { requiredKeys: ["name"] },
);

/** Typed data with a structure, lists and every kind of value, in a form that every library takes. */
export const anyTypedData = fc.record({
  ...{ domain: anyDomain, types: fc.constant(types), primaryType: fc.constant("Order"), message: anyMessage },
});
