// A transaction that owners of a Safe sign: the calls that it makes the Safe do.
import type { Hex } from "viem";
import type { BatchCall } from "../calls.ts";
import { addressAt, hexAt, integerAt, Unreadable, type Fields } from "./fields.ts";
import { isMultiSend, readMultiSend } from "./multi-send.ts";

/** Code of others that the Safe runs as its own is not a call, and a refund pays more than the calls. */
export function readSafeTx(message: Fields): readonly BatchCall[] {
  const [to, value, data] = [addressAt(message, "to"), integerAt(message, "value"), hexAt(message, "data")];
  if (integerAt(message, "gasPrice") !== 0n) throw new Unreadable("gasPrice");
  if (integerAt(message, "operation") === 0n) return [{ to, value: value.toString(), data }];
  return readBatch(to, data);
}

function readBatch(to: Hex, data: Hex): readonly BatchCall[] {
  const batch = isMultiSend(to) ? readMultiSend(data) : undefined;
  if (batch?.isWhole !== true || batch.calls.some(({ operation }) => operation !== 0))
    throw new Unreadable("operation");
  return batch.calls.map((one) => ({ to: one.to, value: one.value.toString(), data: one.data }));
}
