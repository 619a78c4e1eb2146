import { z } from "zod";
import { peopleKinds, type Channel, type Delivery, type PeopleKind } from "../channel.ts";
import type { Configured } from "./configured.ts";
import { channelMembers, deliveryMembers, deliveryView, sharedView } from "../views.ts";

export const ChannelView = z
  .object({
    id: z.uuid(),
    kind: z.enum(peopleKinds),
    target: z.string().meta({
      description:
        "Where messages go, without the secret: the end of a URL, a chat, an e-mail address, or a push service.",
    }),
    confirmed: z.boolean().meta({
      description: "Whether the address is known to be the owner's. Nothing but a code is sent to it before.",
    }),
    ...channelMembers,
    quietHours: z
      .object({ from: z.string(), until: z.string() })
      .nullable()
      .meta({ description: "Local times between which messages wait. Null: none." }),
    timeZone: z.string(),
    digest: z
      .enum(["hourly", "daily"])
      .nullable()
      .meta({ description: "How often messages are sent as one. Null: each at once." }),
    createdAt: z.iso.datetime(),
  })
  .meta({
    id: "Channel",
    description:
      "A chat, an e-mail address or a browser that receives messages about the account's transactions.",
  });

export const ChannelDeliveryView = z
  .object({
    ...deliveryMembers,
    messageId: z.string().meta({ description: "The same for every attempt." }),
  })
  .meta({ id: "ChannelDelivery", description: "A message to a channel and the result of its last attempt." });

const timeOf = (minutes: number): string =>
  [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, "0")).join(":");

const quietView = ({ quietFrom: from, quietUntil: until }: Channel) =>
  from === null || until === null ? null : { from: timeOf(from), until: timeOf(until) };

export const channelView = (channel: Channel, pending: number): z.infer<typeof ChannelView> => ({
  id: channel.id,
  // The store of these channels returns no others.
  kind: channel.kind as PeopleKind,
  target: channel.target,
  confirmed: channel.confirmedAt !== null,
  ...sharedView(channel, pending),
  quietHours: quietView(channel),
  timeZone: channel.timeZone,
  digest: channel.digest,
  createdAt: channel.createdAt.toISOString(),
});

export const channelDeliveryView = (delivery: Delivery): z.infer<typeof ChannelDeliveryView> =>
  deliveryView(delivery);

export const ChannelKindView = z
  .object({
    kind: z.enum(peopleKinds),
    available: z.boolean().meta({ description: "Whether channels of this kind can be created." }),
    publicKey: z
      .string()
      .nullable()
      .meta({ description: "Of push: the `applicationServerKey` that browsers subscribe with." }),
  })
  .meta({ id: "ChannelKind", description: "A kind of channel for people." });

export const kindViews = ({ hasMail, pushKey }: Configured): z.infer<typeof ChannelKindView>[] =>
  peopleKinds.map((kind) => ({
    kind,
    available: (kind !== "email" || hasMail) && (kind !== "push" || pushKey !== null),
    publicKey: kind === "push" ? pushKey : null,
  }));
