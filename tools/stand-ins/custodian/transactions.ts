// The custodian's book of orders: what is taken, what is the same again, and what is told about each.
import { randomUUID } from "node:crypto";
import { formatEther, parseEther, type Hex } from "viem";
import { z } from "zod";
import type { FaultOf, Faults } from "./behaviours.ts";
import type { User } from "./users.ts";

const hex = z.string().regex(/^(?:0x)?(?:[0-9a-f]{2})*$/i);
const orderShape = z.object({
  operation: z.enum(["TRANSFER", "CONTRACT_CALL"]),
  assetId: z.string(),
  source: z.object({ type: z.literal("VAULT_ACCOUNT"), id: z.string() }),
  destination: z.object({
    type: z.literal("ONE_TIME_ADDRESS"),
    oneTimeAddress: z.object({ address: z.string().regex(/^0x[0-9a-f]{40}$/i) }),
  }),
  amount: z.string().regex(/^\d+(?:\.\d{1,18})?$/),
  externalTxId: z.string().min(1).max(255),
  note: z.string().optional(),
  extraParameters: z.object({ contractCallData: hex }).optional(),
});

export type Transaction = {
  readonly id: string;
  readonly externalTxId: string;
  readonly apiKey: string;
  readonly vault: string;
  readonly assetId: string;
  readonly operation: string;
  readonly note: string;
  readonly to: Hex;
  /** As it was ordered. */
  readonly value: bigint;
  readonly data: Hex;
  readonly fault: FaultOf<"order"> | undefined;
  /** Written down twice, and sent once. */
  readonly isIdle: boolean;
  status: string;
  subStatus: string;
  /** From here on it cannot be cancelled. */
  isSigned: boolean;
  /** The transaction that was sent, and the one that is reported. */
  txHash?: Hex;
  toldHash?: Hex;
};

export type Reply = { readonly status: number; readonly body: unknown };
type Taken = { readonly reply: Reply; readonly fault?: FaultOf<"order"> | undefined };

export type Transactions = {
  readonly all: readonly Transaction[];
  readonly create: (user: User, text: string, idempotencyKey: string | undefined) => Taken;
  readonly find: (
    user: User,
    by: Partial<Pick<Transaction, "id" | "externalTxId">>,
  ) => Transaction | undefined;
  readonly cancel: (transaction: Transaction) => Reply;
  readonly forgetIdempotencyKeys: () => void;
};

type Options = {
  readonly faults: Faults;
  /** The only coin there is. */
  readonly assetId: string;
  readonly begin: (transaction: Transaction) => void;
};

/** By one wei: what is not compared to the last digit does not see it. */
export const otherAmount = (value: bigint): bigint => value + 1n;

export function describe(transaction: Transaction): unknown {
  const { id, externalTxId, status, subStatus, assetId, operation, note, vault, to, data } = transaction;
  const isOther = transaction.fault === "other-amount-reported" || transaction.fault === "other-amount-sent";
  const amount = formatEther(isOther ? otherAmount(transaction.value) : transaction.value);
  return {
    ...{ id, externalTxId, status, subStatus, assetId, operation, note },
    txHash: transaction.toldHash ?? transaction.txHash ?? "",
    source: { type: "VAULT_ACCOUNT", id: vault, name: `Vault ${vault}` },
    destination: { type: "ONE_TIME_ADDRESS" },
    destinationAddress: to,
    amountInfo: { amount, requestedAmount: amount },
    ...(data === "0x" ? {} : { extraParameters: { contractCallData: data } }),
  };
}

const complain = (status: number, code: number, message: string): Reply => ({
  status,
  body: { code, message },
});
const accept = ({ id, status }: Transaction): Reply => ({ status: 200, body: { id, status } });

