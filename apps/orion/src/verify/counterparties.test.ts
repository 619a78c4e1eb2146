import { encodeFunctionData, parseAbi } from "viem/utils";
import { expect, test } from "vitest";
import { anAddress } from "../../test/proposals.ts";
import { counterpartiesOf } from "./counterparties.ts";

const abi = parseAbi([
  "function transfer(address,uint256)",
  "function transferFrom(address,address,uint256)",
]);

test("a payment's recipient is the called address, a token transfer's the one in the call", () => {
  const [token, one, two, three] = [anAddress(), anAddress(), anAddress(), anAddress()];
  expect(
    counterpartiesOf([
      { to: one.toUpperCase().replace("0X", "0x"), data: "0x" },
      { to: token, data: encodeFunctionData({ abi, functionName: "transfer", args: [two, 1n] }) },
      { to: token, data: encodeFunctionData({ abi, functionName: "transferFrom", args: [one, three, 1n] }) },
      { to: one, data: "0x" },
    ]),
  ).toEqual([one, two, three]);
});
test("a truncated call has no recipient", () => {
  expect(counterpartiesOf([{ to: anAddress(), data: "0xa9059cbb00" }])).toEqual([]);
});
test("keeps the most recent fifty", () => {
  const executed = Array.from({ length: 60 }, () => ({ to: anAddress(), data: "0x" }));
  expect(counterpartiesOf(executed)).toEqual(executed.slice(0, 50).map(({ to }) => to));
});
