/** Accounts that act are not paid; an address behind a comma is the one just named; refusals refuse. */
import { describe, expect, test } from "vitest";
import { A, B, summary } from "../../test/words.ts";

describe("the Safe that acts is where it comes from", () => {
  test.each([
    `Safe ${A} sends 50 USDC to ${B}`,
    `From Safe ${A} pay 50 USDC to ${B}`,
    `Do Safe ${A}, envie 50 USDC para ${B}`,
    `Depuis le Safe ${A}, envoie 50 USDC à ${B}`,
    `Sende aus dem Safe ${A} 50 USDC an ${B}`,
    `Have safe ${A} transfer 50 USDC to ${B}`,
  ])("%s", (text) => {
    expect(summary(text)).toBe("transfer · give 50 USDC · to 0x22 · from 0x11");
  });

  test.each([`Send 50 USDC to the Safe ${A}`, `Fund safe ${A} with 50 USDC`])(
    "and is paid in: %s",
    (text) => {
      expect(summary(text)).toBe("transfer · give 50 USDC · to 0x11");
    },
  );
});

describe("an address behind a comma says who was just named", () => {
  test("one recipient", () => {
    expect(summary(`Pay 50 USDC to my accountant, ${A}`)).toBe("transfer · give 50 USDC · to 0x11");
  });
  test.each([`Pay 50 USDC to ${A}, ${B}`, `Pay 50 USDC to the plumber and ${B}`])("two: %s", (text) => {
    expect(summary(text)).toContain("DOUBT");
  });
});

describe("a refusal refuses in every language, also where the language is taken for another", () => {
  test.each([
    `N'envoie surtout pas 50 USDC à ${A}`,
    `Je refuse d'envoyer 50 USDC à ${A}`,
    `Auf keinen Fall 50 USDC an ${A}`,
    `Unterlasse es, 50 USDC an ${A} zu senden`,
    `De jeito nenhum envie 50 USDC para ${A}`,
    `No envie 50 USDC para ${A}`,
    `Deja de enviar 50 USDC a ${A}`,
    `Hold off on sending 50 USDC to ${A}`,
    `千万别转 50 USDC 给 ${A}`,
  ])("%s", (text) => {
    expect(summary(text)).toContain("NOT");
  });
});
