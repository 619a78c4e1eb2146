/**
 * Holds the current lists and replaces them when the operator's files change. Files that cannot be used change nothing: the lists in use stay,
 * the problem is logged once and shown until it is fixed.
 */
import type { Clock } from "@countersign/platform/clock";
import type { Log } from "@countersign/platform/log";
import { fingerprintOf, readSnapshot, type Snapshot } from "./load-lists.ts";
import type { ListKey } from "./minisign.ts";

export type ListKeeper = {
  /** Loads the lists. Throws an error that names the file that cannot be used. */
  readonly load: () => void;
  /** Looks for changed files and loads them. Never throws. */
  readonly refresh: () => void;
  /** Undefined until they are loaded. */
  readonly current: () => Snapshot | undefined;
  /** Why the files of the folder are not in use; null if they are. */
  readonly problem: () => string | null;
};

type Parts = {
  readonly directory: string | null;
  readonly keys: readonly ListKey[];
  readonly clock: Clock;
  readonly log: Log;
};

export function keepLists({ directory, keys, clock, log }: Parts): ListKeeper {
  let current: Snapshot | undefined;
  let seen = "";
  let problem: string | null = null;

  const read = (): void => {
    // The fingerprint first: a file that changes while it is read is read again at the next look.
    seen = directory === null ? "" : fingerprintOf(directory);
    current = readSnapshot(directory, { now: BigInt(Math.floor(clock.now().getTime() / 1000)), keys });
  };

  const refresh = (): void => {
    if (directory === null) return;
    try {
      // A refused file is tried again each time: what was dated in the future no longer is.
      if (problem === null && fingerprintOf(directory) === seen) return;
      const before = current?.files;
      read();
      problem = null;
      if (JSON.stringify(before) !== JSON.stringify(current?.files))
        log.info("lists reloaded", { count: current?.files.length ?? 0 });
    } catch (error) {
      const found = error instanceof Error ? error.message : String(error);
      if (found !== problem) log.error("lists refused, the previous ones stay in use", { error });
      problem = found;
    }
  };

  return { load: read, refresh, current: () => current, problem: () => problem };
}
