import { describe, expect, test } from "vitest";
import { A, lexicon } from "../../test/words.ts";
import { signals } from "./languages/signals.ts";
import { readWords } from "./read-words.ts";

/** Returns the unread parts of a text, or why it asks for nothing. */
const unreadIn = (text: string): readonly string[] => {
  const { tokens, notARequest } = readWords(text.replaceAll("{A}", A), lexicon);
  const unread = tokens.filter(({ kind, slot }) => kind === "condition" && slot === null);
  return [...unread.map((token) => token.text), ...(notARequest === null ? [] : [notARequest])];
};

const requests: Readonly<Record<string, string>> = {
  en: "Send 250 USDC to {A}",
  es: "Envía 250 USDC a {A} por favor",
  pt: "Envie 250 USDC para {A} por favor",
  fr: "Envoie 250 USDC à {A} s'il te plaît",
  de: "Sende bitte 250 USDC an {A}",
  zh: "请把 250 USDC 转给 {A}",
};

describe.each(Object.keys(requests))("a request in %s", (language) => {
  const request = requests[language] ?? "";

  test("is read on its own", () => {
    expect(unreadIn(request)).toEqual([]);
  });

  test("is not read with any phrase that takes it back or leaves it open, before or after it", () => {
    const phrases = (signals[language] ?? "").split(",").map((phrase) => phrase.trim());
    const missed = phrases.filter(
      (phrase) =>
        unreadIn(`${request}. ${phrase}.`).length === 0 || unreadIn(`${phrase}. ${request}.`).length === 0,
    );
    expect(missed).toEqual([]);
  });
});

describe("a text that asks for nothing stays unread", () => {
  test.each([
    "Send 250 USDC to {A}. Never mind.",
    "Send 250 USDC to {A}... nah, keep it",
    "{A} got 250 USDC yesterday",
    "Sent 250 USDC to {A}",
    "My bookkeeper transferred 250 USDC to {A}.",
    "Is 250 USDC to {A} too much?",
    "250 USDC to {A}?",
    "My boss wrote: send 250 USDC to {A}",
    "Suppose I send 250 USDC to {A}",
    "Template: send 250 USDC to {A}",
    "Send 250 USDC to {A}, or just leave it, you decide",
    "Send 25 USDC, sorry, 250 USDC to {A}",
    "Send any token but USDC to {A}, 250 of them",
    "¿Ya llegaron los 250 USDC a {A}?",
    "Envoie 250 USDC à {A}. Laisse tomber.",
    "昨天给 {A} 转了 250 USDC",
    "Bea should pay 250 USDC to {A}",
    "Bea should pay me back 250 USDC",
    "My cousin has to send 250 USDC to {A}",
    "She will transfer 250 USDC to {A}",
    "Mi primo tiene que pagar 250 USDC a {A}",
    "Ana deve enviar 250 USDC para {A}",
    "Léa doit envoyer 250 USDC à {A}",
    "Bea soll 250 USDC an {A} senden",
    "Envie 250 USDC para {A} só depois que ela mostrar o recibo",
  ])("%s", (text) => {
    expect(unreadIn(text)).not.toEqual([]);
  });
});

describe("words close to those phrases do not stand in the way", () => {
  test.each([
    "Could you send 250 USDC to {A}? Thanks!",
    "Would you mind sending 250 USDC to {A}?",
    "I'd like 250 USDC sent to {A}",
    "Please have 250 USDC transferred to {A}",
    "Send 250 USDC to {A} for the concert in Madrid",
    "The Safe should send 250 USDC to {A}",
    "We have to pay 250 USDC to {A}",
    "Bea should get 250 USDC, her address is {A}",
    "My cousin has to receive 250 USDC at {A}",
    "250 USDC should go to {A}",
    "La tesorería debe enviar 250 USDC a {A}",
    "Tengo que enviar 250 USDC a {A}",
    "Je dois envoyer 250 USDC à {A}",
    "Ich muss 250 USDC an {A} senden",
    "Swap 250 USDC for ETH, at least 0.07 ETH or more",
    "Swap 250 USDC to ETH and once that's done send 0.05 ETH to {A}",
    "¿Puedes enviar 250 USDC a {A}?",
    "Envíe 250 USDC a {A}",
    "Kannst du 250 USDC an {A} senden?",
    "能帮我转 250 USDC 给 {A} 吗？",
  ])("%s", (text) => {
    expect(unreadIn(text)).toEqual([]);
  });
});

test("of many such phrases only a few are reported", () => {
  const text = `Send 250 USDC to {A}. ${"maybe ".repeat(2000)}`;
  expect(unreadIn(text).length).toBeLessThan(20);
});
