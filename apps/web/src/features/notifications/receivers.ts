// Channels for people and webhooks for programs, as one list.
import type { Channel, ChannelDelivery, ChannelKind, Webhook } from "@countersign/sdk";
import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
  type UseMutationResult,
} from "@tanstack/react-query";
import { api } from "../../lib/api.ts";
import { currentEndpoint } from "../../lib/push.ts";
import type { Kind } from "./names.ts";

/** Where messages go: a channel, or a webhook, which has no quiet hours and no digest. */
export type Receiver = Pick<
  Channel,
  | "id"
  | "target"
  | "confirmed"
  | "description"
  | "events"
  | "agents"
  | "active"
  | "disabledReason"
  | "health"
  | "createdAt"
> & {
  readonly kind: Kind;
  readonly rhythm: Pick<Channel, "quietHours" | "timeZone" | "digest"> | undefined;
};

const receiverOfChannel = ({ quietHours, timeZone, digest, ...channel }: Channel): Receiver => ({
  ...channel,
  rhythm: { quietHours, timeZone, digest },
});

const receiverOfWebhook = ({ url, ...webhook }: Webhook): Receiver => ({
  ...webhook,
  kind: "webhook",
  target: url,
  confirmed: true,
  rhythm: undefined,
});

/** The calls about one receiver. */
export const callsOf = ({ kind }: Pick<Receiver, "kind">) =>
  kind === "webhook" ? api.webhooks : api.channels;

const refreshMs = 30_000;

/** All receivers, oldest first, with their health. */
export const receiversQuery = queryOptions({
  queryKey: ["notifications", "receivers"],
  queryFn: async ({ signal }): Promise<readonly Receiver[]> => {
    const [channels, webhooks] = await Promise.all([
      api.channels.list({ signal }),
      api.webhooks.list({ signal }),
    ]);
    return [...channels.map(receiverOfChannel), ...webhooks.map(receiverOfWebhook)];
  },
  refetchInterval: refreshMs,
});

export const kindsQuery = queryOptions({
  queryKey: ["notifications", "kinds"],
  queryFn: ({ signal }): Promise<readonly ChannelKind[]> => api.channels.kinds({ signal }),
});

/** Where this browser receives messages, or null. */
export const endpointQuery = queryOptions({
  queryKey: ["notifications", "endpoint"],
  queryFn: currentEndpoint,
});

/** The service shows the host and the last characters of an endpoint, which is a secret. */
export const isThisBrowser = ({ kind, target }: Receiver, endpoint: string | null | undefined): boolean =>
  kind === "push" && endpoint != null && target === `${new URL(endpoint).host}/…${endpoint.slice(-4)}`;

export type Delivery = ChannelDelivery;

const deliveriesKey = (id: string) => ["notifications", "deliveries", id] as const;
const pageLength = 10;

export const deliveriesQuery = (receiver: Receiver) =>
  infiniteQueryOptions({
    queryKey: deliveriesKey(receiver.id),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      callsOf(receiver).deliveries(receiver.id, {
        ...{ signal, limit: pageLength },
        ...(pageParam === undefined ? {} : { cursor: pageParam }),
      }),
    getNextPageParam: ({ next }) => next ?? undefined,
    refetchInterval: refreshMs,
  });

/** A change of a receiver. Lists are read again whether or not it succeeded: a request may have arrived despite an error. */
export function useChange<Input, Result>(
  change: (input: Input) => Promise<Result>,
  onSuccess?: (result: Result) => void,
): UseMutationResult<Result, Error, Input> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    // A result may contain a secret.
    gcTime: 0,
    ...(onSuccess === undefined ? {} : { onSuccess }),
    onSettled: () => client.invalidateQueries({ queryKey: ["notifications"] }),
  });
}
