import { describe, expect, test } from "vitest";
import { A, lexicon } from "../../../test/words.ts";
import { readWords } from "../read-words.ts";

/** The parts of a text that may change whether it asks for anything. {A} stands for an address. */
const open = (text: string): readonly string[] =>
  (readWords(text.replaceAll("{A}", A), lexicon).ungoverned ?? []).map((part) => part.text);

describe("a request is governed by nothing else", () => {
  test.each([
    "Send 5 ETH to {A}",
    "5 ETH to {A}",
    "Could you please send 5 ETH to {A}? Thanks!",
    "I'd like to send 5 ETH to {A}",
    "Make a payment of 5 ETH to {A}",
    "Send at most 5 ETH to {A}",
    "hey, pay {A} 5 ETH for the October rent",
    "Both bikes are fixed, so go ahead and pay {A} 5 ETH.",
    "Taxi share: 5 ETH to {A}",
    "My brother's laptop died two days ago. Please send 5 ETH to {A}.",
    "Tunde covered my bus ticket. Pay {A} 5 ETH.",
    "Send 5 ETH to {A}. Her address is in my contacts.",
    "Send 5 ETH to {A}, she fixed the roof",
    "Swap 5 USDC for WETH on Uniswap v3, at least 0.002 WETH, 0.5% slippage",
    "Swap 1 ETH for at least 3000 USDC on CoW Protocol on Ethereum before 2025-11-15 09:56:40 UTC, without partial fills.",
  ])("%s", (text) => {
    expect(open(text)).toEqual([]);
  });
});

describe("a word that governs the act leaves it open", () => {
  test.each<[string, string]>([
    ["Block any transfer of 5 ETH to {A}", "Block"],
    ["Ask me before you send 5 ETH to {A}", "Ask"],
    ["Prepare a payment of 5 ETH to {A}", "Prepare"],
    ["Tell Bob to send 5 ETH to {A}", "Tell"],
    ["Schedule 5 ETH to {A}", "Schedule"],
    ["Translate: send 5 ETH to {A}", "Translate"],
    ["Write a poem about sending 5 ETH to {A}", "Write"],
    ["The phrase send 5 ETH to {A} is spam", "phrase"],
    ["My toddler typed: send 5 ETH to {A}", "typed"],
    ["An attacker's prompt: send 5 ETH to {A}", "attacker"],
    ["Payments to {A} are capped at 5 ETH", "Payments"],
    ["My limit for {A} is 5 ETH", "is"],
    ["At most 5 ETH may go to {A}", "may"],
  ])("%s", (text, part) => {
    expect(open(text).join(" ")).toContain(part);
  });
});

describe("a limit asks for nothing", () => {
  test.each([
    "Never send more than 5 ETH to {A}",
    "Do not ever pay more than 5 ETH to {A}",
    "Nunca envíes más de 5 ETH a {A}",
    "N'envoie jamais plus de 5 ETH à {A}",
    "Sende niemals mehr als 5 ETH an {A}",
  ])("%s", (text) => {
    expect(open(text)).not.toEqual([]);
  });
});

describe("a later part that may take a request back leaves it open", () => {
  test.each([
    "Send 5 ETH to {A} (scam text I received)",
    "Send 5 ETH to {A}. The board vetoed this.",
    "Send 5 ETH to {A}. That was a test.",
    "Send 5 ETH to {A}. Awaiting sign-off.",
    "Send 5 ETH to {A}. My husband is shaking his head, and he's right.",
    "Swap 0.2 ETH for USDC on Uniswap V2, at least 600 USDC. We'll keep the ether.",
    "Send 5 ETH to {A}. Wait.",
    "Send 5 ETH to {A}. It's a phishing address.",
    "Send 5 ETH to {A}. Carla regrets it.",
    "Send 5 ETH to {A} kkkk",
    "Envía 5 ETH a {A}. Era broma, ja.",
    "manda 5 ETH pra {A} kkkkk tô zoando",
    "Sende 5 ETH an {A}. War nur Spaß.",
    "转 5 ETH 给 {A}，骗你的。",
  ])("%s", (text) => {
    expect(open(text)).not.toEqual([]);
  });
});

describe("other languages", () => {
  test.each([
    "Envía 5 ETH a {A} para el alquiler, gracias",
    "La cena estuvo buenísima. Envía 5 ETH a {A}.",
    "Envie 5 ETH para {A}, obrigado",
    "Envoie 5 ETH à {A} pour le loyer, merci",
    "Sende 5 ETH an {A} für die Miete, danke",
    "把 5 ETH 转给 {A}，房租，谢谢",
  ])("%s", (text) => {
    expect(open(text)).toEqual([]);
  });
});

test("a story before the request may hold unknown words, unless it is about the text or speaks to the agent", () => {
  expect(open("My cousin was gazumped in Lagos. Send 5 ETH to {A}.")).toEqual([]);
  expect(open("The next gazumped line is a poem. Send 5 ETH to {A}.")).not.toEqual([]);
  expect(open("You gazumped my cousin. Send 5 ETH to {A}.")).not.toEqual([]);
});

test("each part is reported at its place", () => {
  const text = `Send 5 ETH to ${A}. Flibber.`;
  const [part] = readWords(text, lexicon).ungoverned ?? [];
  expect(part).toEqual({ text: "Flibber", span: [text.indexOf("Flibber"), text.indexOf("Flibber") + 7] });
});
