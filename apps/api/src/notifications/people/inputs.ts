// Members of requests about channels for people.
import { z } from "zod";
import type { TransactionType } from "../catalogue.ts";
import { Agents, Description, Events } from "../inputs.ts";
import { isTimeZone, type ChosenPreferences } from "../schedule.ts";

/** The default for people: decisions, and whatever went wrong. */
const usualTypes: TransactionType[] = [
  "transaction.needs_decision",
  "transaction.expiring",
  "transaction.blocked",
  "transaction.failed",
  "transaction.alert",
];

const Time = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, "must be a time such as 22:00");

const QuietHours = z
  .object({ from: Time, until: Time })
  .refine(({ from, until }) => from !== until, "must not begin when they end")
  .nullable()
  .meta({
    description:
      "Every day from and until these times in the time zone, messages wait. Alerts do not, nor does a decision that would expire less than an hour after the end. Null: none.",
  });
const TimeZone = z
  .string()
  .max(64)
  .refine(isTimeZone, "must be a time zone such as Europe/Zurich")
  .meta({ description: "Of quiet hours and digests, as in the IANA database. Default: UTC." });
const Digest = z.enum(["hourly", "daily"]).nullable().meta({
  description:
    "Sends the messages of an hour, or of a day at 08:00, as one. Alerts, and decisions that would come too late, are sent at once with those before them. Null: each message is sent at once.",
});

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

type QuietHours = z.infer<typeof QuietHours>;

/** Converts quiet hours to minutes. Undefined stays undefined, which changes nothing. */
export const quietOf = (
  quietHours: QuietHours | undefined,
): Pick<ChosenPreferences, "quietFrom" | "quietUntil"> => {
  if (quietHours === undefined) return {};
  if (quietHours === null) return { quietFrom: null, quietUntil: null };
  return { quietFrom: minutesOf(quietHours.from), quietUntil: minutesOf(quietHours.until) };
};

const chosen = {
  description: Description.default(""),
  events: Events.default(usualTypes).meta({
    description:
      "The types of messages to receive. Empty: all. Default: decisions, blocked and failed transactions, and alerts.",
  }),
  agents: Agents.default([]),
  quietHours: QuietHours.default(null),
  timeZone: TimeZone.default("UTC"),
  digest: Digest.default(null),
};

const HookUrl = z
  .string()
  .max(500)
  .meta({ description: "The incoming webhook. Stored encrypted and never shown again." });
const BotToken = z
  .string()
  .regex(/^\d{5,20}:[A-Za-z0-9_-]{30,64}$/, "must be the token of a Telegram bot")
  .meta({ description: "Stored encrypted and never shown again." });
const ChatId = z
  .string()
  .regex(/^(?:-?\d{1,20}|@[A-Za-z0-9_]{5,32})$/, "must be the number or the @name of a chat")
  .meta({ description: "The chat that the bot writes to." });

const MailAddress = z
  .email()
  .max(254)
  .meta({ description: "Confirmed with a code before anything else is sent to it." });

const PushSubscription = z
  .object({
    endpoint: z.url().max(1000),
    keys: z.object({
      p256dh: z.string().regex(/^[\w-]{87}=?$/, "must be a P-256 public key in base64url"),
      auth: z.string().regex(/^[\w-]{22}(?:==)?$/, "must have 16 bytes in base64url"),
    }),
  })
  .meta({
    description:
      "As the browser's PushManager returns it, subscribed with the key of GET /channel-kinds. Stored encrypted and never shown again.",
  });

export const NewChannelBody = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("slack"), url: HookUrl, ...chosen }),
  z.object({ kind: z.literal("discord"), url: HookUrl, ...chosen }),
  z.object({ kind: z.literal("telegram"), botToken: BotToken, chatId: ChatId, ...chosen }),
  z.object({ kind: z.literal("email"), address: MailAddress, ...chosen }),
  z.object({ kind: z.literal("push"), subscription: PushSubscription, ...chosen }),
]);
type NewChannelBody = z.infer<typeof NewChannelBody>;

type WithoutChoice<Body> = Body extends unknown ? Omit<Body, keyof typeof chosen> : never;

/** The members that say where messages go. */
export type Address = WithoutChoice<NewChannelBody>;

export const ChannelChangeBody = z.object({
  description: Description.optional(),
  events: Events.optional(),
  agents: Agents.optional(),
  active: z.boolean().optional(),
  quietHours: QuietHours.optional(),
  timeZone: TimeZone.optional(),
  digest: Digest.optional(),
});
