// URLs that receive signed messages about the account's transactions. All calls need a session.
import type {
  GetWebhooksByIdDeliveriesResponse,
  NewWebhook,
  PatchWebhooksByIdData,
  PostWebhooksData,
  Webhook,
  WebhookDelivery,
} from "./generated/api.ts";
import type { Http } from "./http.ts";
import type { RequestOptions } from "./options.ts";

/** A new webhook: its URL, and optionally the types of messages and the agents that it is about. */
export type WebhookDraft = PostWebhooksData["body"];

/** The members of a webhook to change. */
export type WebhookChange = PatchWebhooksByIdData["body"];

/** One page of deliveries, newest first. Pass `next` as `cursor` to get the next one. */
export type DeliveryPage = GetWebhooksByIdDeliveriesResponse;

/** Which deliveries to list. */
export type DeliveryListOptions = RequestOptions & {
  readonly status?: "pending" | "delivered" | "failed";
  /** At most 100. Default: 50. */
  readonly limit?: number;
  readonly cursor?: string;
};

/** Calls to manage webhooks. */
export type Webhooks = {
  /**
   * Creates a webhook. The secret is returned once and cannot be retrieved later. Receivers verify messages with it and
   * any library for https://www.standardwebhooks.com.
   *
   * @example
   * const { webhook, secret } = await owner.webhooks.create({ url: "https://receiver.example/hook" });
   */
  readonly create: (draft: WebhookDraft, options?: RequestOptions) => Promise<NewWebhook>;
  /** Lists the account's webhooks with the health of each, oldest first. */
  readonly list: (options?: RequestOptions) => Promise<readonly Webhook[]>;
  /** Returns a webhook with its health. */
  readonly get: (id: string, options?: RequestOptions) => Promise<Webhook>;
  /** Changes a webhook, and ends the pause after failed attempts. */
  readonly update: (id: string, change: WebhookChange, options?: RequestOptions) => Promise<Webhook>;
  /** Deletes a webhook and the messages that wait for it. */
  readonly delete: (id: string, options?: RequestOptions) => Promise<void>;
  /** Returns a new secret, once. Messages are signed with both secrets for `graceHours`, 24 by default. */
  readonly rotateSecret: (
    id: string,
    options?: RequestOptions & { readonly graceHours?: number },
  ) => Promise<NewWebhook>;
  /** Sends a message of type `webhook.test` now, once, and returns the result. */
  readonly test: (id: string, options?: RequestOptions) => Promise<WebhookDelivery>;
  /** Lists the messages of a webhook and the result of each. */
  readonly deliveries: (id: string, options?: DeliveryListOptions) => Promise<DeliveryPage>;
  /** Queues a message again, under the same id. */
  readonly redeliver: (id: string, deliveryId: string, options?: RequestOptions) => Promise<WebhookDelivery>;
};

export function makeWebhooks(http: Http): Webhooks {
  const call = async <T>(
    method: "DELETE" | "GET" | "PATCH" | "POST",
    path: string,
    more: Parameters<Http>[1],
  ): Promise<T> => (await http<T>(`/webhooks${path}`, { method, ...more })).body;
  const idOf = (id: string): string => `/${encodeURIComponent(id)}`;
  return {
    create: (body, { signal } = {}) => call("POST", "", { body, signal }),
    list: ({ signal } = {}) => call("GET", "", { signal }),
    get: (id, { signal } = {}) => call("GET", idOf(id), { signal }),
    update: (id, body, { signal } = {}) => call("PATCH", idOf(id), { body, signal }),
    delete: async (id, { signal } = {}) => {
      await call("DELETE", idOf(id), { signal });
    },
    rotateSecret: (id, { signal, graceHours } = {}) =>
      call("POST", `${idOf(id)}/rotate-secret`, {
        body: graceHours === undefined ? {} : { graceHours },
        signal,
      }),
    test: (id, { signal } = {}) => call("POST", `${idOf(id)}/test`, { signal }),
    deliveries: (id, { signal, ...query } = {}) => call("GET", `${idOf(id)}/deliveries`, { query, signal }),
    redeliver: (id, deliveryId, { signal } = {}) =>
      call("POST", `${idOf(id)}/deliveries${idOf(deliveryId)}/redeliver`, { signal }),
  };
}
