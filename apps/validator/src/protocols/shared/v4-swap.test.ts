import { AbiCoder } from "ethers";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Address, Hex } from "../../proposal.ts";
import type { CallView } from "../../protocol.ts";
import { smallRegistry } from "../../../test/protocols.ts";
import { readV4Swap } from "./v4-swap.ts";

const coder = AbiCoder.defaultAbiCoder();
const USDC: Address = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
const DAI: Address = "0x6b175474e89094c44da98b954eedeac495271d0f";
const NONE: Address = `0x${"0".repeat(40)}`;
const BOB: Address = `0x${"2".repeat(40)}`;

const call: CallView = {
  to: "0x66a9893cc07d91d95644aedd05d03f95e1dba8af",
  value: 0n,
  sender: "self",
  chain: 1,
  role: "router",
  registry: smallRegistry(),
  isSelf: () => false,
  open: (opening, data) => opening.read(data).values,
};

const sell = (amount: bigint, least: bigint): string =>
  coder.encode(
    ["((address,address,uint24,int24,address),bool,uint128,uint128,bytes)"],
    [[[DAI, USDC, 100, 1, NONE], true, amount, least, "0x"]],
  );
const settleAll = (most: bigint): string => coder.encode(["address", "uint256"], [DAI, most]);
const take = (to: Address, amount: bigint): string =>
  coder.encode(["address", "address", "uint256"], [USDC, to, amount]);
const takeAll = (least: bigint): string => coder.encode(["address", "uint256"], [USDC, least]);

const plan = (actions: string, params: readonly string[]): Hex =>
  coder.encode(["bytes", "bytes[]"], [actions, params]) as Hex;

const amount = fc.bigInt({ min: 1n, max: 2n ** 120n });

describe("readV4Swap", () => {
  test("adds up routes of one swap and keeps the larger of the two minimums", () => {
    fc.assert(
      fc.property(fc.tuple(amount, amount, amount, amount, amount), ([a, b, leastA, leastB, least]) => {
        const [draft] = readV4Swap(
          plan("0x06060c0f", [sell(a, leastA), sell(b, leastB), settleAll(a + b), takeAll(least)]),
          call,
          "",
        );
        const promised = leastA + leastB;
        expect(draft?.gives?.map((flow) => flow.amount)).toEqual([{ least: a + b, most: a + b }]);
        expect(draft?.gets?.[0]?.amount.least).toBe(promised > least ? promised : least);
        expect(draft?.receiver).toBe("self");
      }),
    );
  });

  test("a fixed sum that another party takes first lowers the guaranteed amount, and is a fee", () => {
    const [draft] = readV4Swap(
      plan("0x060c0e0f", [sell(10n, 100n), settleAll(10n), take(BOB, 30n), takeAll(0n)]),
      call,
      "",
    );
    expect(draft?.gets?.[0]?.amount.least).toBe(70n);
    expect(draft?.fees).toMatchObject([{ to: BOB, share: { least: 30n, most: 30n } }]);
  });

  test("rejects a plan whose debts no party settles", () => {
    expect(() => readV4Swap(plan("0x060f", [sell(10n, 100n), takeAll(0n)]), call, "")).toThrow(
      "the debts are not settled by one party",
    );
  });

  test("rejects different numbers of parameters and actions", () => {
    expect(() => readV4Swap(plan("0x060c0f", [sell(10n, 100n), settleAll(10n)]), call, "")).toThrow(
      "the numbers of parameters and actions differ",
    );
  });
});
