// Remembers the transaction that a wallet in this browser was asked to send, for every part of the page that shows it.
import { useSyncExternalStore } from "react";
import { forgetSending, keepSending, readSending, type Sending } from "../../lib/sent.ts";

const listeners = new Set<() => void>();
const cache = new Map<string, Sending | undefined>();

const read = (requestHash: string): Sending | undefined => {
  if (!cache.has(requestHash)) cache.set(requestHash, readSending(requestHash));
  return cache.get(requestHash);
};

function changed(requestHash: string): void {
  cache.delete(requestHash);
  for (const listener of listeners) listener();
}

export function noteSending(requestHash: string, sending: Sending): void {
  keepSending(requestHash, sending);
  changed(requestHash);
}

/** Call only if the wallet reported that it did not send. */
export function dropSending(requestHash: string): void {
  forgetSending(requestHash);
  changed(requestHash);
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useSending = (requestHash: string): Sending | undefined =>
  useSyncExternalStore(subscribe, () => read(requestHash));
