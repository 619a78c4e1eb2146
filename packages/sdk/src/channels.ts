// Chats, e-mail addresses and browsers that receive messages about the account's transactions. All calls need a session.
import type {
  Channel,
  ChannelDelivery,
  ChannelKind,
  GetChannelsByIdDeliveriesResponse,
  PatchChannelsByIdData,
  PostChannelsData,
} from "./generated/api.ts";
import type { Http } from "./http.ts";
import type { RequestOptions } from "./options.ts";
import type { DeliveryListOptions } from "./webhooks.ts";

/** A new channel: its kind and address, and optionally the types of messages and the agents that it is about. */
export type ChannelDraft = PostChannelsData["body"];

/** The members of a channel to change. */
export type ChannelChange = PatchChannelsByIdData["body"];

/** One page of deliveries, newest first. Pass `next` as `cursor` to get the next one. */
export type ChannelDeliveryPage = GetChannelsByIdDeliveriesResponse;

/** Calls to manage channels for people. Programs receive messages with `webhooks`. */
export type Channels = {
  /**
   * Creates a channel. Its address is stored encrypted and never returned.
   *
   * @example
   * const { id } = await owner.channels.create({ kind: "slack", url: process.env.SLACK_HOOK });
   */
  readonly create: (draft: ChannelDraft, options?: RequestOptions) => Promise<Channel>;
  /** Lists the account's channels with the health of each, oldest first. */
  readonly list: (options?: RequestOptions) => Promise<readonly Channel[]>;
  /** Returns a channel with its health. */
  readonly get: (id: string, options?: RequestOptions) => Promise<Channel>;
  /** Changes a channel, and ends the pause after failed attempts. */
  readonly update: (id: string, change: ChannelChange, options?: RequestOptions) => Promise<Channel>;
  /** Deletes a channel and the messages that wait for it. */
  readonly delete: (id: string, options?: RequestOptions) => Promise<void>;
  /** Returns the kinds of channels, and whether the operator has configured what each needs. */
  readonly kinds: (options?: RequestOptions) => Promise<readonly ChannelKind[]>;
  /** Mails a code to the e-mail address of a channel. It is valid for an hour. */
  readonly sendCode: (id: string, options?: RequestOptions) => Promise<Channel>;
  /** Confirms an e-mail address with the code that was sent to it. Messages are sent to it from then on. */
  readonly confirm: (id: string, code: string, options?: RequestOptions) => Promise<Channel>;
  /** Sends a test message now, once, and returns the result. */
  readonly test: (id: string, options?: RequestOptions) => Promise<ChannelDelivery>;
  /** Lists the messages of a channel and the result of each. */
  readonly deliveries: (id: string, options?: DeliveryListOptions) => Promise<ChannelDeliveryPage>;
  /** Queues a message again, under the same id. */
  readonly redeliver: (id: string, deliveryId: string, options?: RequestOptions) => Promise<ChannelDelivery>;
};

export function makeChannels(http: Http): Channels {
  const call = async <T>(
    method: "DELETE" | "GET" | "PATCH" | "POST",
    path: string,
    more: Parameters<Http>[1],
  ): Promise<T> => (await http<T>(`/channels${path}`, { method, ...more })).body;
  const idOf = (id: string): string => `/${encodeURIComponent(id)}`;
  return {
    create: (body, { signal } = {}) => call("POST", "", { body, signal }),
    list: ({ signal } = {}) => call("GET", "", { signal }),
    get: (id, { signal } = {}) => call("GET", idOf(id), { signal }),
    update: (id, body, { signal } = {}) => call("PATCH", idOf(id), { body, signal }),
    delete: async (id, { signal } = {}) => {
      await call("DELETE", idOf(id), { signal });
    },
    kinds: async ({ signal } = {}) => (await http<readonly ChannelKind[]>("/channel-kinds", { signal })).body,
    sendCode: (id, { signal } = {}) => call("POST", `${idOf(id)}/code`, { signal }),
    confirm: (id, code, { signal } = {}) => call("POST", `${idOf(id)}/confirm`, { body: { code }, signal }),
    test: (id, { signal } = {}) => call("POST", `${idOf(id)}/test`, { signal }),
    deliveries: (id, { signal, ...query } = {}) => call("GET", `${idOf(id)}/deliveries`, { query, signal }),
    redeliver: (id, deliveryId, { signal } = {}) =>
      call("POST", `${idOf(id)}/deliveries${idOf(deliveryId)}/redeliver`, { signal }),
  };
}
