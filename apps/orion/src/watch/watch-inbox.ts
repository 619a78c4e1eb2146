import type { Log } from "@countersign/platform/log";
import { startRounds } from "@countersign/platform/rounds";
import type { Hex } from "@countersign/wire";
import type { Block, Inbox } from "../adapters/inbox/index.ts";

type Parts = {
  readonly inbox: Pick<Inbox, "readHead" | "isCurrent" | "listRecorded">;
  /** Whose entries are looked for. */
  readonly address: () => Hex;
  /** Starts the verification of a request; asking again changes nothing. */
  readonly start: (requestHash: Hex) => Promise<void>;
  readonly lookbackBlocks: number;
};

type Watch = {
  /** Looks once: everything recorded since the last look that went well is started. */
  readonly look: () => Promise<void>;
};

/**
 * Finds proposals on the chain, so that a lost nudge costs time and nothing else. Its only state is how far it has looked,
 * and that may be lost: it begins behind, and what it starts twice runs once. The same if the block it had come to is no
 * longer part of the chain: then entries may stand in other blocks than those it has read.
 */
export function makeWatch({ inbox, address, start, lookbackBlocks }: Parts): Watch {
  let seen: Block | undefined;
  return {
    look: async () => {
      const head = await inbox.readHead();
      const last = seen !== undefined && (await inbox.isCurrent(seen)) ? seen : undefined;
      const behind = head.number - BigInt(lookbackBlocks);
      const from = last === undefined ? (behind > 0n ? behind : 0n) : last.number + 1n;
      for (const requestHash of await inbox.listRecorded({ inbox: address(), from, to: head.number }))
        await start(requestHash);
      // Only now: whatever failed above is looked at again. A head behind what was seen is a node that lags.
      if (last === undefined || head.number > last.number) seen = head;
    },
  };
}

export type RunningWatch = {
  /** Throws unless the last look went well. */
  readonly probe: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Looks again and again until it is closed. */
export function startWatch(watch: Watch, { everyMs, log }: { everyMs: number; log: Log }): RunningWatch {
  let isWell = false;
  let hasFailed = false;
  const { stop } = startRounds({
    everyMs,
    run: async () => {
      await watch.look();
      if (hasFailed) log.info("the inbox can be watched again");
      [isWell, hasFailed] = [true, false];
    },
    onError: (error) => {
      // Told once and not at each look: it may last.
      if (!hasFailed) log.warn("the inbox cannot be watched", { error });
      [isWell, hasFailed] = [false, true];
    },
  });
  return {
    probe: async () => {
      if (!isWell) throw new Error("the inbox cannot be watched");
    },
    close: stop,
  };
}
