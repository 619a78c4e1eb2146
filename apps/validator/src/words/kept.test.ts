/** No number that a slot took is lost on the way to its step. */
import { describe, expect, test } from "vitest";
import { A, B, C, summary } from "../../test/words.ts";

describe("a bound on a stated amount", () => {
  test("adds nothing where the amount keeps it", () => {
    expect(summary(`Send 5 USDC to ${A}, at most 6 USDC`)).toBe("transfer · give 5 USDC · to 0x11");
  });
  test.each([`Send 5 USDC to ${A}, at most 4 USDC`, `Send 5 USDC to ${A}, at least 6 USDC`])(
    "is not dropped where it does not: %s",
    (text) => {
      expect(summary(text)).not.toBe("transfer · give 5 USDC · to 0x11");
    },
  );
});

test("everybody whose allowance is taken away has a step of their own", () => {
  const said = summary(`Remove both USDC approvals, the one for ${A} and the one for ${B}`);
  expect(said).toContain("spender 0x11");
  expect(said).toContain("spender 0x22");
});

test("“of” also names the owner of an allowance", () => {
  expect(summary(`Set the USDC allowance of ${C} to 0`)).toContain("spender 0x33");
});
