/** Whose assets are used, by the caller's label of a shared account; and who is paid. */
import { describe, expect, test } from "vitest";
import { A, summary } from "../../test/words.ts";

const book = ["Ops Safe", "Safe da tesouraria"];

describe("a shared account next to a payee is the one that acts", () => {
  test.each([
    `Ops Safe on Base: send 50 USDC to ${A}`,
    `Ops Safe: send 50 USDC to ${A}`,
    `Using the Ops Safe, send 50 USDC to ${A}`,
    `Please sign the SafeTx for our Ops Safe that transfers 50 USDC to ${A}`,
    `Con la Ops Safe, envía 50 USDC a ${A}`,
    `Pela Ops Safe, pague 50 USDC para ${A}`,
    `Via la Ops Safe, envoie 50 USDC à ${A}`,
    `通过 Ops Safe 向 ${A} 转 50 USDC`,
  ])("%s", (text) => {
    expect(summary(text, book)).toMatch(/give 50 USDC · to 0x11 · from "Ops Safe"/);
  });
  test("also where its name opens the sentence behind an article", () => {
    expect(summary(`A Safe da tesouraria paga 50 USDC para ${A}`, book)).toContain(
      'to 0x11 · from "Safe da tesouraria"',
    );
  });
});

describe("it is who receives", () => {
  test.each([
    ["behind “to”", "Send 50 USDC to the Ops Safe"],
    ["behind a verb of paying", "Pay Ops Safe 50 USDC"],
    ["before a verb of receiving", "Ops Safe gets 50 USDC"],
  ])("%s", (_, text) => {
    expect(summary(text, book)).toContain('to "Ops Safe"');
    expect(summary(text, book)).not.toContain("from");
  });
});

test("a Safe by its address acts behind any preposition but “to”", () => {
  const safe = `0x${"3".repeat(40)}`;
  for (const lead of ["Using Safe", "Sign the transaction of Safe", "On behalf of no one else, from Safe"])
    expect(summary(`${lead} ${safe}, send 50 USDC to ${A}`)).toContain("from 0x33");
});
