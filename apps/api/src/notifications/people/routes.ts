import { anyOf, defaultLimits, ok, perCaller, perIp, route, type Route } from "@countersign/platform/http";
import { z } from "zod";
import { contractWalletLimit } from "../../adapters/wallets/index.ts";
import { jwt } from "../../sign-in/index.ts";
import { signature } from "../../signed-requests/index.ts";
import type { Channel, ChannelKey } from "../channel.ts";
import type { makeChangeChannel } from "../change.ts";
import { channelErrors } from "../errors.ts";
import { DeliveryQuery } from "../inputs.ts";
import type { makeRedeliver } from "../redeliver.ts";
import type { makeRemoveChannel } from "../remove.ts";
import type { makeSendTest } from "../send-test.ts";
import type { ChannelStore } from "../store/channels.ts";
import type { DeliveryStore } from "../store/deliveries.ts";
import type { Configured } from "./configured.ts";
import type { makeConfirm, makeSendCode } from "./confirm.ts";
import type { makeCreateChannel } from "./create.ts";
import { ChannelChangeBody, NewChannelBody, quietOf } from "./inputs.ts";
import {
  ChannelDeliveryView,
  channelDeliveryView,
  ChannelKindView,
  ChannelView,
  channelView,
  kindViews,
} from "./views.ts";

type Parts = {
  readonly createChannel: ReturnType<typeof makeCreateChannel>;
  readonly changeChannel: ReturnType<typeof makeChangeChannel>;
  readonly removeChannel: ReturnType<typeof makeRemoveChannel>;
  readonly sendCode: ReturnType<typeof makeSendCode>;
  readonly confirm: ReturnType<typeof makeConfirm>;
  readonly sendTest: ReturnType<typeof makeSendTest>;
  readonly redeliver: ReturnType<typeof makeRedeliver>;
  readonly channels: Pick<ChannelStore, "find" | "list">;
  readonly deliveries: Pick<DeliveryStore, "list" | "countPending">;
  /** Tests per minute from one address, and by one owner. */
  readonly testsPerMinute: number;
  /** Codes per minute from one address, and by one owner. */
  readonly codesPerMinute: number;
  readonly configured: Configured;
};

const auth = anyOf(jwt, signature);
const tag = "Channels";
const limit = [...defaultLimits, contractWalletLimit];
const byId = z.object({ id: z.uuid() });

async function findOne({ channels }: Parts, key: ChannelKey): Promise<Channel> {
  const found = await channels.find(key);
  if (found === undefined) throw channelErrors.notFound();
  return found;
}

const viewAll = async (
  { deliveries }: Parts,
  channels: readonly Channel[],
): Promise<z.infer<typeof ChannelView>[]> => {
  const pending = await deliveries.countPending(channels.map(({ id }) => id));
  return channels.map((channel) => channelView(channel, pending.get(channel.id) ?? 0));
};

const viewOne = async (parts: Parts, channel: Channel): Promise<z.infer<typeof ChannelView>> => {
  const pending = await parts.deliveries.countPending([channel.id]);
  return channelView(channel, pending.get(channel.id) ?? 0);
};

const collection = (parts: Parts): readonly Route[] => [
  route({
    method: "POST",
    path: "/channels",
    summary: "Create a channel",
    description:
      "Messages about the account's transactions are sent to a chat, an e-mail address or a browser from now on: what it does, the outcome and a link to its page. A message never decides anything. An e-mail address must be confirmed first. At most 20 per account.",
    ...{ tag, limit, auth },
    body: NewChannelBody,
    replies: { 201: ChannelView },
    refuses: [
      ...[channelErrors.addressNotAllowed, channelErrors.subscriptionNotAllowed, channelErrors.tooMany],
      ...[channelErrors.mailUnavailable, channelErrors.pushUnavailable],
    ],
    handle: async ({ body, caller }) => {
      const { description, events, agents, quietHours, timeZone, digest, ...address } = body;
      const chosen = { description, types: events, agents, ...quietOf(quietHours), timeZone, digest };
      const channel = await parts.createChannel(caller.account, address, chosen);
      return { status: 201 as const, body: await viewOne(parts, channel) };
    },
  }),
  route({
    method: "GET",
    path: "/channels",
    summary: "List channels",
    description: "Oldest first, with the health of each. Webhooks have a list of their own.",
    ...{ tag, limit, auth },
    replies: { 200: z.array(ChannelView) },
    handle: async ({ caller }) => ok(await viewAll(parts, await parts.channels.list(caller.account))),
  }),
];

