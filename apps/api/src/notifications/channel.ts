import type { Account } from "../accounts/index.ts";
import type { AccountEvent } from "../events/index.ts";
import type { MessageType, TransactionType } from "./catalogue.ts";

/** The kinds that people read. */
export const peopleKinds = ["slack", "discord", "telegram", "email", "push"] as const;
export type PeopleKind = (typeof peopleKinds)[number];
export type ChannelKind = PeopleKind | "webhook";

/** One way in which an owner is notified. */
export type Channel = {
  readonly id: string;
  readonly account: Account;
  readonly kind: ChannelKind;
  /** Where messages go, as shown to the owner. Contains no secret. */
  readonly target: string;
  readonly description: string;
  /** Empty: all types. */
  readonly types: readonly TransactionType[];
  /** Empty: the transactions of all agents. */
  readonly agents: readonly string[];
  readonly active: boolean;
  readonly disabledReason: string | null;
  readonly previousUntil: Date | null;
  /** Null until the owner has confirmed the address. Only e-mail addresses need it. */
  readonly confirmedAt: Date | null;
  /** Minutes since midnight in the time zone. Null: no quiet hours. */
  readonly quietFrom: number | null;
  readonly quietUntil: number | null;
  /** A name of the IANA time zone database. */
  readonly timeZone: string;
  /** How often messages are sent as one. Null: each at once. */
  readonly digest: "hourly" | "daily" | null;
  readonly createdAt: Date;
  readonly failures: number;
  readonly failingSince: Date | null;
  readonly dueAt: Date | null;
  readonly lastDeliveredAt: Date | null;
  readonly lastFailedAt: Date | null;
  readonly lastError: string | null;
};

/** An account's channel. Another account's is reported as not found. */
export type ChannelKey = Pick<Channel, "id" | "account">;

/** One message of a channel, and the result of its last attempt. */
export type Delivery = {
  readonly id: string;
  /** Opaque to clients: where to continue a list. */
  readonly position: string;
  readonly channelId: string;
  readonly type: MessageType;
  readonly requestHash: string | null;
  readonly status: "pending" | "delivered" | "failed";
  readonly attempts: number;
  readonly attemptedAt: Date | null;
  readonly answerStatus: number | null;
  readonly error: string | null;
  readonly durationMs: number | null;
  readonly createdAt: Date;
};

/** The change that a message is about. */
export type NotifiedEvent = Omit<AccountEvent, "cursor"> & {
  /** Names the credential that proposed the transaction: `key:<id>`, `jwt:<account>` or `oauth:<client>`. */
  readonly agent: string;
};

/** A message that waits to be sent. */
export type Waiting = {
  readonly id: string;
  readonly type: MessageType;
  readonly attempts: number;
  readonly createdAt: Date;
  /** Null for a test. */
  readonly event: NotifiedEvent | null;
};

/** A waiting message in its place in the queue. */
export type Queued = Waiting & {
  readonly position: string;
  /** The first of the messages that are sent as one with it. Null before the first attempt, or if it is sent alone. */
  readonly mergedInto: string | null;
  /** When the transaction expires. Null for a test. */
  readonly deadline: Date | null;
};

/** Whether a channel wants a message about an event of that type by that agent. */
export const wants = (
  { types, agents }: Pick<Channel, "types" | "agents">,
  { type, agent }: { readonly type: TransactionType; readonly agent: string },
): boolean => (types.length === 0 || types.includes(type)) && (agents.length === 0 || agents.includes(agent));
