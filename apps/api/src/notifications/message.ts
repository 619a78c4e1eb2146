import type { Waiting } from "./channel.ts";

/** Identifies a message towards its receiver: the same for every attempt and redelivery. */
export const messageIdOf = (deliveryId: string): string => `msg_${deliveryId}`;

/** Returns the address of the page on which the owner reads a transaction and decides. */
export const pageOf = (requestHash: string, uiUrl: string): string =>
  new URL(`transactions/${requestHash}`, `${uiUrl.replace(/\/$/, "")}/`).href;

/** Makes the body of a message, the same for every attempt. `uiUrl` is the web app, where the owner decides. */
export function bodyOf({ type, createdAt, event }: Omit<Waiting, "attempts">, uiUrl: string): string {
  if (event === null) return JSON.stringify({ type, timestamp: createdAt.toISOString(), data: {} });
  const { createdAt: at, account, agent, ...change } = event;
  const url = pageOf(change.requestHash, uiUrl);
  const { requestHash, version, event: name, status, phase, reason, needsOwner } = change;
  return JSON.stringify({
    type,
    timestamp: at.toISOString(),
    data: { account, requestHash, version, event: name, status, phase, reason, needsOwner, agent, url },
  });
}