const item = (parts: Parts): readonly Route[] => [
  route({
    method: "GET",
    path: "/channels/{id}",
    summary: "Get a channel",
    ...{ tag, limit, auth },
    params: byId,
    replies: { 200: ChannelView },
    refuses: [channelErrors.notFound],
    handle: async ({ params: { id }, caller: { account } }) =>
      ok(await viewOne(parts, await findOne(parts, { id, account }))),
  }),
  route({
    method: "PATCH",
    path: "/channels/{id}",
    summary: "Change a channel",
    description:
      "Members that are left out stay as they are. Where messages go cannot be changed: create another channel. Messages about changes that happen while it is inactive are never sent. A change also ends the pause after failed attempts.",
    ...{ tag, limit, auth },
    params: byId,
    body: ChannelChangeBody,
    replies: { 200: ChannelView },
    refuses: [channelErrors.notFound],
    handle: async ({ params: { id }, body: { events, quietHours, ...rest }, caller: { account } }) => {
      const change = { ...rest, types: events, ...quietOf(quietHours) };
      return ok(await viewOne(parts, await parts.changeChannel({ id, account }, change)));
    },
  }),
  route({
    method: "DELETE",
    path: "/channels/{id}",
    summary: "Delete a channel",
    description: "Also deletes its messages, those that wait included.",
    ...{ tag, limit, auth },
    params: byId,
    replies: { 200: z.object({ id: z.uuid(), deleted: z.literal(true) }) },
    refuses: [channelErrors.notFound],
    handle: async ({ params: { id }, caller: { account } }) => {
      await parts.removeChannel({ id, account });
      return ok({ id, deleted: true as const });
    },
  }),
  route({
    method: "POST",
    path: "/channels/{id}/test",
    summary: "Send a test message",
    description: "Sends a message of type channel.test now, once, and returns the result.",
    ...{ tag, auth },
    limit: [perIp(parts.testsPerMinute), perCaller("jwt", parts.testsPerMinute), contractWalletLimit],
    params: byId,
    replies: { 200: ChannelDeliveryView },
    refuses: [channelErrors.notFound, channelErrors.notConfirmed],
    handle: async ({ params: { id }, caller: { account } }) =>
      ok(channelDeliveryView(await parts.sendTest({ id, account }))),
  }),
];

const confirming = (parts: Parts): readonly Route[] => [
  route({
    method: "POST",
    path: "/channels/{id}/code",
    summary: "Send a code to an e-mail address",
    description:
      "Mails a code that is valid for an hour and replaces an earlier one. Confirm the address with it. At most one a minute.",
    ...{ tag, auth },
    limit: [perIp(parts.codesPerMinute), perCaller("jwt", parts.codesPerMinute), contractWalletLimit],
    params: byId,
    replies: { 202: ChannelView },
    refuses: [
      ...[channelErrors.notFound, channelErrors.alreadyConfirmed, channelErrors.tooManyCodes],
      ...[channelErrors.mailUnavailable, channelErrors.mailFailed],
    ],
    handle: async ({ params: { id }, caller: { account } }) => ({
      status: 202 as const,
      body: await viewOne(parts, await parts.sendCode({ id, account })),
    }),
  }),
  route({
    method: "POST",
    path: "/channels/{id}/confirm",
    summary: "Confirm an e-mail address",
    description: "Messages are sent to the address from then on. A code can be tried five times.",
    ...{ tag, limit, auth },
    params: byId,
    body: z.object({ code: z.string().regex(/^\d{8}$/, "must have 8 digits") }),
    replies: { 200: ChannelView },
    refuses: [
      ...[channelErrors.wrongCode, channelErrors.notFound],
      ...[channelErrors.alreadyConfirmed, channelErrors.codeExpired],
    ],
    handle: async ({ params: { id }, body: { code }, caller: { account } }) =>
      ok(await viewOne(parts, await parts.confirm({ id, account }, code))),
  }),
  route({
    method: "GET",
    path: "/channel-kinds",
    summary: "List the kinds of channels",
    description: "And whether the operator has configured what each needs.",
    ...{ tag, limit, auth },
    replies: { 200: z.array(ChannelKindView) },
    handle: () => Promise.resolve(ok(kindViews(parts.configured))),
  }),
];

const Page = z.object({
  deliveries: z.array(ChannelDeliveryView),
  next: z.string().nullable().meta({ description: "The cursor of the next page. Null on the last one." }),
});

const deliveryRoutes = (parts: Parts): readonly Route[] => [
  route({
    method: "GET",
    path: "/channels/{id}/deliveries",
    summary: "List a channel's deliveries",
    description: "Newest first. Delivered and failed ones are kept for 30 days.",
    ...{ tag, limit, auth },
    params: byId,
    query: DeliveryQuery,
    replies: { 200: Page },
    refuses: [channelErrors.notFound],
    handle: async ({ params: { id }, query, caller: { account } }) => {
      await findOne(parts, { id, account });
      const page = { status: query.status, before: query.cursor, limit: query.limit };
      const found = await parts.deliveries.list(id, page);
      const next = found.length === query.limit ? (found.at(-1)?.position ?? null) : null;
      return ok({ deliveries: found.map(channelDeliveryView), next });
    },
  }),
  route({
    method: "POST",
    path: "/channels/{id}/deliveries/{deliveryId}/redeliver",
    summary: "Deliver a message to a channel again",
    description:
      "Queues the message again under the same id, after those that wait. Also ends the pause after failed attempts.",
    ...{ tag, limit, auth },
    params: z.object({ id: z.uuid(), deliveryId: z.uuid() }),
    replies: { 202: ChannelDeliveryView },
    refuses: [channelErrors.notFound, channelErrors.deliveryNotFound, channelErrors.notActive],
    handle: async ({ params: { id, deliveryId }, caller: { account } }) => ({
      status: 202 as const,
      body: channelDeliveryView(await parts.redeliver({ id, account }, deliveryId)),
    }),
  }),
];

export const channelRoutes = (parts: Parts): readonly Route[] => [
  ...collection(parts),
  ...item(parts),
  ...confirming(parts),
  ...deliveryRoutes(parts),
];
