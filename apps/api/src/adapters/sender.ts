// The common interface of the custodian and the wallet provider. Both hold wallets and send from them on request.
import type { Hex } from "@countersign/wire";

/** The call to send. Both sides identify it by the request hash, so that repeated requests send it once. */
export type Order = {
  readonly requestHash: Hex;
  readonly chainId: number;
  readonly to: Hex;
  readonly value: bigint;
  readonly data: Hex;
};

/** A sender's report on an order. It only says where to look: the chain shows what happened. */
export type Report = {
  readonly theirId: string;
  /** `failed` means that they have not sent it and will not. */
  readonly state: "under way" | "done" | "failed";
  /** Their own status, for logs. */
  readonly detail: string;
  /** The transaction on the chain, once they know it. Lower case. */
  readonly hash: Hex | null;
  /** The call as they recorded it. Fields that they do not report are missing. Lower case. */
  readonly call: Partial<Pick<Order, "to" | "value" | "data">>;
};

/** Sends for one account, from one wallet. */
export type Sender = {
  /** Returns their order under this hash, or undefined. Called before sending and before every retry. */
  readonly find: (requestHash: Hex) => Promise<Report | undefined>;
  /** Throws `SenderRefused` if they will never accept it, and any other error if the outcome is unknown. */
  readonly send: (order: Order) => Promise<Report>;
  /** Asks them to cancel it. It may be too late. */
  readonly cancel: (theirId: string) => Promise<void>;
};

/** They will never accept this order. The message is for people and contains no secret. */
export class SenderRefused extends Error {
  override readonly name = "SenderRefused";
}
