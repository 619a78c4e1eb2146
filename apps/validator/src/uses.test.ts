import { parseAbiParameters } from "viem/utils";
import { describe, expect, test } from "vitest";
import { defineProtocol, describeFunction, fn } from "./protocol.ts";
import { accountFor, feeds, inert, openedAsCalls, useAt, type UseTree } from "./uses.ts";

const nested = parseAbiParameters("(address to, (uint256 amount, bytes data)[] parts) order, bool exact");
const uses: UseTree = {
  order: { to: feeds.receiver, parts: { amount: feeds.amount, data: openedAsCalls } },
  exact: inert.hint,
};

describe("an account of arguments", () => {
  test("lists every leaf with its use, lists by []", () => {
    expect(accountFor(nested, uses).map(({ path, use }) => [path, use.kind])).toEqual([
      ["order.to", "feeds"],
      ["order.parts[].amount", "feeds"],
      ["order.parts[].data", "opened"],
      ["exact", "inert"],
    ]);
  });
  test("takes one use for a whole tuple", () => {
    const whole = accountFor(nested, { order: inert.signature, exact: inert.hint });
    expect(whole.map(({ path }) => path)).toEqual([
      "order.to",
      "order.parts[].amount",
      "order.parts[].data",
      "exact",
    ]);
  });
  test.each<[string, UseTree, string]>([
    ["an argument", { order: inert.signature }, 'does not account for "exact"'],
    ["a member", { order: { to: feeds.receiver }, exact: inert.hint }, 'does not account for "parts"'],
    [
      "a member of a member",
      { order: { to: feeds.receiver, parts: { amount: feeds.amount } }, exact: inert.hint },
      'does not account for "data"',
    ],
  ])("is refused where %s is left out", (_, incomplete, message) => {
    expect(() => accountFor(nested, incomplete)).toThrow(message);
  });
  test("is refused where it names an argument that is not there, or members of what has none", () => {
    expect(() => accountFor(nested, { ...uses, extra: inert.hint })).toThrow('"extra", which is no argument');
    expect(() => accountFor(nested, { ...uses, exact: { deep: inert.hint } })).toThrow("which has none");
  });
  test("is refused for an argument without a name", () => {
    expect(() => accountFor(parseAbiParameters("address"), {})).toThrow("without a name");
  });
  test("finds the use of a value by its path, whatever its place in a list", () => {
    expect(useAt(uses, ["order", "parts", "7", "amount"])).toBe(feeds.amount);
    expect(useAt(uses, ["order", "parts", "7"])).toBeNull();
    expect(useAt(uses, ["order", "else"])).toBeNull();
  });
});

describe("a protocol", () => {
  const about = { title: "Example", names: [], contracts: {} };
  test("is refused when it leaves an argument unaccounted for", () => {
    const described = describeFunction(
      "function pay(address to, uint256 amount)",
      "anywhere",
      { to: feeds.receiver },
      () => [],
    );
    expect(() => defineProtocol({ ...about, functions: [described] })).toThrow(
      '"function pay(address to, uint256 amount)" does not account for "amount"',
    );
  });
  test("that leaves one out does not compile either", () => {
    const incomplete = { to: feeds.receiver };
    const describePayment = () =>
      // @ts-expect-error `amount` has no use
      fn("function pay(address to, uint256 amount)", "anywhere", incomplete, () => ({ act: "harmless" }));
    expect(() => defineProtocol({ ...about, functions: [describePayment()] })).toThrow("amount");
  });
});
