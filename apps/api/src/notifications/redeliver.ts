import type { ChannelKey, Delivery } from "./channel.ts";
import type { SharedErrors } from "./errors.ts";
import type { ChannelStore } from "./store/channels.ts";
import type { DeliveryStore } from "./store/deliveries.ts";

type Parts = {
  readonly channels: Pick<ChannelStore, "find">;
  readonly deliveries: Pick<DeliveryStore, "find" | "requeue">;
  readonly errors: SharedErrors;
};

/** Queues a message again, under the same id. */
export const makeRedeliver = ({ channels, deliveries, errors }: Parts) =>
  async function redeliver(key: ChannelKey, deliveryId: string): Promise<Delivery> {
    const channel = await channels.find(key);
    if (channel === undefined) throw errors.notFound();
    const delivery = { id: deliveryId, channelId: channel.id };
    if ((await deliveries.find(delivery)) === undefined) throw errors.deliveryNotFound();
    if (!channel.active) throw errors.notActive();
    const queued = await deliveries.requeue(delivery);
    if (queued === undefined) throw errors.deliveryNotFound();
    return queued;
  };
