// Live updates. An event only says that something changed; the state is always loaded from the service.
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

/** One connection per page, so one global state. */
let current: Live = { state: "connecting" };
const listeners = new Set<() => void>();

function set(next: Live): void {
  // Keeps the start of an outage.
  if (current.state === next.state) return;
  current = next;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const liveNow = (): Live => current;

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
    // On reconnect, changes before the first event may be missing. On loss, the pages start polling.
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

/** Subscribes while the component is mounted. */
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
