// Transactions that a wallet in this browser was asked to send. Stored beyond the page, so that the owner does not send one
// twice. Says nothing about confirmation.

export type Sending = {
  readonly askedAt: Date;
  /** The returned hash; undefined if the wallet has not answered or the page was closed. */
  readonly hash: string | undefined;
};

const keyOf = (requestHash: string): string => `countersign.sent.${requestHash.toLowerCase()}`;

type Store = Pick<Storage, "getItem" | "setItem" | "removeItem">;

export function readSending(requestHash: string, store: Store = localStorage): Sending | undefined {
  const [at, hash] = (store.getItem(keyOf(requestHash)) ?? "").split(" ");
  const askedAt = new Date(Number(at));
  if (at === undefined || at === "" || Number.isNaN(askedAt.getTime())) return undefined;
  return { askedAt, hash: /^0x[0-9a-f]{64}$/i.test(hash ?? "") ? hash : undefined };
}

export function keepSending(
  requestHash: string,
  { askedAt, hash }: Sending,
  store: Store = localStorage,
): void {
  store.setItem(keyOf(requestHash), `${askedAt.getTime()} ${hash ?? ""}`);
}

/** Call only if the wallet reported that it did not send. */
export const forgetSending = (requestHash: string, store: Store = localStorage): void => {
  store.removeItem(keyOf(requestHash));
};
