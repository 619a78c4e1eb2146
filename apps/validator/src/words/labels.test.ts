/** Names as the caller's book cuts them, and names it must not cut. */
import { describe, expect, test } from "vitest";
import { A, summary } from "../../test/words.ts";

const book = ["Cold Storage", "Cold Storage 2", "Alice", "Tax reserve", "vault", "运营钱包", "Delegate fund"];

describe("a label is taken whole, whatever its words mean by themselves", () => {
  test.each([
    ["Move 50 USDC to Cold Storage 2", "Cold Storage 2"],
    ["Move 50 USDC into Tax reserve", "Tax reserve"],
    ["stash 50 USDC in vault", "vault"],
    ["top up the Delegate fund with 50 USDC", "Delegate fund"],
    ["往 运营钱包 打 50 USDC", "运营钱包"],
  ])("%s", (text, label) => {
    expect(summary(text, book)).toContain(`to "${label}"`);
  });
});

describe("a label is no part of a longer name, and hides no word that changes the request", () => {
  test.each([
    ["Send 50 USDC to Alice Cooper", 'to "Alice Cooper"', book],
    ["Send 50 USDC to me", "to self", ["me"]],
    [`Send 50 USDC to ${A}`, "to 0x11", ["USDC", "50 USDC to"]],
    ["Do not send 50 USDC to Tax reserve", "NOT", book],
  ])("%s", (text, wanted, labels) => {
    expect(summary(text, labels)).toContain(wanted);
  });
});

describe("a word for the relationship is not part of the name", () => {
  test.each([
    "Send 50 USDC to my brother Alice",
    "Pay vendor Alice 50 USDC",
    "Envía 50 USDC a mi hermana Alice",
  ])("%s", (text) => {
    expect(summary(text, book)).toContain('to "Alice"');
  });
  test.each(["Send 50 USDC to my other Alice", "Send 50 USDC to van Alice"])(
    "but %s may be another",
    (text) => {
      expect(summary(text, book)).not.toContain('to "Alice"');
    },
  );
});
