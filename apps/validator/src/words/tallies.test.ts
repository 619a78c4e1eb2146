/** Numbers that measure nothing, and the same numbers where they do. */
import { describe, expect, test } from "vitest";
import { A, B, summary } from "../../test/words.ts";

describe("a number next to the request asks for nothing", () => {
  test.each([
    ["which step it is", "Rebalance step 3 of 5: withdraw 50 USDC from Aave"],
    ["which task it is", "Task 3: withdraw 50 USDC from Aave"],
  ])("%s", (_, text) => {
    expect(summary(text)).toMatch(/^withdraw[^;]*get 50 USDC[^;]*$/);
  });
  test("how many approvals are taken away", () => {
    expect(summary(`Revoke two USDC allowances: ${A} and ${B}`)).toBe(
      "revoke · give USDC · spender 0x11 ; revoke · give USDC · spender 0x22",
    );
  });
  test("the total of the payments, if it is their sum", () => {
    const rows = `Send 5 USDC to ${A}. Send 7 USDC to ${B}.`;
    expect(summary(`${rows} Total 12 USDC.`)).toBe(summary(rows));
    expect(summary(`${rows} Total 13 USDC.`)).not.toBe(summary(rows));
  });
});

test("the number of a piece is no amount", () => {
  expect(summary(`Approve ${A} for bored ape token 7090 only.`)).toContain("#7090");
});
