// Damages finished calldata: the results are bytes that an honest encoder never produces.
import { concat, dataLength, dataSlice, toBeHex } from "ethers";
import type { Call, Params } from "../types.ts";

/** Sets bits above the address in the first argument word. */
function dirtyAddress(data: string): string {
  return concat([dataSlice(data, 0, 4), "0xdeadbeef", dataSlice(data, 8)]);
}

/** Moves the first dynamic argument by one word and leaves a gap. */
function shiftOffset(data: string): string {
  const words = dataSlice(data, 4);
  const head = Number(BigInt(dataSlice(words, 0, 32)));
  if (head % 32 !== 0 || head === 0 || head >= dataLength(words)) return data;
  const before = dataSlice(words, 32, head);
  return concat([
    dataSlice(data, 0, 4),
    toBeHex(head + 32, 32),
    before,
    toBeHex(0, 32),
    dataSlice(words, head),
  ]);
}

/** Fills the zero padding after the last dynamic bytes. */
function dirtyPadding(data: string): string {
  const size = dataLength(data);
  if (BigInt(dataSlice(data, size - 3)) !== 0n) return data;
  return concat([dataSlice(data, 0, size - 2), "0xbeef"]);
}

export function tamperCall(call: Call, p: Params): Call {
  let { data, value } = call;
  if (p.attach) value += p.attach;
  if (p.trailer) data = concat([data, p.trailer]);
  if (p.tamper === "dirty_address") data = dirtyAddress(data);
  if (p.tamper === "truncate") data = dataSlice(data, 0, dataLength(data) - 16);
  if (p.tamper === "offset") data = shiftOffset(data);
  if (p.tamper === "padding") data = dirtyPadding(data);
  return { to: call.to, data, value };
}
