/** Allowances that are used up at once, and accounts that must be the named one. */
import { describe, expect, test } from "vitest";
import type { Slot } from "../entailment.ts";
import { entail } from "./entail.ts";
import {
  aStep,
  aWorld,
  address,
  anApproval,
  anEffect,
  bob,
  flow,
  mallory,
  portion,
  router,
  usdc,
} from "../../test/entail.ts";
import type { World } from "./world.ts";

const bad = (world: World): readonly Slot[] => [
  ...new Set(
    entail(world)
      .comparisons.filter(({ outcome }) => outcome !== "same")
      .map(({ slot }) => slot),
  ),
];

const approve = aStep({ acts: ["approve"], gives: [portion(null, "USDC")] });
const supply = aStep({ acts: ["supply"], gives: [portion("100", "USDC")] });
const supplied = anEffect({
  act: "supply",
  gives: [flow(usdc, 100_000_000n)],
  receiver: "self",
  target: router,
});

describe("an allowance without an amount or a spender in the request", () => {
  test("is the amount that the next step takes", () => {
    expect(bad(aWorld([approve, supply], [anApproval(router, 100_000_000n), supplied]))).toEqual([]);
  });
  test("is never more than that", () => {
    expect(bad(aWorld([approve, supply], [anApproval(router, 100_000_001n), supplied]))).not.toEqual([]);
  });
  test("is never for a party that the next step does not go through", () => {
    expect(bad(aWorld([approve, supply], [anApproval(mallory, 100_000_000n), supplied]))).not.toEqual([]);
  });
});

describe("an account that the request names as the source", () => {
  const sent = anEffect({ gives: [flow(usdc, 100_000_000n)], receiver: bob });
  test("must be the one that acts", () => {
    const step = aStep({ gives: [portion("100", "USDC")], to: [address(bob)], from: address(mallory) });
    expect(bad(aWorld([step], [sent]))).toContain("recipient");
  });
});
