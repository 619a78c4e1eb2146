import { numberToHex } from "viem/utils";
import type { Hex } from "../types.ts";
import type { ExactSend } from "./bare-wallet.ts";

/** Writes an approved call as the parameter of `eth_sendTransaction`. The wallet fills in fees that are not set. */
export function writeSend({ call, fees, chainId }: ExactSend, from: Hex): Readonly<Record<string, string>> {
  const { type, ...numbers } = fees;
  const written = Object.entries(numbers).map(([name, amount]) => [name, numberToHex(amount)] as const);
  return {
    ...Object.fromEntries(written),
    ...(type === undefined ? {} : { type: type === "legacy" ? "0x0" : "0x2" }),
    ...{ from, to: call.to, data: call.data },
    ...{ value: numberToHex(call.value), chainId: numberToHex(chainId) },
  };
}
