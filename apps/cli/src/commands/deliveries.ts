// Commands about messages and the health of webhooks and other channels.
import type { Channel, ChannelDelivery, Countersign, Webhook, WebhookDelivery } from "@countersign/sdk";
import type { Command } from "commander";
import type { Context } from "../context.ts";
import { usageError } from "../errors.ts";
import { exitCodes } from "../exit-codes.ts";
import { isAgreed } from "../terminal/ask.ts";
import { plainLine } from "../terminal/plain-text.ts";
import { tableOf } from "../terminal/table.ts";

type Kind = "channel" | "webhook";
type Delivery = ChannelDelivery | WebhookDelivery;
type Sure = { readonly yes?: boolean };

/** Returns a check for ids, which become part of a URL path. */
export const idCheck =
  (kind: Kind) =>
  (id: string): void => {
    if (!/^[\w-]+$/.test(id)) throw usageError(`That isn't a ${kind} ID.`, `countersign ${kind}s list`);
  };

export function addDeliveries(group: Command, context: Context, kind: Kind): void {
  group
    .command("test")
    .argument("<id>")
    .description("send a test message now")
    .action((id: string) => test(context, kind, id));
  group
    .command("deliveries")
    .argument("<id>")
    .description("list messages and their results, newest first")
    .option("--failed", "only those that were given up")
    .action((id: string, options: { readonly failed?: boolean }) => list(context, kind, id, options));
  group
    .command("redeliver")
    .argument("<id>")
    .argument("<delivery>")
    .description("send a message again, under the same id")
    .action((id: string, delivery: string) => redeliver(context, kind, id, delivery));
  group
    .command("delete")
    .argument("<id>")
    .description(`delete a ${kind} and the messages that wait for it`)
    .option("--yes", "skip the question")
    .action((id: string, options: Sure) => remove(context, kind, id, options));
}

type Sender = Pick<Countersign["channels"], "delete"> & {
  readonly test: (id: string) => Promise<Delivery>;
  readonly deliveries: (
    id: string,
    options: { readonly status?: "failed" },
  ) => Promise<{ readonly deliveries: readonly Delivery[]; readonly next: string | null }>;
  readonly redeliver: (id: string, deliveryId: string) => Promise<Delivery>;
};

const senderOf = async (context: Context, kind: Kind): Promise<Sender> =>
  (await context.ownerClient())[`${kind}s`];

async function test(context: Context, kind: Kind, id: string): Promise<void> {
  idCheck(kind)(id);
  const delivery = await (await senderOf(context, kind)).test(id);
  if (delivery.status !== "DELIVERED") context.endWith(exitCodes.no);
  context.output.answer({ delivery }, () => plainLine(`${delivery.status}: ${resultOf(delivery)}`));
}

async function list(
  context: Context,
  kind: Kind,
  id: string,
  { failed = false }: { readonly failed?: boolean },
): Promise<void> {
  idCheck(kind)(id);
  const sender = await senderOf(context, kind);
  const { deliveries, next } = await sender.deliveries(id, failed ? { status: "failed" } : {});
  context.output.answer({ deliveries, next }, () => deliveryTable(deliveries));
}

async function redeliver(context: Context, kind: Kind, id: string, deliveryId: string): Promise<void> {
  [id, deliveryId].forEach(idCheck(kind));
  const delivery = await (await senderOf(context, kind)).redeliver(id, deliveryId);
  context.output.answer({ delivery }, () => `Queued ${plainLine(delivery.messageId)}.`);
}

async function remove(context: Context, kind: Kind, id: string, options: Sure): Promise<void> {
  idCheck(kind)(id);
  const sender = await senderOf(context, kind);
  const isDeleted = await isAgreed(context, `Delete ${id} and the messages that wait for it?`, options);
  if (isDeleted) await sender.delete(id);
  else context.endWith(exitCodes.no);
  context.output.answer({ id, deleted: isDeleted }, () => (isDeleted ? `Deleted ${id}.` : "Cancelled."));
}

/** Returns the state, the number of waiting messages and the last error. */
export const healthOf = ({ active, health }: Channel | Webhook): readonly string[] => [
  active ? health.status : health.status === "DISABLED" ? "DISABLED" : "PAUSED",
  String(health.pending),
  health.lastError ?? "",
];

const resultOf = ({ status, answerStatus, error, durationMs }: Delivery): string =>
  status === "DELIVERED"
    ? `answered ${answerStatus ?? ""} in ${durationMs ?? 0} ms`
    : (error ?? "not sent yet");

const rowOf = (one: Delivery): readonly string[] =>
  [one.id, one.createdAt, one.type, one.status, String(one.attempts), resultOf(one)].map(plainLine);

const deliveryTable = (deliveries: readonly Delivery[]): string =>
  deliveries.length === 0
    ? "No deliveries."
    : tableOf(["id", "created", "type", "status", "attempts", "result"], deliveries.map(rowOf));
