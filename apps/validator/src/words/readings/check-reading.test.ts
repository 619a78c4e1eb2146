import { describe, expect, test } from "vitest";
import { itemsIn } from "../../../test/core.ts";
import { marked } from "../../../test/marked.ts";
import { A, B, lexicon } from "../../../test/words.ts";
import { textOf } from "../core/parts.ts";
import { readWords } from "../read-words.ts";
import { checkReading } from "./check-reading.ts";
import type { Reading } from "./reading.ts";

const kernel = (text: string, reading: Reading) => checkReading(itemsIn(text), reading, lexicon);

/** The canonical sentences of a proposal, or why it is refused. */
function answerTo(acts: string, source: string): string {
  const { text, reading } = marked(acts, source);
  const checked = kernel(text, reading);
  return "parts" in checked
    ? textOf(checked.parts).replaceAll(A, "{A}").replaceAll(B, "{B}")
    : checked.refused;
}

const request = "[act0 Send] [amount0 5 ETH] [frame0 to] [recipient0 {A}]";

describe("a proposal that is right becomes canonical sentences", () => {
  test.each([
    [
      "one step",
      "pay",
      "[frame0 Please] [act0 send] [amount0 5 USDC] [frame0 to] [recipient0 {A}] [frame0 on] [network0 Base][formula , thanks!]",
      "Send 5 USDC to {A} on base.",
    ],
    [
      "two steps in one sentence",
      "pay pay",
      `${request} [purpose for the rent] [frame1 and] [amount1 3 USDC] [frame1 to] [recipient1 {B}]`,
      "Send 5 ETH to {A}. Send 3 USDC to {B}.",
    ],
    [
      "steps of different kinds",
      "pay approve",
      `${request} [frame1 and] [act1 allow] [spender1 {B}] [frame1 to spend] [amount1 3 USDC]`,
      "Send 5 ETH to {A}. Approve {B} to spend 3 USDC.",
    ],
    [
      "rows of a list",
      "pay pay",
      "[label Payroll:]\n[amount0 5 USDC] [frame0 to] [recipient0 {A}]\n[amount1 3 USDC] [frame1 to] [recipient1 {B}]",
      "Send 5 USDC to {A}. Send 3 USDC to {B}.",
    ],
    [
      "a report of another payment before the request",
      "pay",
      `[story Last month I sent her 80 USDC.] ${request}`,
      "Send 5 ETH to {A}.",
    ],
  ])("%s", (_, acts, source, answer) => {
    expect(answerTo(acts, source)).toBe(answer);
  });

  test("with each value at its place in the text", () => {
    const { text, reading } = marked("pay", `[story Last month I sent her 80 USDC.] ${request}`);
    const shown = readWords(text, lexicon, [], reading).others?.[0];
    const spans = [shown?.steps[0]?.gives[0]?.quantity?.span, shown?.steps[0]?.to[0]?.span];
    expect(spans.map((span) => span && text.slice(...span))).toEqual(["5 ETH", A]);
  });
});

