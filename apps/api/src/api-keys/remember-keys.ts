import { LRUCache } from "lru-cache";
import type { Clock } from "@countersign/platform/clock";
import type { ApiKeyStore } from "./store.ts";

type Usable = NonNullable<Awaited<ReturnType<ApiKeyStore["findUsable"]>>>;

const keptAtMost = 10_000;
/** How long this process may still accept a key that was revoked elsewhere. */
const keptMs = 1_000;
/** Matches the store, which records a use at most once a minute. */
const notedMs = 60_000;

const isPast = (time: Date | null, clock: Clock, afterMs = 0): boolean =>
  time !== null && time.getTime() + afterMs <= clock.now().getTime();

/**
 * Caches usable keys for a second, so that a busy program is looked up once. A key revoked here leaves the
 * cache at once. Unusable keys are never cached, so every rejection costs the same.
 */
export function rememberKeys(store: ApiKeyStore, clock: Clock): ApiKeyStore {
  const kept = new LRUCache<string, Usable>({ max: keptAtMost, ttl: keptMs });
  /** Concurrent requests for the same key share one query. */
  const asked = new Map<string, Promise<Usable | undefined>>();
  /** Keys whose next use is to be recorded, with the address of the first request that comes. */
  const due = new Set<string>();

  const lookUp = async (hmacs: readonly Buffer[]): Promise<Usable | undefined> => {
    const found = await store.findUsable(hmacs);
    if (found !== undefined && (found.lastUsedAt === null || isPast(found.lastUsedAt, clock, notedMs)))
      due.add(found.id);
    return found;
  };

  const ask = async (name: string, hmacs: readonly Buffer[]): Promise<Usable | undefined> => {
    const start = performance.now();
    const question = lookUp(hmacs);
    asked.set(name, question);
    // False after a revocation: the answer may predate it.
    const isLatest = (): boolean => asked.get(name) === question;
    try {
      const found = await question;
      // Counted from the query: the key may have been revoked elsewhere while the answer was on its way.
      if (found !== undefined && isLatest()) kept.set(name, found, { start });
      return found;
    } finally {
      if (isLatest()) asked.delete(name);
    }
  };

  return {
    ...store,
    findUsable: async (hmacs) => {
      const name = hmacs[0]?.toString("base64") ?? "";
      const remembered = kept.get(name);
      if (remembered !== undefined && !isPast(remembered.expiresAt, clock)) return remembered;
      return asked.get(name) ?? ask(name, hmacs);
    },
    /** Once per lookup, which is often enough. */
    noteUse: async (id, address) => {
      if (due.delete(id)) await store.noteUse(id, address);
    },
    revoke: async (id, account) => {
      const isRevoked = await store.revoke(id, account);
      kept.clear();
      asked.clear();
      return isRevoked;
    },
  };
}
