// Converts an order to the custodian's format and their record of it to ours.
import type { Hex } from "@countersign/wire";
import { formatEther } from "viem";
import { z } from "zod";
import type { Order, Report } from "../sender.ts";
import { makePrintable } from "./printable.ts";

/** The members of their answers that we read. All are optional except the id and the status. */
export const transactionShape = z.object({
  id: z.string().min(1).max(200),
  status: z.string().min(1),
  subStatus: z.string().nullish(),
  externalTxId: z.string().nullish(),
  operation: z.string().nullish(),
  txHash: z.string().nullish(),
  destinationAddress: z.string().nullish(),
  source: z.object({ type: z.string().nullish(), id: z.string().nullish() }).nullish(),
  // Amounts are parsed by hand: an amount that is not text is a difference, not an unreadable answer.
  amountInfo: z.object({ amount: z.unknown(), requestedAmount: z.unknown() }).partial().nullish(),
  extraParameters: z.object({ contractCallData: z.unknown() }).partial().nullish(),
});
type Transaction = z.infer<typeof transactionShape>;

export const describeOrder = (order: Order, vaultAccountId: string, assetId: string): string =>
  JSON.stringify({
    operation: order.data === "0x" ? "TRANSFER" : "CONTRACT_CALL",
    assetId,
    source: { type: "VAULT_ACCOUNT", id: vaultAccountId },
    destination: { type: "ONE_TIME_ADDRESS", oneTimeAddress: { address: order.to } },
    amount: formatEther(order.value),
    externalTxId: order.requestHash,
    note: `Countersign ${order.requestHash}`,
    ...(order.data === "0x" ? {} : { extraParameters: { contractCallData: order.data } }),
  });

/** Their limit is forty characters. */
export const idempotencyKeyOf = (requestHash: Hex): string => requestHash.slice(2, 42);

const failed = new Set(["CANCELLED", "REJECTED", "BLOCKED", "FAILED", "TIMEOUT"]);

/** An unknown status is not treated as a failure: the money may still move. */
const stateOf = (status: string): Report["state"] =>
  status === "COMPLETED" ? "done" : failed.has(status) ? "failed" : "under way";

export function reportOn(transaction: Transaction, vaultAccountId: string): Report {
  const { id, status, subStatus, txHash } = transaction;
  return {
    theirId: id,
    state: stateOf(status),
    detail: makePrintable(subStatus ? `${status}: ${subStatus}` : status),
    hash: /^0x[0-9a-f]{64}$/i.test(txHash ?? "") ? (txHash?.toLowerCase() as Hex) : null,
    call: readCall(transaction, vaultAccountId),
  };
}

/** Values that no order has, so that a comparison with any order fails. */
const noAmount = -1n;
const noBytes = "0xunreadable";

function readCall(transaction: Transaction, vaultAccountId: string): Report["call"] {
  const { destinationAddress, source, amountInfo, operation, extraParameters } = transaction;
  const to = destinationAddress ? readBytes(destinationAddress) : undefined;
  const value = isElsewhere(source, vaultAccountId) ? noAmount : readAmounts(amountInfo);
  const data = readData(extraParameters?.contractCallData, operation);
  return {
    ...(to === undefined ? {} : { to }),
    ...(value === undefined ? {} : { value }),
    ...(data === undefined ? {} : { data }),
  };
}

/** A transaction from another vault is not this wallet's order, whatever else it contains. */
const isElsewhere = (source: Transaction["source"], vaultAccountId: string): boolean =>
  (source?.type ?? "VAULT_ACCOUNT") !== "VAULT_ACCOUNT" || (source?.id ?? vaultAccountId) !== vaultAccountId;

function readAmounts(amountInfo: Transaction["amountInfo"]): bigint | undefined {
  const told = [amountInfo?.amount, amountInfo?.requestedAmount]
    .filter((amount) => amount !== undefined && amount !== null)
    .map(readAmount);
  const [first] = told;
  return told.every((amount) => amount === first) ? first : noAmount;
}

/** Exact, in the smallest unit. Parsed by hand, because the usual parser rounds beyond eighteen decimals. */
export function readAmount(amount: unknown): bigint {
  const parts = typeof amount === "string" ? /^(\d{1,60})(?:\.(\d{1,60}))?$/.exec(amount) : null;
  if (parts === null) return noAmount;
  const fraction = (parts[2] ?? "").replace(/0+$/, "");
  return fraction.length > 18 ? noAmount : BigInt(`${parts[1] ?? ""}${fraction.padEnd(18, "0")}`);
}

function readData(data: unknown, operation: string | null | undefined): Hex | undefined {
  if (data !== undefined && data !== null && data !== "") return readBytes(data);
  return operation === "TRANSFER" ? "0x" : undefined;
}

/** With or without 0x, because they write both. */
const readBytes = (text: unknown): Hex =>
  typeof text === "string" && /^(?:0x)?(?:[0-9a-f]{2})*$/i.test(text)
    ? `0x${text.toLowerCase().replace(/^0x/, "")}`
    : noBytes;
