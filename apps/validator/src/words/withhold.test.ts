/** A payment that is spoken of is not one that is asked for. */
import { describe, expect, test } from "vitest";
import { readWords } from "./read-words.ts";
import { A, lexicon } from "./testing.ts";

const refuses = (text: string): boolean =>
  readWords(text, lexicon).negations.some(({ kind, acts }) => kind === "act" && acts?.includes("transfer"));

describe("who holds, checks, reverses or only tells of a payment does not ask for it", () => {
  test.each([
    `hold the 45 USDC payment to ${A}`,
    `please simulate sending 45 USDC to ${A}`,
    `reverse the 45 USDC payment to ${A}`,
    `charge ${A} 45 USDC`,
    `bloquea el pago de 45 USDC a ${A}`,
    `bloqueie 45 USDC para ${A}`,
    `vérifie le paiement de 45 USDC à ${A}`,
    `prüfe die Zahlung von 45 USDC an ${A}`,
    `冻结 45 USDC 给 ${A}`,
    `my friend sent 45 USDC to ${A} yesterday`,
    `${A} owes me 45 USDC`,
    `45 USDC to ${A} is wrong`,
  ])("%s", (text) => {
    expect(refuses(text)).toBe(true);
  });
});

describe("the same words as nouns, or beside a request, refuse nothing", () => {
  test.each([
    `Our audit is next week, please send 45 USDC to ${A}`,
    `The bill is 45 USDC, pay it to ${A}`,
    `check and pay 45 USDC to ${A}`,
    `I want 45 USDC sent to ${A}`,
  ])("%s", (text) => {
    expect(refuses(text)).toBe(false);
  });
});
