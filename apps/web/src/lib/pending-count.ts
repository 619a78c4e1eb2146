// The number of proposals that need the owner, for the tab's title and the navigation.
import { useSyncExternalStore } from "react";

let count = 0;
const listeners = new Set<() => void>();

/** Set by the inbox, which knows; kept on other pages. */
export function setPendingCount(next: number): void {
  if (next === count) return;
  count = next;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const usePendingCount = (): number => useSyncExternalStore(subscribe, () => count);
