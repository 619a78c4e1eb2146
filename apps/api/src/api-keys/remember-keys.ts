import { LRUCache } from "lru-cache";
import type { Clock } from "@countersign/platform/clock";
import type { ApiKeyStore } from "./store.ts";

type Usable = NonNullable<Awaited<ReturnType<ApiKeyStore["findUsable"]>>>;

const keptAtMost = 10_000;
/** How long a key that was revoked elsewhere may still open this process. */
const keptMs = 1_000;
/** As the store has it: a use is noted once a minute. */
const notedMs = 60_000;

const isPast = (time: Date | null, clock: Clock, afterMs = 0): boolean =>
  time !== null && time.getTime() + afterMs <= clock.now().getTime();

/**
 * The store, with usable keys remembered for a second: a program that asks all the time is looked up once. What is revoked
 * here is forgotten at once. What is not usable is never remembered, so a refusal costs the same whatever it is for.
 */
export function rememberKeys(store: ApiKeyStore, clock: Clock): ApiKeyStore {
  const kept = new LRUCache<string, Usable>({ max: keptAtMost, ttl: keptMs });
  /** Those who ask at the same time share one question. */
  const asked = new Map<string, Promise<Usable | undefined>>();
  /** Whose use is to be noted, by whoever is first to say where from. */
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
    // Not so once something was revoked: the answer may be from before.
    const isLatest = (): boolean => asked.get(name) === question;
    try {
      const found = await question;
      // Counted from the question: the answer may have been on its way while somebody revoked the key elsewhere.
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
    /** Once for each time it was looked up, which is often enough. */
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
