import type { Clock } from "@countersign/platform/clock";
import { newId } from "@countersign/platform/ids";
import type { TestType } from "./catalogue.ts";
import type { Channel, ChannelKey, Delivery } from "./channel.ts";
import type { SharedErrors } from "./errors.ts";
import type { OpenChannel } from "./send.ts";
import type { ChannelStore } from "./store/channels.ts";
import type { DeliveryStore } from "./store/deliveries.ts";

type Parts = {
  readonly channels: Pick<ChannelStore, "find" | "resume">;
  readonly deliveries: Pick<DeliveryStore, "addTest" | "find">;
  readonly openChannel: OpenChannel;
  readonly clock: Clock;
  readonly errors: Pick<SharedErrors, "notFound">;
  /** The type of the message. */
  readonly testType: TestType;
  /** Throws if the channel may not be sent to yet. */
  readonly requireReady?: (channel: Channel) => void;
};

/** Sends a test now, once, outside the queue. A success ends the pause after a failure. */
export const makeSendTest = ({
  channels,
  deliveries,
  openChannel,
  clock,
  errors,
  testType: type,
  requireReady,
}: Parts) =>
  async function sendTest(key: ChannelKey): Promise<Delivery> {
    const channel = await channels.find(key);
    if (channel !== undefined) requireReady?.(channel);
    const send = channel === undefined ? undefined : await openChannel(channel);
    if (channel === undefined || send === undefined) throw errors.notFound();
    const { account, id: channelId } = channel;
    const id = newId();
    const posted = await send([{ id, type, attempts: 0, createdAt: clock.now(), event: null }]);
    await deliveries.addTest({ id, channelId, account, type, ...posted });
    if (posted.error === null) await channels.resume(channelId);
    const delivery = await deliveries.find({ id, channelId });
    if (delivery === undefined) throw errors.notFound();
    return delivery;
  };
