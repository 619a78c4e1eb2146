import { z } from "zod";
import { messageTypes, testType, transactionTypes, type TransactionType } from "./catalogue.ts";
import type { Channel, Delivery } from "./channel.ts";
import { messageIdOf } from "./message.ts";

const datetime = z.iso.datetime();

export const MessageTypeChoice = z.enum(transactionTypes);

/** Members that webhooks and other channels share. */
export const channelMembers = {
  description: z.string(),
  events: z
    .array(MessageTypeChoice)
    .meta({ description: "The types of messages that it receives. Empty: all." }),
  agents: z.array(z.string()).meta({
    description:
      "The agents whose transactions it receives messages about, as `key:<id>` or `oauth:<id>`. Empty: all.",
  }),
  active: z.boolean(),
  disabledReason: z.string().nullable().meta({ description: "Why the service deactivated it, if it did." }),
  health: z.object({
    status: z.enum(["HEALTHY", "FAILING", "DISABLED"]),
    failures: z.number().meta({ description: "Failed attempts since the last success." }),
    failingSince: datetime.nullable(),
    lastDeliveredAt: datetime.nullable(),
    lastFailedAt: datetime.nullable(),
    lastError: z.string().nullable(),
    pending: z.number().meta({ description: "Messages that wait to be delivered." }),
    nextAttemptAt: datetime.nullable(),
  }),
};

export const WebhookView = z
  .object({
    id: z.uuid(),
    url: z.string(),
    ...channelMembers,
    previousSecretUntil: datetime
      .nullable()
      .meta({ description: "Until when messages are also signed with the secret before the last rotation." }),
    createdAt: datetime,
  })
  .meta({ id: "Webhook", description: "A URL that receives messages about the account's transactions." });

export const NewWebhookView = z
  .object({
    webhook: WebhookView,
    secret: z
      .string()
      .meta({ description: "Verifies the messages. Shown once, as whsec_ and base64. Store it." }),
  })
  .meta({ id: "NewWebhook", description: "A webhook with its new secret." });

/** Members of a delivery that webhooks and other channels share. */
export const deliveryMembers = {
  id: z.uuid(),
  type: z.string(),
  requestHash: z.string().nullable().meta({ description: "Null for a test." }),
  status: z.enum(["PENDING", "DELIVERED", "FAILED"]),
  attempts: z.number(),
  attemptedAt: datetime.nullable(),
  answerStatus: z
    .number()
    .nullable()
    .meta({ description: "The receiver's status at the last attempt. Null if it did not answer." }),
  error: z.string().nullable(),
  durationMs: z.number().nullable(),
  createdAt: datetime,
};

export const DeliveryView = z
  .object({
    ...deliveryMembers,
    messageId: z.string().meta({ description: "The header `webhook-id`. The same for every attempt." }),
  })
  .meta({ id: "WebhookDelivery", description: "A message and the result of its last attempt." });

/** The message of a type, as a receiver gets it. */
const messageSchemaOf = (type: TransactionType | typeof testType): z.ZodType => {
  const timestamp = datetime.meta({ description: "When the change was made." });
  if (type === testType) return z.object({ type: z.literal(type), timestamp, data: z.object({}) });
  return z.object({ type: z.literal(type), timestamp, data: TransactionChange });
};

const TransactionChange = z
  .object({
    account: z.string(),
    requestHash: z.string(),
    version: z.number().meta({
      description: "Counts the transaction's changes. Ignore a message with a lower one than you have seen.",
    }),
    event: z.string(),
    status: z.enum(["PENDING", "APPROVED", "REJECTED", "EXECUTED", "FAILED"]),
    phase: z.string(),
    reason: z.string().nullable(),
    needsOwner: z.string().nullable().meta({ description: "The code of why the owner is asked." }),
    agent: z.string().meta({ description: "The credential that proposed it." }),
    url: z.string().meta({ description: "The page on which the owner reads it and decides." }),
  })
  .meta({ id: "TransactionChange", description: "A change of a transaction. Read the rest with the API." });

/** The messages that a webhook receives, for the OpenAPI document. */
export const webhookMessages = [
  ...transactionTypes.map((type) => ({ name: type, description: messageTypes[type] })),
  { name: testType, description: "Sent on request, to check that a receiver works." },
].map(({ name, description }) => ({
  name,
  description,
  tag: "Webhooks",
  body: messageSchemaOf(name as TransactionType),
}));

const iso = (date: Date | null): string | null => date?.toISOString() ?? null;

const healthOf = ({ active, disabledReason, failures }: Channel): "HEALTHY" | "FAILING" | "DISABLED" =>
  !active && disabledReason !== null ? "DISABLED" : failures > 0 ? "FAILING" : "HEALTHY";

type Shared = z.infer<z.ZodObject<typeof channelMembers>>;

export const sharedView = (channel: Channel, pending: number): Shared => ({
  description: channel.description,
  events: [...channel.types],
  agents: [...channel.agents],
  active: channel.active,
  disabledReason: channel.disabledReason,
  health: {
    status: healthOf(channel),
    failures: channel.failures,
    failingSince: iso(channel.failingSince),
    lastDeliveredAt: iso(channel.lastDeliveredAt),
    lastFailedAt: iso(channel.lastFailedAt),
    lastError: channel.lastError,
    pending,
    nextAttemptAt: pending > 0 && channel.active ? iso(channel.dueAt) : null,
  },
});

export const webhookView = (channel: Channel, pending: number): z.infer<typeof WebhookView> => ({
  id: channel.id,
  url: channel.target,
  ...sharedView(channel, pending),
  previousSecretUntil: iso(channel.previousUntil),
  createdAt: channel.createdAt.toISOString(),
});

const statuses = { pending: "PENDING", delivered: "DELIVERED", failed: "FAILED" } as const;

export const deliveryView = (delivery: Delivery): z.infer<typeof DeliveryView> => ({
  id: delivery.id,
  messageId: messageIdOf(delivery.id),
  type: delivery.type,
  requestHash: delivery.requestHash,
  status: statuses[delivery.status],
  attempts: delivery.attempts,
  attemptedAt: iso(delivery.attemptedAt),
  answerStatus: delivery.answerStatus,
  error: delivery.error,
  durationMs: delivery.durationMs,
  createdAt: delivery.createdAt.toISOString(),
});
