/** Caches recent answers, so that the same question is not paid for twice. Bounded: the oldest entry is evicted first. */
import type { Clock } from "@countersign/platform/clock";

export type Memory<T> = {
  readonly find: (key: string) => T | undefined;
  readonly record: (key: string, value: T) => void;
};

export function makeMemory<T>({
  clock,
  ttlMs,
  size,
}: {
  readonly clock: Clock;
  readonly ttlMs: number;
  readonly size: number;
}): Memory<T> {
  const kept = new Map<string, { readonly value: T; readonly until: number }>();
  const now = (): number => clock.now().getTime();
  return {
    find: (key) => {
      const found = kept.get(key);
      if (found === undefined) return undefined;
      if (found.until > now()) return found.value;
      kept.delete(key);
      return undefined;
    },
    record: (key, value) => {
      kept.delete(key);
      kept.set(key, { value, until: now() + ttlMs });
      const oldest = kept.keys().next();
      if (kept.size > size && oldest.done !== true) kept.delete(oldest.value);
    },
  };
}
