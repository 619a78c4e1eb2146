import { concatHex, encodeFunctionData, encodePacked, parseAbi, size } from "viem/utils";
import { describe, expect, test } from "vitest";
import type { Hex } from "@countersign/wire";
import { listSafeCalls } from "./inner-calls.ts";

const abi = parseAbi([
  "function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures)",
  "function multiSend(bytes transactions)",
]);
const none: Hex = `0x${"0".repeat(40)}`;
const [one, other]: readonly Hex[] = [`0x${"1a".repeat(20)}`, `0x${"2b".repeat(20)}`];

const execute = (to: Hex, data: Hex, operation = 0): Hex =>
  encodeFunctionData({
    ...{ abi, functionName: "execTransaction" },
    args: [to, 0n, data, operation, 0n, 0n, 0n, none, none, "0x"],
  });
const pack = (to: Hex, data: Hex): Hex =>
  encodePacked(["uint8", "address", "uint256", "uint256", "bytes"], [0, to, 0n, BigInt(size(data)), data]);
const batch = (...packed: readonly Hex[]): Hex =>
  encodeFunctionData({ abi, functionName: "multiSend", args: [concatHex(packed)] });

describe("the calls of a Safe", () => {
  test("are the one that it executes", () => {
    expect(listSafeCalls(execute(one ?? none, "0xABCD"))).toEqual([{ to: one, data: "0xabcd" }]);
  });

  test("are those of a batch that it delegates to", () => {
    const data = batch(pack(one ?? none, "0xabcd"), pack(other ?? none, "0x"));
    expect(listSafeCalls(execute(none, data, 1))).toEqual([
      { to: one, data: "0xabcd" },
      { to: other, data: "0x" },
    ]);
  });

  test("are not unpacked if the batch is called and not delegated to", () => {
    const data = batch(pack(one ?? none, "0xabcd"));
    expect(listSafeCalls(execute(none, data))).toEqual([{ to: none, data }]);
  });

  test("are at most 32, and none from a record that is cut off", () => {
    const packed = pack(one ?? none, "0xabcd");
    expect(listSafeCalls(execute(none, batch(...Array.from({ length: 40 }, () => packed)), 1))).toHaveLength(
      32,
    );
    const long: Hex = `0x00${"1a".repeat(20)}${"00".repeat(32)}${"ff".repeat(32)}`;
    expect(listSafeCalls(execute(none, batch(packed, long), 1))).toHaveLength(1);
    expect(listSafeCalls(execute(none, batch("0x00"), 1))).toEqual([]);
  });

  test.each<[string, Hex]>([
    ["no calldata", "0x"],
    ["another function", "0xa9059cbb"],
    ["arguments that are cut off", execute(none, "0x").slice(0, 200) as Hex],
  ])("are not found in %s", (_, data) => {
    expect(listSafeCalls(data)).toBeNull();
  });
});
