import { anyOf, defaultLimits, ok, perCaller, perIp, route, type Route } from "@countersign/platform/http";
import { z } from "zod";
import { contractWalletLimit } from "../adapters/wallets/index.ts";
import { jwt } from "../sign-in/index.ts";
import { signature } from "../signed-requests/index.ts";
import type { Channel, ChannelKey, Delivery } from "./channel.ts";
import type { makeChangeChannel } from "./change.ts";
import type { makeCreateWebhook } from "./create.ts";
import { webhookErrors } from "./errors.ts";
import type { makeRedeliver } from "./redeliver.ts";
import type { makeRemoveChannel } from "./remove.ts";
import type { makeRotateSecret } from "./rotate-secret.ts";
import type { makeSendTest } from "./send-test.ts";
import type { ChannelStore } from "./store/channels.ts";
import type { DeliveryStore } from "./store/deliveries.ts";
import { Agents, DeliveryQuery, Description, Events } from "./inputs.ts";
import { DeliveryView, deliveryView, NewWebhookView, WebhookView, webhookView } from "./views.ts";

type Parts = {
  readonly createWebhook: ReturnType<typeof makeCreateWebhook>;
  readonly changeWebhook: ReturnType<typeof makeChangeChannel>;
  readonly removeWebhook: ReturnType<typeof makeRemoveChannel>;
  readonly rotateSecret: ReturnType<typeof makeRotateSecret>;
  readonly sendTest: ReturnType<typeof makeSendTest>;
  readonly redeliver: ReturnType<typeof makeRedeliver>;
  readonly channels: Pick<ChannelStore, "find" | "list">;
  readonly deliveries: Pick<DeliveryStore, "list" | "countPending">;
  /** Tests per minute from one address, and by one owner. */
  readonly testsPerMinute: number;
};

const auth = anyOf(jwt, signature);
const tag = "Webhooks";
const limit = [...defaultLimits, contractWalletLimit];
const byId = z.object({ id: z.uuid() });
const longestGraceHours = 7 * 24;

const Url = z.string().min(1).max(2048).meta({
  description:
    "https, on a public host. It may contain a path and a query, but no user, password or fragment.",
});
async function findOne({ channels }: Parts, key: ChannelKey): Promise<Channel> {
  const found = await channels.find(key);
  if (found === undefined) throw webhookErrors.notFound();
  return found;
}

const viewAll = async (
  { deliveries }: Parts,
  channels: readonly Channel[],
): Promise<z.infer<typeof WebhookView>[]> => {
  const pending = await deliveries.countPending(channels.map(({ id }) => id));
  return channels.map((channel) => webhookView(channel, pending.get(channel.id) ?? 0));
};

const viewOne = async (parts: Parts, channel: Channel): Promise<z.infer<typeof WebhookView>> => {
  const pending = await parts.deliveries.countPending([channel.id]);
  return webhookView(channel, pending.get(channel.id) ?? 0);
};

const collection = (parts: Parts): readonly Route[] => [
  route({
    method: "POST",
    path: "/webhooks",
    summary: "Create a webhook",
    description:
      "Messages about the account's transactions are posted to the URL from now on, signed as https://www.standardwebhooks.com describes. The answer contains the secret, once. At most 10 per account.",
    ...{ tag, limit, auth },
    body: z.object({
      url: Url,
      description: Description.default(""),
      events: Events.default([]),
      agents: Agents.default([]),
    }),
    replies: { 201: NewWebhookView },
    refuses: [webhookErrors.urlNotAllowed, webhookErrors.tooMany],
    handle: async ({ body: { url, events, ...rest }, caller }) => {
      const { channel, secret } = await parts.createWebhook(caller.account, {
        ...rest,
        target: url,
        types: events,
      });
      return { status: 201 as const, body: { webhook: await viewOne(parts, channel), secret } };
    },
  }),
  route({
    method: "GET",
    path: "/webhooks",
    summary: "List webhooks",
    description: "Oldest first, with the health of each.",
    ...{ tag, limit, auth },
    replies: { 200: z.array(WebhookView) },
    handle: async ({ caller }) => ok(await viewAll(parts, await parts.channels.list(caller.account))),
  }),
];