describe("a proposal is refused", () => {
  test.each([
    ["a value in a remark", "pay", `${request}[remark . And 3 USDC to {B}]`],
    ["a value in the frame", "pay", `${request} [frame0 and 3 USDC]`],
    ["an address as a story", "pay", `[story I sent {B} 3 USDC.] ${request}`],
    ["an amount of the request as a story", "pay", `[story Last month I sent her 5 ETH.] ${request}`],
    ["a limit as a story", "pay", `[story I paid at most 3 ETH last month.] ${request}`],
    ["a debt as a story", "pay", `[story I owe her 3 ETH.] ${request}`],
    ["the network as a story", "pay", `[story Last month I sent it on Base.] ${request}`],
    ["a request as a story", "pay", `[story Never send more than 3 ETH.] ${request}`],
    ["a price as a story", "pay", `[story The right amount was 3 ETH.] ${request}`],
    ["a wish as a story", "pay", `[story I wanted to send 3 ETH.] ${request}`],
    ["a plan as a story", "pay", `[story I should have sent 3 ETH.] ${request}`],
    ["a part of the request as a story", "pay", `[story I paid 3 ETH of it.] ${request}`],
    ["a rate as a story", "pay", `[story I paid 3 % last month.] ${request}`],
    ["a story after the request", "pay", `${request}[story . Last month I sent her 80 USDC.]`],
    ["another act", "approve", "[act0 Send] [amount0 5 ETH] [frame0 to] [spender0 {A}]"],
    ["another role", "pay", "[act0 Send] [least0 5 ETH] [frame0 to] [recipient0 {A}]"],
    ["a step without a recipient", "pay pay", `${request} [frame1 and] [amount1 3 USDC]`],
    ["an alternative", "pay pay", `${request} [frame1 or] [amount1 3 USDC] [frame1 to] [recipient1 {B}]`],
    [
      "a report as a second step",
      "pay pay",
      `${request}[formula .] [recipient1 {B}] [frame1 got] [amount1 3 USDC]`,
    ],
    [
      "a noun as the act",
      "pay",
      "[frame0 The] [act0 transfer] [frame0 of] [amount0 5 ETH] [frame0 to] [recipient0 {A}] [remark is late]",
    ],
    ["a withdrawal as a formula", "pay", `${request}[formula . Forget it.]`],
    ["a condition as a purpose", "pay", `${request} [purpose once the goods arrive]`],
    ["an unknown word as a description", "pay", `${request}[description , vetoed]`],
    [
      "a question as a request",
      "pay",
      "[frame0 Did you] [act0 send] [amount0 5 ETH] [frame0 to] [recipient0 {A}][frame0 ?]",
    ],
    ["half of it", "pay", `${request} [purpose half]`],
  ])("that takes %s", (_, acts, source) => {
    const { text, reading } = marked(acts, source);
    expect(kernel(text, reading)).toHaveProperty("refused");
    expect(readWords(text, lexicon, [], reading).others).toEqual(readWords(text, lexicon).others);
  });

  const { text, reading } = marked("pay", request);
  const [first, ...rest] = reading.pieces;
  test.each([
    ["leaves out a word", { ...reading, pieces: rest }],
    ["covers a word twice", { ...reading, pieces: [first, ...reading.pieces] }],
    [
      "splits a value",
      {
        ...reading,
        pieces: reading.pieces.map((piece) =>
          piece.as === "amount" ? { ...piece, end: piece.end - 4 } : piece,
        ),
      },
    ],
    ["has a step without words", { ...reading, steps: ["pay", "pay"] }],
    ["has no step", { ...reading, steps: [] }],
    [
      "goes beyond the text",
      { ...reading, pieces: reading.pieces.map((piece) => ({ ...piece, end: piece.end + 1 })) },
    ],
  ])("that %s", (_, changed) => {
    expect(kernel(text, reading)).toHaveProperty("parts");
    expect(kernel(text, changed as Reading)).toHaveProperty("refused");
  });
});

describe("the rules for a whole text hold for a text with a proposal", () => {
  test.each([
    ["a refusal elsewhere", `[story I do not authorise this.] ${request}`],
    ["a draft", `[story This is only a draft.] ${request}`],
    ["a sentence in another language", `${request}[remark . Annulé, merci.]`],
  ])("%s", (_, source) => {
    const { text, reading } = marked("pay", source);
    expect(readWords(text, lexicon, [], reading).others).toEqual(readWords(text, lexicon).others);
  });

  test("a name that the caller knows must be compared, so a proposal without it is not used", () => {
    const { text, reading } = marked("pay", `[story Last month I sent Ana 80 USDC.] ${request}`);
    expect(readWords(text, lexicon, [], reading).others).toHaveLength(1);
    expect(readWords(text, lexicon, ["Ana"], reading).others ?? []).toEqual([]);
  });
});
