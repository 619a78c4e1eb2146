import { expect, test } from "vitest";
import { addressedBy, effectsIn } from "./facts.ts";

test("effects are read from the context of a report that passes", () => {
  const passing = { decision: "PASS", assessment: { kind: "entailed" }, context: { effects: [1] } };
  expect(effectsIn(passing)).toEqual([1]);
  for (const report of [
    ...[undefined, null, "report", {}, { ...passing, context: null }, { ...passing, decision: "REJECT" }],
    ...["contradicted", "not_understood", "not_checked"].map((kind) => ({
      ...passing,
      assessment: { kind },
    })),
  ])
    expect(effectsIn(report)).toBeUndefined();
});

test("a signature is addressed to the contract that verifies it", () => {
  const verifyingContract = `0x${"C0".repeat(20)}` as const;
  const typedData = { domain: { verifyingContract }, types: {}, primaryType: "Permit", message: {} };
  const payload = { shape: "typedData", typedData } as const;
  expect(addressedBy({ to: null, payload })).toBe(`0x${"c0".repeat(20)}`);
  expect(addressedBy({ to: `0x${"AB".repeat(20)}`, payload: null })).toBe(`0x${"ab".repeat(20)}`);
  expect(addressedBy({ to: undefined, payload: null })).toBeNull();
});
