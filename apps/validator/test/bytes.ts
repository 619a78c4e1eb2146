/** Generates random ABI types with values that fit them, for tests that compare our reader with other encoders. */
import fc from "fast-check";
import type { AbiParameter } from "abitype";

export type Sampled = { readonly parameter: AbiParameter; readonly value: unknown };

const widths = Array.from({ length: 32 }, (_, i) => (i + 1) * 8);
const hexOf = (bytes: number): fc.Arbitrary<string> =>
  fc
    .uint8Array({ minLength: bytes, maxLength: bytes })
    .map((each) => `0x${Buffer.from(each).toString("hex")}`);

const inWidth = (type: string, bits: number): fc.Arbitrary<unknown> => {
  const signed = type === "int";
  const max = 2n ** BigInt(signed ? bits - 1 : bits) - 1n;
  const any = fc.bigInt({ min: signed ? -max - 1n : 0n, max });
  return bits <= 48 ? any.map(Number) : any;
};

const word: fc.Arbitrary<Sampled> = fc.oneof(
  fc
    .tuple(fc.constantFrom("uint", "int"), fc.constantFrom(...widths))
    .chain(([type, bits]) =>
      inWidth(type, bits).map((value) => ({ parameter: { type: `${type}${bits}` }, value })),
    ),
  hexOf(20).map((value) => ({ parameter: { type: "address" }, value })),
  fc.boolean().map((value) => ({ parameter: { type: "bool" }, value })),
  fc
    .integer({ min: 1, max: 32 })
    .chain((n) => hexOf(n).map((value) => ({ parameter: { type: `bytes${n}` }, value }))),
);

const blob: fc.Arbitrary<Sampled> = fc
  .integer({ min: 0, max: 70 })
  .chain((n) => hexOf(n).map((value) => ({ parameter: { type: "bytes" }, value })));

const arrayOf = (of: Sampled, length: number, fixed: boolean): Sampled => ({
  parameter: { ...of.parameter, type: `${of.parameter.type}[${fixed ? length : ""}]` },
  value: Array.from({ length }, () => of.value),
});

const tupleOf = (members: readonly Sampled[]): Sampled => ({
  parameter: {
    type: "tuple",
    components: members.map(({ parameter }, i) => ({ ...parameter, name: `m${i}` })),
  },
  value: Object.fromEntries(members.map(({ value }, i) => [`m${i}`, value])),
});

const { any } = fc.letrec<{ any: Sampled }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    word,
    blob,
    fc
      .tuple(tie("any"), fc.integer({ min: 1, max: 3 }), fc.boolean())
      .map(([of, n, fixed]) => arrayOf(of, n, fixed)),
    fc.array(tie("any"), { minLength: 1, maxLength: 4 }).map(tupleOf),
  ),
}));

/** Arguments of a generated function: their types, and values of those types. */
export const someArguments: fc.Arbitrary<readonly Sampled[]> = fc
  .array(any, { minLength: 1, maxLength: 5 })
  .map((list) =>
    list.map(({ parameter, value }, i) => ({ parameter: { ...parameter, name: `a${i}` }, value })),
  );