const item = (parts: Parts): readonly Route[] => [
  route({
    method: "GET",
    path: "/webhooks/{id}",
    summary: "Get a webhook",
    ...{ tag, limit, auth },
    params: byId,
    replies: { 200: WebhookView },
    refuses: [webhookErrors.notFound],
    handle: async ({ params: { id }, caller: { account } }) =>
      ok(await viewOne(parts, await findOne(parts, { id, account }))),
  }),
  route({
    method: "PATCH",
    path: "/webhooks/{id}",
    summary: "Change a webhook",
    description:
      "Members that are left out stay as they are. Messages about changes that happen while it is inactive are never sent. A change also ends the pause after failed attempts.",
    ...{ tag, limit, auth },
    params: byId,
    body: z.object({
      url: Url.optional(),
      description: Description.optional(),
      events: Events.optional(),
      agents: Agents.optional(),
      active: z.boolean().optional(),
    }),
    replies: { 200: WebhookView },
    refuses: [webhookErrors.urlNotAllowed, webhookErrors.notFound],
    handle: async ({ params: { id }, body: { url, events, ...rest }, caller: { account } }) =>
      ok(
        await viewOne(
          parts,
          await parts.changeWebhook({ id, account }, { ...rest, target: url, types: events }),
        ),
      ),
  }),
  route({
    method: "DELETE",
    path: "/webhooks/{id}",
    summary: "Delete a webhook",
    description: "Also deletes its messages, those that wait included.",
    ...{ tag, limit, auth },
    params: byId,
    replies: { 200: z.object({ id: z.uuid(), deleted: z.literal(true) }) },
    refuses: [webhookErrors.notFound],
    handle: async ({ params: { id }, caller: { account } }) => {
      await parts.removeWebhook({ id, account });
      return ok({ id, deleted: true as const });
    },
  }),
];

const using = (parts: Parts): readonly Route[] => [
  route({
    method: "POST",
    path: "/webhooks/{id}/rotate-secret",
    summary: "Rotate a webhook's secret",
    description:
      "Returns a new secret, once. For the grace period, messages are signed with both secrets, so that receivers can change over.",
    ...{ tag, limit, auth },
    params: byId,
    body: z
      .object({ graceHours: z.number().min(0).max(longestGraceHours).default(24) })
      .default({ graceHours: 24 }),
    replies: { 200: NewWebhookView },
    refuses: [webhookErrors.notFound],
    handle: async ({ params: { id }, body: { graceHours }, caller: { account } }) => {
      const { channel, secret } = await parts.rotateSecret({ id, account }, graceHours * 60 * 60);
      return ok({ webhook: await viewOne(parts, channel), secret });
    },
  }),
  route({
    method: "POST",
    path: "/webhooks/{id}/test",
    summary: "Send a test message",
    description: "Posts a message of type webhook.test now, once, and returns the result.",
    ...{ tag, auth },
    limit: [perIp(parts.testsPerMinute), perCaller("jwt", parts.testsPerMinute), contractWalletLimit],
    params: byId,
    replies: { 200: DeliveryView },
    refuses: [webhookErrors.notFound],
    handle: async ({ params: { id }, caller: { account } }) =>
      ok(deliveryView(await parts.sendTest({ id, account }))),
  }),
];

const Page = z.object({
  deliveries: z.array(DeliveryView),
  next: z.string().nullable().meta({ description: "The cursor of the next page. Null on the last one." }),
});

const deliveryRoutes = (parts: Parts): readonly Route[] => [
  route({
    method: "GET",
    path: "/webhooks/{id}/deliveries",
    summary: "List a webhook's deliveries",
    description: "Newest first. Delivered and failed ones are kept for 30 days.",
    ...{ tag, limit, auth },
    params: byId,
    query: DeliveryQuery,
    replies: { 200: Page },
    refuses: [webhookErrors.notFound],
    handle: async ({ params: { id }, query, caller: { account } }) => {
      await findOne(parts, { id, account });
      const page = { status: query.status, before: query.cursor, limit: query.limit };
      const found: readonly Delivery[] = await parts.deliveries.list(id, page);
      const next = found.length === query.limit ? (found.at(-1)?.position ?? null) : null;
      return ok({ deliveries: found.map(deliveryView), next });
    },
  }),
  route({
    method: "POST",
    path: "/webhooks/{id}/deliveries/{deliveryId}/redeliver",
    summary: "Deliver a message again",
    description:
      "Queues the message again under the same id, after those that wait. Also ends the pause after failed attempts.",
    ...{ tag, limit, auth },
    params: z.object({ id: z.uuid(), deliveryId: z.uuid() }),
    replies: { 202: DeliveryView },
    refuses: [webhookErrors.notFound, webhookErrors.deliveryNotFound, webhookErrors.notActive],
    handle: async ({ params: { id, deliveryId }, caller: { account } }) => ({
      status: 202 as const,
      body: deliveryView(await parts.redeliver({ id, account }, deliveryId)),
    }),
  }),
];

export const webhookRoutes = (parts: Parts): readonly Route[] => [
  ...collection(parts),
  ...item(parts),
  ...using(parts),
  ...deliveryRoutes(parts),
];
