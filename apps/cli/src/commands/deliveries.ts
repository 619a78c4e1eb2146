// Shows messages and the health of webhooks and other channels.
import type { Channel, ChannelDelivery, Webhook, WebhookDelivery } from "@countersign/sdk";
import { plainLine } from "../terminal/plain-text.ts";
import { tableOf } from "../terminal/table.ts";

type Delivery = ChannelDelivery | WebhookDelivery;

/** Returns the state, the number of waiting messages and the last error. */
export const healthOf = ({ active, health }: Channel | Webhook): readonly string[] => [
  active ? health.status : health.status === "DISABLED" ? "DISABLED" : "PAUSED",
  String(health.pending),
  health.lastError ?? "",
];

export const resultOf = ({ status, answerStatus, error, durationMs }: Delivery): string =>
  status === "DELIVERED"
    ? `answered ${answerStatus ?? ""} in ${durationMs ?? 0} ms`
    : (error ?? "not sent yet");

const rowOf = (one: Delivery): readonly string[] =>
  [one.id, one.createdAt, one.type, one.status, String(one.attempts), resultOf(one)].map(plainLine);

export const deliveryTable = (deliveries: readonly Delivery[]): string =>
  deliveries.length === 0
    ? "No deliveries."
    : tableOf(["id", "created", "type", "status", "attempts", "result"], deliveries.map(rowOf));
