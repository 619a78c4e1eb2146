import type { Clock } from "@countersign/platform/clock";
import type { RetentionStore } from "./store.ts";
import type { RetentionSetting } from "./table-plans.ts";

type Parts = {
  readonly days: Readonly<Record<RetentionSetting, number>>;
  readonly store: RetentionStore;
  readonly clock: Clock;
};

const dayMs = 24 * 60 * 60_000;
/** So that no request waits for a long delete. */
const atMost = 100;

/** Returns the smallest id (UUIDv7) that can be made at this time or later. */
export function firstIdOf(time: Date): string {
  const hex = Math.max(0, time.getTime()).toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

/** Deletes some of the rows whose time is up. Returns how many, so that the sweeper comes back soon if there are more. */
export const makeRetentionSweep =
  ({ days, store, clock }: Parts) =>
  async (): Promise<number> => {
    /** A setting of 0 keeps everything. */
    const before = async (
      setting: RetentionSetting,
      remove: (time: Date) => Promise<number>,
    ): Promise<number> =>
      days[setting] === 0 ? 0 : remove(new Date(clock.now().getTime() - days[setting] * dayMs));
    const deleted = await Promise.all([
      before("RETENTION_SESSION_DAYS", (time) => store.deleteSessions(time, atMost)),
      before("RETENTION_MANDATE_REQUEST_DAYS", (time) => store.deleteMandateRequests(time, atMost)),
      before("RETENTION_CONTEXT_DAYS", (time) => store.deleteContextLogs(firstIdOf(time), atMost)),
    ]);
    return deleted.reduce((sum, count) => sum + count, 0);
  };
