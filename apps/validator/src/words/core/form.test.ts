import { describe, expect, test } from "vitest";
import { asksFor } from "../../../test/core.ts";

const rows = (...fields: readonly string[]): string => fields.join("\n");

describe("a form is read", () => {
  test.each([
    ["with an action", rows("Action: send", "Amount: 5 USDC", "To: {A}"), "Send 5 USDC to {A}."],
    [
      "without an action",
      rows("Token: USDT", "Qty: 415", "Chain: Base", "To: {A}"),
      "Send 415 USDT to {A} on base.",
    ],
    [
      "with a heading and a state",
      rows("TICKET OPS-118", "Token: USDC", "Amount: 5", "To: {A}", "Status: approved, execute"),
      "Send 5 USDC to {A}.",
    ],
    [
      "with bars",
      "task: revoke | asset: WETH | network: Base | spender: {A} | new allowance: 0",
      "Revoke the allowance of {A} for WETH on base.",
    ],
    ["with commas", "token USDC, chain Base, to {A}, amount 1200", "Send 1200 USDC to {A} on base."],
    [
      "of an approval",
      rows("Type: approval", "Token: USDC", "Amount: 5.5", "Spender: {A}"),
      "Approve {A} to spend 5.5 USDC.",
    ],
    ["of wrapping", rows("op: wrap", "input: 0.15 ETH", "output: WETH"), "Wrap 0.15 ETH."],
    [
      "of a swap",
      "action=swap; venue=Uniswap V3; chain=ethereum; in=640 USDC; out=USDT; fee=100; min_out=638.5",
      "Swap 640 USDC for at least 638.5 USDT on uniswap v3 using the 0.01% pool on ethereum.",
    ],
    [
      "with words that no list has",
      rows("To: {A}", "Amount: 5 POL", "Network: Polygon", "Memo: oracle reporter gas"),
      "Send 5 POL to {A} on polygon.",
    ],
    [
      "in Spanish",
      rows("Acción: enviar", "Importe: 5 USDC", "Red: Base", "Destinatario: {A}"),
      "Send 5 USDC to {A} on base.",
    ],
  ])("%s", (_, text, asks) => {
    expect(asksFor(text)).toBe(asks);
  });
});

describe("a form is not read", () => {
  const form = ["Token: USDC", "Amount: 5", "To: {A}"];
  test.each([
    "Status: cancelled",
    "Status: draft",
    "Status: on hold",
    "Approved: no",
    "When: Friday",
    "Condition: she signs",
    "Note: scrubbed",
    "Memo: never mind",
    "Memo: scrubbed",
    "Amount: 6",
    "To: {B}",
    "Network: Base, Polygon",
    "Please wait.",
    "Spender: {A}",
    "Priority: none, ignore",
    "Memo: rent, shall we?",
    "Network: Base, that was last week",
  ])("with “%s”", (field) => {
    expect(asksFor(rows(...form, field))).toBeNull();
  });
  test.each([
    ["if it names no recipient", rows("Action: send", "Token: USDC", "Amount: 5")],
    ["if its heading is a draft", rows("DRAFT", ...form)],
    ["if its heading is an example", rows("Example payment", ...form)],
    ["if a swap has no minimum", rows("Action: swap", "In: 5 USDC", "Out: WETH", "Venue: Uniswap V3")],
    ["if an approval has two spenders", rows("Action: approve", "Amount: 5 USDC", "Spender: {A}", "To: {B}")],
    ["if the amount is of another asset", rows("Token: USDC", "Amount: 5 DAI", "To: {A}")],
    ["if the address is a source", rows("From: {A}", "Amount: 5 USDC", "Network: Base")],
  ])("%s", (_, text) => {
    expect(asksFor(text)).toBeNull();
  });
});
