// The use of a released signature, as its owner sees it.
import { z } from "zod";
import { isReleased } from "../lifecycle.ts";
import type { Transaction } from "../transaction.ts";
import { outcomes } from "../uses/index.ts";

export const UseView = z
  .object({
    watched: z.boolean().meta({
      description:
        "Whether the service would see a use: it reads the chain, and knows what proves a use of this kind.",
    }),
    outcome: z.enum(outcomes).nullable().meta({
      description:
        "used: on the chain, by exactly this hash. failed: likewise, and without effect. spent: its nonce is used, and it is not proven that this one used it. unusable: its nonce was cancelled, or used by something else. expired: its time is over, and its nonce was never used. Null while nothing is known, which does not mean that it was not used.",
    }),
    transactionHash: z
      .string()
      .nullable()
      .meta({ description: "The transaction that shows it. Null if only the state of the chain does." }),
    blockNumber: z.string().nullable().meta({ description: "The block that shows it, in decimal digits." }),
    final: z
      .boolean()
      .meta({ description: "Whether that block is final. Before that it can still be replaced." }),
  })
  .meta({
    id: "Use",
    description: "Whether a released signature, confirmation, batch or authorization was used.",
  });

type Used = Pick<Transaction, "onchain" | "isWatched" | "useKind" | "use">;

export const useView = (transaction: Used): z.infer<typeof UseView> | null => {
  const { onchain, isWatched, useKind, use } = transaction;
  return isReleased(transaction)
    ? {
        watched: isWatched && useKind !== null,
        outcome: use?.outcome ?? null,
        transactionHash: use?.hash ?? null,
        blockNumber: use?.block.toString() ?? null,
        final: onchain === "used" || onchain === "unused",
      }
    : null;
};
