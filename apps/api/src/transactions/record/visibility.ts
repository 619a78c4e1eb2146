import { z } from "zod";
import { isTerminal } from "../lifecycle.ts";
import type { Transaction } from "../transaction.ts";
import { notWatchedNotice, releaseNotices } from "./unseen.ts";

/** Members of every view that say whether an execution would be seen. */
export const Visibility = z.object({
  chainWatched: z.boolean().meta({
    description: "Whether this service reads the chain, so that it sees an execution. See GET /chains.",
  }),
  notice: z.string().nullable().meta({ description: "What will not be seen; null if nothing is known." }),
});

type Seen = Pick<Transaction, "phase" | "isWatched" | "shape" | "useKind" | "onchain">;

export const visibilityOf = (seen: Seen): z.infer<typeof Visibility> => ({
  chainWatched: seen.isWatched,
  notice: noticeOf(seen),
});

/** It was not released, and cannot be any more. */
const wasRefused = (phase: Seen["phase"]): boolean => phase === "REJECTED" || phase === "FAILED";

/** A final block shows whether it was used. */
const isOver = (onchain: Seen["onchain"]): boolean => onchain === "used" || onchain === "unused";

function noticeOf({ phase, isWatched, shape, useKind, onchain }: Seen): string | null {
  if (shape !== null) {
    if (wasRefused(phase) || isOver(onchain)) return null;
    // Also after it was released: it may be used until it expires.
    const { unwatched, watched } = releaseNotices[shape];
    return useKind !== null && isWatched ? watched : unwatched;
  }
  return isWatched || isTerminal({ phase }) ? null : notWatchedNotice;
}
