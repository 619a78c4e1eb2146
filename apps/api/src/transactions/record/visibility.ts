import { z } from "zod";
import { isTerminal } from "../lifecycle.ts";
import type { Transaction } from "../transaction.ts";
import { notWatchedNotice, signatureNotice } from "./unseen.ts";

/** Members of every view that say whether an execution would be seen. */
export const Visibility = z.object({
  chainWatched: z.boolean().meta({
    description: "Whether this service reads the chain, so that it sees an execution. See GET /chains.",
  }),
  notice: z.string().nullable().meta({ description: "What will not be seen; null if nothing is known." }),
});

type Seen = Pick<Transaction, "phase" | "isWatched" | "shape">;

export const visibilityOf = (seen: Seen): z.infer<typeof Visibility> => ({
  chainWatched: seen.isWatched,
  notice: noticeOf(seen),
});

function noticeOf({ phase, isWatched, shape }: Seen): string | null {
  // Also after it was released: it may be used until it expires.
  if (shape !== null) return signatureNotice;
  return isWatched || isTerminal({ phase }) ? null : notWatchedNotice;
}
