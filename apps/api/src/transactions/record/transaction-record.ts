import { z } from "zod";
import { shown } from "../../accounts/index.ts";
import { statusOf, statusOfPhase, type Phase, type Status } from "../lifecycle.ts";
import type { Transaction } from "../transaction.ts";
import { Visibility, visibilityOf } from "./visibility.ts";

const statuses = ["PENDING", "APPROVED", "REJECTED", "EXECUTED", "FAILED"] as const satisfies Status[];
const phases = Object.keys(statusOfPhase) as [Phase, ...Phase[]];

/** A transaction as it is answered to whoever proposed it: the documented members first, then ours. */
export const TransactionRecord = z
  .object({
    id: z.uuid(),
    requestHash: z.string(),
    description: z.string(),
    status: z.enum(statuses),
    execution: z.literal([0, 1, 2]),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    escrowAddress: z.string(),
    chainId: z.number(),
    phase: z.enum(phases),
    intentProvenance: z.enum(["user-signed", "agent-claimed"]),
    expiresAt: z.iso.datetime().nullable(),
    ...Visibility.shape,
  })
  .meta({ id: "Transaction" });
export type TransactionRecord = z.infer<typeof TransactionRecord>;

export const recordOf = (transaction: Transaction): TransactionRecord => ({
  id: transaction.id,
  requestHash: transaction.requestHash,
  description: transaction.description,
  status: statusOf(transaction),
  execution: transaction.executionType,
  createdAt: transaction.createdAt.toISOString(),
  updatedAt: transaction.updatedAt.toISOString(),
  escrowAddress: shown(transaction.escrow),
  chainId: transaction.chainId,
  phase: transaction.phase,
  intentProvenance: transaction.intentProvenance,
  expiresAt: transaction.expiresAt?.toISOString() ?? null,
  ...visibilityOf(transaction),
});
