/** A payment that is spoken of is not one that is asked for. */
import { describe, expect, test } from "vitest";
import { readWords } from "./read-words.ts";
import { A, B, lexicon, summary } from "../../test/words.ts";

const refuses = (text: string): boolean =>
  readWords(text, lexicon).negations.some(({ kind, acts }) => kind === "act" && acts?.includes("transfer"));

describe("a text that holds, checks, reverses or only reports a payment does not ask for it", () => {
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
    `stream 45 USDC to ${A} for 30 days`,
    `set up a stream of 45 USDC to ${A}`,
    `vest 45 USDC to ${A}`,
  ])("%s", (text) => {
    expect(refuses(text)).toBe(true);
  });
});

describe("the same words as nouns, or next to a request, refuse nothing", () => {
  test.each([
    `Our audit is next week, please send 45 USDC to ${A}`,
    `The bill is 45 USDC, pay it to ${A}`,
    `check and pay 45 USDC to ${A}`,
    `I want 45 USDC sent to ${A}`,
    `Tip 45 USDC to ${A} for the live stream`,
  ])("%s", (text) => {
    expect(refuses(text)).toBe(false);
  });
});

describe("a start time is waited for, in any wording", () => {
  test.each([
    `send 45 USDC to ${A} in an hour`,
    `send 45 USDC to ${A} after an hour`,
    `envía 45 USDC a ${A} en una hora`,
    `envoie 45 USDC à ${A} dans une heure`,
    `sende 45 USDC an ${A} in einer Stunde`,
  ])("%s", (text) => {
    expect(summary(text)).toContain("if time");
    expect(readWords(text, lexicon).others).toBeUndefined();
  });
  test("and a time to end is not", () => {
    expect(summary("sell 1 WETH for at least 9 USDC on CoW Swap, expires in an hour")).toContain(
      "deadline 3600s",
    );
  });
});

describe("the head of a list refuses all of it", () => {
  test.each([
    `Do not pay from Safe ${B}:\n- ${A}: 45 USDC`,
    `Don't send this payment: 45 USDC to ${A}`,
    `Do not confirm the Safe transaction (nonce 42): 45 USDC to ${A}`,
    `No pagues lo siguiente: 45 USDC a ${A}`,
    `Cancel trade 88: deliver 45 USDC to ${A}`,
    `History of Safe ${B}:\n- ${A}: 45 USDC`,
    `Last month, from Safe ${B}:\n- ${A}: 45 USDC`,
  ])("%s", (text) => {
    expect(refuses(text)).toBe(true);
  });
  test.each([
    `No approvals, no swaps: just a plain 45 USDC transfer to ${A}`,
    `No rush: send 45 USDC to ${A}`,
    `Don't forget: send 45 USDC to ${A}`,
  ])("and not: %s", (text) => {
    expect(refuses(text)).toBe(false);
  });
});
