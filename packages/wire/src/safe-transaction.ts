// A transaction of a Safe that one of its owners would confirm, in one canonical form. The hash is the Safe's own, since
// version 1.3.0 of its contracts.
import type { Hex } from "viem";
import type { TypedData } from "./typed-data.ts";
import { readChainId, readHex } from "./typed-data/domain.ts";
import { fail, isObject, type Json } from "./typed-data/problem.ts";
import { parseStruct } from "./typed-data/values.ts";

/** All that the `safeTxHash` covers. Amounts, gas and the nonce are decimal strings. */
export type SafeTransaction = {
  readonly chainId: number;
  readonly safe: Hex;
  /** The address that the Safe calls. */
  readonly to: Hex;
  /** Wei, from the Safe. */
  readonly value: string;
  readonly data: Hex;
  /** 0 is a call. 1 is a delegatecall: code of another contract runs as the Safe. */
  readonly operation: 0 | 1;
  readonly safeTxGas: string;
  readonly baseGas: string;
  /** If not zero, the Safe refunds gas to `refundReceiver`. */
  readonly gasPrice: string;
  readonly gasToken: Hex;
  readonly refundReceiver: Hex;
  readonly nonce: string;
};

const field = (name: string, type: string) => ({ name, type });

const types = {
  SafeTx: [
    ...[field("to", "address"), field("value", "uint256"), field("data", "bytes")],
    ...[field("operation", "uint8"), field("safeTxGas", "uint256"), field("baseGas", "uint256")],
    ...[field("gasPrice", "uint256"), field("gasToken", "address"), field("refundReceiver", "address")],
    field("nonce", "uint256"),
  ],
} as const;

const zeroAddress: Hex = `0x${"0".repeat(40)}`;

/** Safe's own tools leave them out, or write null. There is none for the nonce: another one is another transaction. */
const defaults = {
  ...{ value: "0", data: "0x", operation: 0, safeTxGas: "0", baseGas: "0", gasPrice: "0" },
  ...{ gasToken: zeroAddress, refundReceiver: zeroAddress },
} as const;

/**
 * Returns the canonical form of a Safe's transaction. Throws a TypedDataProblem that names the member: one that the hash would
 * not cover, such as signatures, or an operation other than 0 and 1.
 */
export function parseSafeTransaction(json: unknown): SafeTransaction {
  if (!isObject(json)) return fail("safeTransaction", "must be an object");
  const { chainId, safe, ...given } = json;
  const withDefaults = { ...given };
  for (const [name, value] of Object.entries(defaults)) withDefaults[name] ??= value;
  const message = parseStruct(withDefaults, "SafeTx", types, "") as Message;
  return {
    chainId: readChainId(chainId, "chainId"),
    safe: readHex(safe, "safe", 20),
    ...message,
    operation: readOperation(message.operation),
  };
}

type Message = Omit<SafeTransaction, "chainId" | "safe" | "operation"> & { readonly operation: string };

function readOperation(operation: string): 0 | 1 {
  if (operation === "0") return 0;
  return operation === "1" ? 1 : fail("operation", "must be 0, a call, or 1, a delegatecall");
}

/** Returns what the owners of the Safe sign. Its digest is the `safeTxHash`. */
export function safeTypedData({ chainId, safe, operation, ...members }: SafeTransaction): TypedData {
  const message = { ...members, operation: String(operation) } satisfies Json;
  return { domain: { chainId, verifyingContract: safe }, types, primaryType: "SafeTx", message };
}
