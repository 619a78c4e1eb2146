// A Safe's transaction as typed data, and back. Everything that is not exactly a transaction of this Safe is refused.
import {
  hashPayload,
  hashTypedData,
  parseSafeTransaction,
  type SafeTransaction,
  type TypedData,
} from "@countersign/wire";
import { NotApprovedError } from "../guard/not-approved.ts";
import type { Hex } from "../types.ts";
import type { SafeTx } from "./safe-options.ts";

/** A Safe on one chain. */
export type SafeAt = { readonly safe: Hex; readonly chainId: number };

/** Returns the form that is proposed. */
export const writeSafeTx = (tx: SafeTx, { safe, chainId }: SafeAt): SafeTransaction =>
  parseSafeTransaction({ ...tx, chainId, safe });

/** Returns the hash that owners of a Safe since version 1.3.0 confirm. */
export const hashSafeTx = (tx: SafeTx, at: SafeAt): Hex =>
  hashPayload({ shape: "safeTransaction", safeTransaction: writeSafeTx(tx, at) });

/** Throws a NotApprovedError for other data than a transaction of this Safe on this chain. */
export function readSafeTx(typedData: TypedData, at: SafeAt): SafeTx {
  const { primaryType, message } = typedData;
  if (primaryType !== "SafeTx")
    return refuse(`only transactions of the Safe are confirmed (SafeTx), not ${primaryType}`);
  const tx = readMessage(message);
  // The hash covers the domain and the types too: another Safe or chain, or other members, make another one.
  if (tx === undefined || hashSafeTx(tx, at) !== hashTypedData(typedData))
    return refuse(
      `it is not a transaction of Safe ${at.safe} on chain ${at.chainId}. Safes before version 1.3.0 cannot be guarded`,
    );
  return tx;
}

const names = [
  ...["to", "value", "data", "operation", "safeTxGas", "baseGas"],
  ...["gasPrice", "gasToken", "refundReceiver", "nonce"],
] as const satisfies readonly (keyof SafeTx)[];

/** The message is in canonical form: numbers are decimal strings. */
function readMessage(message: TypedData["message"]): SafeTx | undefined {
  const texts = Object.fromEntries(names.map((name) => [name, message[name]]));
  if (Object.values(texts).some((text) => typeof text !== "string")) return undefined;
  const { to, value, data, operation, safeTxGas, baseGas, gasPrice, gasToken, refundReceiver, nonce } =
    texts as Readonly<Record<keyof SafeTx, string>>;
  if (operation !== "0" && operation !== "1") return undefined;
  return {
    ...{ to: to as Hex, value: BigInt(value), data: data as Hex, operation: operation === "0" ? 0 : 1 },
    ...{ safeTxGas: BigInt(safeTxGas), baseGas: BigInt(baseGas), gasPrice: BigInt(gasPrice) },
    ...{ gasToken: gasToken as Hex, refundReceiver: refundReceiver as Hex, nonce: BigInt(nonce) },
  };
}

function refuse(why: string): never {
  throw new NotApprovedError(`Not signed: ${why}`);
}
