import { shapes } from "@countersign/wire";
import { z } from "zod";
import { shown } from "../../accounts/index.ts";
import { statusOf, statusOfPhase, type Phase, type Status } from "../lifecycle.ts";
import type { Transaction } from "../transaction.ts";
import { Visibility, visibilityOf } from "./visibility.ts";

const statuses = ["PENDING", "APPROVED", "REJECTED", "EXECUTED", "FAILED"] as const satisfies Status[];
export const phases = Object.keys(statusOfPhase) as [Phase, ...Phase[]];

/** The documented members, with which every view of a transaction begins. */
export const documentedMembers = {
  id: z.string(),
  requestHash: z.string(),
  description: z.string(),
  status: z.enum(statuses),
  execution: z.number().meta({ description: "0 DIRECT_USER, 1 USER_EXECUTED, 2 AGENT_EXECUTED" }),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  escrowAddress: z.string(),
  chainId: z.number(),
};

export const documentedOf = (
  transaction: Transaction,
): Pick<TransactionRecord, keyof typeof documentedMembers> => ({
  id: transaction.id,
  requestHash: transaction.requestHash,
  description: transaction.description,
  status: statusOf(transaction),
  execution: transaction.executionType,
  createdAt: transaction.createdAt.toISOString(),
  updatedAt: transaction.updatedAt.toISOString(),
  escrowAddress: shown(transaction.escrow),
  chainId: transaction.chainId,
});

export const Signed = z.object({
  shape: z
    .enum(["tx", ...shapes])
    .nullable()
    .meta({
      description:
        "What would be signed or sent: tx, a transaction; typedData, EIP-712 data; calls, a batch of calls; safeTransaction, a Safe's transaction; message, a text; authorizationList, an EIP-7702 authorization; userOperation, an ERC-4337 user operation. Null while only the verification service knows.",
    }),
  signingHash: z.string().nullable().meta({
    description:
      "The exact hash that would be signed, such as the EIP-712 digest or the safeTxHash. For a batch, the hash of its calls. Null for a transaction.",
  }),
});

export const signedOf = ({
  shape,
  signingHash,
  form,
  expected,
}: Pick<Transaction, "shape" | "signingHash" | "form" | "expected">): z.infer<typeof Signed> => ({
  shape: shape ?? (form === "sealed" && expected === null ? null : "tx"),
  signingHash,
});

/** A transaction as the proposer sees it: the documented members first, then ours. */
export const TransactionRecord = z.object({
  ...documentedMembers,
  id: z.uuid(),
  execution: z.literal([0, 1, 2]),
  phase: z.enum(phases),
  intentProvenance: z.enum(["user-signed", "agent-claimed"]),
  expiresAt: z.iso.datetime().nullable(),
  ...Visibility.shape,
  ...Signed.shape,
});
export type TransactionRecord = z.infer<typeof TransactionRecord>;

export const recordOf = (transaction: Transaction): TransactionRecord => ({
  ...documentedOf(transaction),
  phase: transaction.phase,
  intentProvenance: transaction.intentProvenance,
  expiresAt: transaction.expiresAt?.toISOString() ?? null,
  ...visibilityOf(transaction),
  ...signedOf(transaction),
});

/** The answer to a proposal. */
export const ProposedTransaction = TransactionRecord.extend({
  reviewUrl: z.string().meta({ description: "Where the owner sees and decides it. Give it to them." }),
}).meta({ id: "Transaction", description: "A stored proposal with its status." });
export type ProposedTransaction = z.infer<typeof ProposedTransaction>;

/** Returns the page where the owner reviews a transaction. */
export const reviewUrlOf = (uiUrl: string, requestHash: string): string =>
  `${uiUrl.replace(/\/$/, "")}/transactions/${requestHash}`;
