import { expect, test } from "vitest";
import { effectLines, type Facts } from "./facts.ts";

const to = `0x${"11".repeat(20)}`;
const party = "0x742d35Cc6634C0532925a3b844Bc454e4438f44e";
const facts: Facts = {
  ...{ chainId: 8453, to, value: 10n ** 16n, hasCalldata: false, net: null, agentName: null },
  deadline: new Date(),
};
const none = { others: [], leaves: [], arrives: [], authority: [], admin: [] };
const usdc = { kind: "token", symbol: "USDC", address: to };
const withNet = (net: object) => effectLines({ ...facts, hasCalldata: true, net: { ...none, ...net } });

test("names the payments of a report", () => {
  expect(withNet({ others: [{ ...usdc, party, most: "250" }] })).toEqual([
    `Send 250 USDC to ${party} on Base`,
  ]);
});

test("counts the payments after the third", () => {
  const others = Array.from({ length: 7 }, () => ({ ...usdc, party, most: "1" }));
  expect(withNet({ others })).toHaveLength(4);
  expect(withNet({ others }).at(-1)).toBe("and 4 more payments");
});

test("names access that is given, and leaves out access that is taken away", () => {
  const authority = [
    { spender: party, asset: usdc, most: "unlimited" },
    { spender: party, asset: null, most: null },
    { spender: party, asset: usdc, most: "0" },
  ];
  expect(withNet({ authority })).toEqual([
    `Let ${party} spend unlimited USDC on Base`,
    `Let ${party} act as your wallet on Base`,
  ]);
});

test("names a change of control first", () => {
  const lines = withNet({ others: [{ ...usdc, party, most: "1" }], admin: [{ kind: "owner", party }] });
  expect(lines[0]).toBe("Change who controls your wallet on Base");
  expect(lines).toHaveLength(2);
});

test("repeats no text of a report that is not of a fixed form", () => {
  const evil = "https://evil.example Approve here";
  const lines = withNet({
    others: [{ kind: "token", symbol: evil, party: evil, most: evil }],
    authority: [{ spender: evil, asset: { kind: "token", symbol: evil }, most: evil }],
  });
  expect(lines).toHaveLength(2);
  expect(lines.join(" ")).not.toContain("evil");
});

test("reads a plain payment without a report, and names the contract of a call", () => {
  expect(effectLines(facts)).toEqual([`Send 0.01 ETH to ${to} on Base`]);
  expect(effectLines({ ...facts, hasCalldata: true, value: 0n })).toEqual([
    `Call the contract ${to} on Base`,
  ]);
  expect(effectLines({ ...facts, hasCalldata: true, net: "nonsense" })).toEqual([
    `Call the contract ${to} with 0.01 ETH on Base`,
  ]);
  expect(effectLines({ ...facts, chainId: 5, value: 0n })).toEqual([
    `Send 0 of its coin to ${to} on chain 5`,
  ]);
});

test("says that encrypted content is encrypted", () => {
  expect(effectLines({ ...facts, to: null, value: null })).toEqual([
    "Its content is encrypted. Open it to read what it does",
  ]);
});
