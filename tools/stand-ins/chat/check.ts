// Checks a message as the chat services do: its form, and the limits that they document.
import { z } from "zod";

export type ChatService = "slack" | "discord" | "telegram";

const paths: Readonly<Record<ChatService, RegExp>> = {
  slack: /^\/services\/[A-Za-z0-9]+\/[A-Za-z0-9]+\/[A-Za-z0-9]+$/,
  discord: /^\/api\/webhooks\/\d+\/[A-Za-z0-9_-]+$/,
  telegram: /^\/bot\d+:[A-Za-z0-9_-]+\/sendMessage$/,
};

export const serviceOf = (path: string): ChatService | undefined =>
  (Object.keys(paths) as ChatService[]).find((service) => paths[service].test(path));

const PlainText = z.strictObject({
  type: z.literal("plain_text"),
  text: z.string().min(1).max(3000),
  emoji: z.boolean().optional(),
});
const Markup = z.strictObject({
  type: z.literal("mrkdwn"),
  text: z.string().min(1).max(3000),
  verbatim: z.boolean().optional(),
});
const Text = z.discriminatedUnion("type", [PlainText, Markup]);

const Slack = z.strictObject({
  text: z.string().max(40_000),
  unfurl_links: z.boolean().optional(),
  unfurl_media: z.boolean().optional(),
  blocks: z
    .array(
      z.discriminatedUnion("type", [
        z.strictObject({ type: z.literal("section"), block_id: z.string().max(255).optional(), text: Text }),
        z.strictObject({ type: z.literal("context"), elements: z.array(Text).min(1).max(10) }),
      ]),
    )
    .max(50),
});

const Discord = z.strictObject({
  allowed_mentions: z.strictObject({ parse: z.array(z.string()) }),
  embeds: z
    .array(
      z.strictObject({
        title: z.string().min(1).max(256),
        url: z.url(),
        description: z.string().max(4096),
        fields: z
          .array(z.strictObject({ name: z.string().max(256), value: z.string().min(1).max(1024) }))
          .max(25)
          .optional(),
      }),
    )
    .min(1)
    .max(10),
});

const Telegram = z
  .strictObject({
    chat_id: z.string(),
    text: z.string().min(1).max(4096),
    entities: z.array(
      z.strictObject({ type: z.enum(["bold", "code"]), offset: z.int().min(0), length: z.int().min(1) }),
    ),
    link_preview_options: z.strictObject({ is_disabled: z.boolean() }),
  })
  .refine(({ text, entities }) => entities.every(({ offset, length }) => offset + length <= text.length));

const forms: Readonly<Record<ChatService, z.ZodType>> = {
  slack: Slack,
  discord: Discord,
  telegram: Telegram,
};

/** Returns why a service would refuse a body, or undefined. */
export function problemOf(
  service: ChatService,
  contentType: string | undefined,
  body: string,
): string | undefined {
  if (contentType !== "application/json") return "unsupported content type";
  try {
    return forms[service].safeParse(JSON.parse(body)).error?.message;
  } catch {
    return "invalid JSON";
  }
}
