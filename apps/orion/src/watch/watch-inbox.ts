import type { Log } from "@countersign/platform/log";
import { startRounds } from "@countersign/platform/rounds";
import type { Hex } from "@countersign/wire";
import type { Block, Inbox, RecordedRoot } from "../adapters/inbox/index.ts";

type Parts = {
  readonly inbox: Pick<Inbox, "readHead" | "isCurrent" | "listRecorded">;
  /** The service whose entries are looked for. */
  readonly address: () => Hex;
  /** Starts the verification of a request that was recorded alone. Idempotent. */
  readonly start: (requestHash: Hex) => Promise<void>;
  /** Starts the verification of all requests under a root. Idempotent. */
  readonly startRoot: (root: RecordedRoot) => Promise<void>;
  readonly lookbackBlocks: number;
};

type Watch = {
  /** Runs one round: starts everything recorded since the last successful round. */
  readonly look: () => Promise<void>;
};

/**
 * Finds proposals on the chain, so that a lost nudge only costs time. Its only state is its position, which
 * may be lost: it starts behind, and starting a request twice runs it once. The same holds if its last block
 * was removed by a reorg: then entries may be in other blocks than those it has read.
 */
export function makeWatch({ inbox, address, start, startRoot, lookbackBlocks }: Parts): Watch {
  let seen: Block | undefined;
  return {
    look: async () => {
      const head = await inbox.readHead();
      const last = seen !== undefined && (await inbox.isCurrent(seen)) ? seen : undefined;
      const behind = head.number - BigInt(lookbackBlocks);
      const from = last === undefined ? (behind > 0n ? behind : 0n) : last.number + 1n;
      const range = { inbox: address(), from, to: head.number };
      const { requestHashes, roots } = await inbox.listRecorded(range);
      for (const root of roots) await startRoot(root);
      for (const requestHash of requestHashes) await start(requestHash);
      // Last: a failure above makes the next round read again. A head behind the last one means that the node lags.
      if (last === undefined || head.number > last.number) seen = head;
    },
  };
}

export type RunningWatch = {
  /** Throws unless the last round succeeded. */
  readonly probe: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Runs rounds until it is closed. */
export function startWatch(watch: Watch, { everyMs, log }: { everyMs: number; log: Log }): RunningWatch {
  let isWell = false;
  let hasFailed = false;
  const { stop } = startRounds({
    everyMs,
    run: async () => {
      await watch.look();
      if (hasFailed) log.info("inbox watch recovered");
      [isWell, hasFailed] = [true, false];
    },
    onError: (error) => {
      // Logged once and not in each round, because it may last.
      if (!hasFailed) log.warn("inbox watch failed", { error });
      [isWell, hasFailed] = [false, true];
    },
  });
  return {
    probe: async () => {
      if (!isWell) throw new Error("inbox watch failed");
    },
    close: stop,
  };
}
