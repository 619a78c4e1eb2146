// Reads a signed transaction strictly: exactly one call of one account on one chain, and nothing that a proposal cannot represent.
import {
  isHex,
  keccak256,
  parseTransaction,
  recoverTransactionAddress,
  serializeTransaction,
  type TransactionSerializable,
  type TransactionSerialized,
} from "viem";
import { NotApprovedError } from "../guard/not-approved.ts";
import { readSend, type Send } from "../guard/read-send.ts";
import { writeRequest } from "../guard/write-request.ts";
import type { Hex } from "../types.ts";

export type SignedTransaction = {
  readonly raw: Hex;
  readonly hash: Hex;
  /** The account that signed it. */
  readonly from: Hex;
  readonly chainId: number;
  readonly nonce: number;
  readonly send: Send;
};

const refuse = (why: string): never => {
  throw new NotApprovedError(`Not sent: ${why}`);
};

/** Reads the parameters of `eth_sendRawTransaction`. Throws a NotApprovedError for anything that cannot be approved. */
export async function readRaw(params: unknown): Promise<SignedTransaction> {
  const [given, ...more] = Array.isArray(params) ? (params as unknown[]) : [];
  if (!isHex(given) || more.length > 0) return refuse("it is not a single signed transaction");
  const raw = given.toLowerCase() as Hex;
  const { r, s, v: _v, yParity, chainId, nonce = 0, accessList, ...others } = parse(raw);
  if (r === undefined || s === undefined || yParity === undefined) return refuse("it is not signed");
  if (chainId === undefined) return refuse("its signature is valid on every chain");
  // An empty list is what most libraries write.
  if (accessList !== undefined && accessList.length > 0)
    return refuse("its member accessList cannot be approved");
  const signature = { r, s, yParity, v: BigInt(27 + yParity) };
  const again = serializeTransaction({ ...others, chainId, nonce } as TransactionSerializable, signature);
  // Another encoding of the same transaction has another hash, and a node could read it differently.
  if (again !== raw) return refuse("it is not in its canonical encoding");
  const serializedTransaction = raw as TransactionSerialized;
  const from = await recoverTransactionAddress({ serializedTransaction });
  const send = readSend([writeRequest({ ...others, from, chainId, nonce })], from);
  return { ...{ raw, from, chainId, nonce, send }, hash: keccak256(raw) };
}

type Parsed = Omit<TransactionSerializable, "accessList" | "v"> & {
  readonly r?: Hex;
  readonly s?: Hex;
  readonly v?: bigint;
  readonly yParity?: number;
  readonly accessList?: readonly unknown[];
};

function parse(raw: Hex): Parsed {
  try {
    return parseTransaction(raw as TransactionSerialized) as Parsed;
  } catch {
    return refuse("it is not a transaction that can be read");
  }
}
