// What the custodian and the wallet provider have in common: each keeps wallets, and sends from one of them when we ask.
import type { Hex } from "@countersign/wire";

/** What is to be sent. The request hash is what we both call it by: asked twice, it is sent once. */
export type Order = {
  readonly requestHash: Hex;
  readonly chainId: number;
  readonly to: Hex;
  readonly value: bigint;
  readonly data: Hex;
};

/** What they say has become of an order. Believed about nothing but where to look: the chain says what happened. */
export type Report = {
  readonly theirId: string;
  /** failed: they will not send it, or no longer. */
  readonly state: "under way" | "done" | "failed";
  /** Their own word for it, for whoever reads the log. */
  readonly detail: string;
  /** The transaction on the chain, from when on they know it; in lower case. */
  readonly hash: Hex | null;
  /** What they have on record, as far as they tell it; in lower case. */
  readonly call: Partial<Pick<Order, "to" | "value" | "data">>;
};

/** Somebody who sends for one account, from one wallet. */
export type Sender = {
  /** What they have under this hash. Undefined: nothing. Asked before anything is sent, and before it is sent again. */
  readonly find: (requestHash: Hex) => Promise<Report | undefined>;
  /** Throws `SenderRefused` when they will never take it, and anything else when it is not known what became of it. */
  readonly send: (order: Order) => Promise<Report>;
  /** Asks them to let go of it. It may be too late. */
  readonly cancel: (theirId: string) => Promise<void>;
};

/** They will never take this order. The message is for people, and holds no secret. */
export class SenderRefused extends Error {
  override readonly name = "SenderRefused";
}
