import { z } from "zod";
import { isTerminal } from "../lifecycle.ts";
import type { Transaction } from "../transaction.ts";
import { notWatchedNotice } from "./unseen.ts";

/** Members of every view that say whether an execution would be seen. */
export const Visibility = z.object({
  chainWatched: z.boolean().meta({
    description: "Whether this service reads the chain, so that it sees an execution. See GET /chains.",
  }),
  notice: z.string().nullable().meta({ description: "What will not be seen; null if nothing is known." }),
});

export const visibilityOf = ({
  phase,
  isWatched,
}: Pick<Transaction, "phase" | "isWatched">): z.infer<typeof Visibility> => ({
  chainWatched: isWatched,
  notice: isWatched || isTerminal({ phase }) ? null : notWatchedNotice,
});
