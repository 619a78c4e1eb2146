// What this browser has had a wallet send. It is kept beyond the page: whoever comes back must not send it a second time
// because nobody remembers the first. It says nothing about what arrived.

export type Sending = {
  /** When the wallet was asked. */
  readonly askedAt: Date;
  /** What the wallet answered; undefined if it has not, or nobody was there to hear it. */
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

/** The wallet said that it has not sent it. */
export const forgetSending = (requestHash: string, store: Store = localStorage): void => {
  store.removeItem(keyOf(requestHash));
};
