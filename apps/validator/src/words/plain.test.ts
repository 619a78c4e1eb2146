/** Payments read by their words of weight alone, and everything that leaves no such reading. */
import { describe, expect, test } from "vitest";
import { readWords } from "./read-words.ts";
import { A, B, C, lexicon } from "../../test/words.ts";

const rows = (text: string, labels: readonly string[] = []): string[] | null => {
  // The reading by the core is a whole Intent.
  const other = readWords(text, lexicon, labels).others?.find(({ language }) => language === undefined);
  if (other === undefined) return null;
  return other.steps.map(({ gives, to }) => {
    const [give, payee] = [gives[0], to[0]];
    const n = give?.quantity?.kind === "exact" ? give.quantity.n.digits : "?";
    const who = payee?.kind === "address" ? payee.address : payee?.kind === "contact" ? payee.label : "?";
    return `${n} ${give?.asset?.kind === "symbol" ? give.asset.symbol : "?"} ${who}`;
  });
};

describe("ordinary words between amounts and addresses ask for nothing", () => {
  test.each([
    `quick one: 55 USDC, to ${A}, for concert tickets, gracias`,
    `From our Safe ${B}, pay contributor ${A} 55 USDC.`,
    `Please sign the Safe transaction paying 55 USDC to ${A}; Safe is ${B}.`,
    `Subtask 3/5 (approved by planner): transfer 55 USDC to ${A}`,
    `Zahlung aus unserer Safe ${B}: 55 USDC an ${A}, Rechnung 2024-118.`,
  ])("%s", (text) => {
    expect(rows(text)).toEqual([`55 USDC ${A}`]);
  });
  test("each amount goes with the address in its turn", () => {
    expect(rows(`vendors: ${A} gets 11 DAI and ${B} gets 8 DAI`)).toEqual([`11 DAI ${A}`, `8 DAI ${B}`]);
    expect(rows(`payroll: 11 DAI to ${A}, 8 DAI to ${B}`)).toEqual([`11 DAI ${A}`, `8 DAI ${B}`]);
  });
  test("a payroll over rows needs no verb, a report of the same rows has none to lend", () => {
    const list = `from Safe ${B}:\n- ${A}: 11 DAI\n- ${C}: 8 DAI`;
    expect(rows(`Payroll ${list}`)).toEqual([`11 DAI ${A}`, `8 DAI ${C}`]);
    expect(rows(`November payroll ${list}`)).toEqual([`11 DAI ${A}`, `8 DAI ${C}`]);
    expect(rows(`Payroll history ${list}`)).toBeNull();
    expect(rows(`Scheduled payroll ${list}`)).toBeNull();
  });
  test("a label is a party only if the caller knows it", () => {
    expect(rows("pay 5 USDC to Ann", ["Ann"])).toEqual(["5 USDC Ann"]);
    expect(rows("pay 5 USDC to Ann")).toBeNull();
  });
});

describe("there is no such reading", () => {
  test.each([
    ["of a refusal", `don't pay 45 USDC to ${A}`],
    ["of a refusal in an unsupported language", `nie transfer 45 USDC na ${A}`],
    ["of a condition", `pay 45 USDC to ${A} once he confirms`],
    ["of something for later", `pay 45 USDC to ${A} tomorrow`],
    ["of a correction", `pay 45 USDC to ${A}, no wait, 50 USDC`],
    ["of a bound", `pay at most 45 USDC to ${A}`],
    ["of a permission", `let ${A} spend 45 USDC`],
    ["of a trade", `swap 45 USDC and send it to ${A}`],
    ["of money that comes", `receive 45 USDC from ${A}`],
    ["of money that a party is asked for", `charge ${A} 45 USDC`],
    ["of what another party does", `${A} will send 45 USDC`],
    ["of one amount and two addresses", `45 USDC ${A} ${B}`],
    ["of a number that counts nothing", `pay 45 USDC to ${A} 12`],
    ["of an amount with two readings", `Send 1.500 USDC to ${A}`],
  ])("%s", (_, text) => {
    expect(rows(text)).toBeNull();
  });
});