export function makeTransactions({ faults, assetId, begin }: Options): Transactions {
  const all: Transaction[] = [];
  const answered = new Map<string, { readonly text: string; readonly reply: Reply }>();
  const find: Transactions["find"] = (user, by) =>
    all.find(
      ({ apiKey, id, externalTxId }) =>
        apiKey === user.apiKey && (by.id === id || by.externalTxId === externalTxId),
    );
  const takeDown = (transaction: Transaction): Reply => {
    all.push(transaction);
    begin(transaction);
    return accept(transaction);
  };
  /** Returns the response to a duplicate order, or undefined for a new one. */
  const repeat = (
    key: string | undefined,
    text: string,
    twin: Transaction | undefined,
  ): Reply | undefined => {
    const before = key === undefined ? undefined : answered.get(key);
    if (before === undefined && twin === undefined) return undefined;
    const fault = twin && faults.take("repetition");
    if (twin && fault !== undefined) return takeDown(copy(twin, fault === "answer-twice"));
    if (before?.text === text) return before.reply;
    return before === undefined
      ? complain(400, 1438, "The external tx id that was provided in the request, already exists")
      : complain(400, 1, "The idempotency key was used for another request");
  };
  return {
    all,
    create: (user, text, idempotencyKey) => {
      const order = readOrder(text);
      if (order === undefined) return { reply: complain(400, 1000, "Invalid transaction") };
      if (!user.vaults.has(order.source.id)) return { reply: complain(404, 11001, "No such vault account") };
      if (order.assetId !== assetId) return { reply: complain(400, 1427, "Unsupported asset") };
      const key = idempotencyKey && `${user.apiKey} ${idempotencyKey}`;
      const twin = find(user, { externalTxId: order.externalTxId });
      const again = repeat(key, text, twin);
      if (again !== undefined) return { reply: again };
      const fault = faults.take("order");
      const reply = takeDown(toTransaction(order, user, fault));
      if (key !== undefined) answered.set(key, { text, reply });
      return { reply, fault };
    },
    find,
    cancel,
    forgetIdempotencyKeys: () => {
      answered.clear();
    },
  };
}

const over = new Set(["COMPLETED", "CANCELLED", "REJECTED", "FAILED"]);
export const isOver = ({ status }: Transaction): boolean => over.has(status);

function cancel(transaction: Transaction): Reply {
  if (transaction.isSigned || isOver(transaction))
    return complain(400, 1435, "The transaction can no longer be cancelled");
  transaction.status = "CANCELLED";
  transaction.subStatus = "CANCELLED_BY_USER";
  return { status: 200, body: { success: true } };
}

/** The same order as if it had never come before. */
const copy = (twin: Transaction, isIdle: boolean): Transaction => {
  const { txHash: _sent, toldHash: _told, ...order } = twin;
  return { ...order, id: randomUUID(), isIdle, status: "SUBMITTED", subStatus: "", isSigned: false };
};

function readOrder(text: string): z.infer<typeof orderShape> | undefined {
  try {
    const order = orderShape.parse(JSON.parse(text));
    const hasData = order.extraParameters !== undefined;
    return hasData === (order.operation === "CONTRACT_CALL") ? order : undefined;
  } catch {
    // The callers are our own programs: a 400 shows the mistake.
    return undefined;
  }
}

function toTransaction(
  order: z.infer<typeof orderShape>,
  user: User,
  fault: FaultOf<"order"> | undefined,
): Transaction {
  const data = (order.extraParameters?.contractCallData ?? "0x").toLowerCase().replace(/^0x/, "");
  return {
    id: randomUUID(),
    externalTxId: order.externalTxId,
    apiKey: user.apiKey,
    vault: order.source.id,
    assetId: order.assetId,
    operation: order.operation,
    note: order.note ?? "",
    to: order.destination.oneTimeAddress.address.toLowerCase() as Hex,
    value: parseEther(order.amount),
    data: `0x${data}`,
    fault,
    isIdle: false,
    status: "SUBMITTED",
    subStatus: "",
    isSigned: false,
  };
}
