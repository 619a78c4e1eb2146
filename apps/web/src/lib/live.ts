// What happens to the account's transactions, as it happens. An event says only that something changed: what it is now is
// asked of the service, so that nothing on screen comes from anywhere else.
import type { QueryClient } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import { api } from "./api.ts";

export type Live =
  { readonly state: "connecting" | "live" } | { readonly state: "lost"; readonly since: Date };

export const transactionKeys = {
  all: ["transactions"] as const,
  list: (account: string) => ["transactions", "list", account.toLowerCase()] as const,
  one: (requestHash: string) => ["transactions", "one", requestHash.toLowerCase()] as const,
  receipt: (requestHash: string) => ["transactions", "receipt", requestHash.toLowerCase()] as const,
};

/** One connection for the whole page, so one state of it. */
let current: Live = { state: "connecting" };
const listeners = new Set<() => void>();

function set(next: Live): void {
  // The first moment of the loss is the one that counts.
  if (current.state === next.state) return;
  current = next;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const liveNow = (): Live => current;

/** Whether changes are told as they happen. */
export const useLiveState = (): Live => useSyncExternalStore(subscribe, liveNow);

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });

async function follow(client: QueryClient, signal: AbortSignal): Promise<void> {
  const note = (live: Live): void => {
    if (live.state === current.state) return;
    set(live);
    // Back: nothing is missed between two connections, but something may be between the last read and the first. Gone: from
    // now on the pages look for themselves.
    void client.invalidateQueries({ queryKey: transactionKeys.all });
  };
  const onConnection = (isOpen: boolean): void => {
    note(isOpen ? { state: "live" } : { state: "lost", since: new Date() });
  };
  for (;;) {
    try {
      for await (const { requestHash } of api.events({ signal, onConnection, silentMs: 35_000 })) {
        void client.invalidateQueries({ queryKey: transactionKeys.one(requestHash) });
        void client.invalidateQueries({ queryKey: transactionKeys.receipt(requestHash) });
        void client.invalidateQueries({ queryKey: ["transactions", "list"] });
      }
    } catch {
      if (signal.aborted) return;
      onConnection(false);
      await pause(3000, signal);
    }
  }
}

/** Listens for as long as whoever uses it is on screen. */
export function useLive(account: string, client: QueryClient): Live {
  useEffect(() => {
    const ending = new AbortController();
    void follow(client, ending.signal);
    return () => {
      ending.abort();
      set({ state: "connecting" });
    };
  }, [account, client]);
  return useLiveState();
}
