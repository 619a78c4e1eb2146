import type { Calls } from "@countersign/wire";
import { numberToHex } from "viem/utils";
import { CountersignError } from "../errors.ts";

/** Writes an approved batch as the parameter of `wallet_sendCalls`. */
export const writeCalls = ({ version, chainId, from, atomicRequired, calls }: Calls): object => ({
  ...{ version, chainId: numberToHex(chainId), from, atomicRequired },
  calls: calls.map(({ to, value, data }) => ({ to, value: numberToHex(BigInt(value)), data })),
});

/** Reads the batch's id from the wallet's answer. Wallets of version 1 of EIP-5792 return it alone. */
export function readCallsId(answer: unknown): string {
  const id: unknown = typeof answer === "object" && answer !== null && "id" in answer ? answer.id : answer;
  if (typeof id === "string" && id !== "") return id;
  throw new CountersignError("its answer has no id");
}
