// The settings for notifications. To be spread into the schema.
import { flag, text, webAddress, wholeNumber } from "@countersign/platform/config";

export const notificationSettings = {
  NOTIFY_EVERY_MS: wholeNumber()
    .min(50)
    .default(500)
    .describe(
      "How often new events are queued for webhooks and other channels, and waiting messages are sent.",
    ),
  NOTIFY_RETRY_MS: wholeNumber()
    .min(50)
    .default(1000)
    .describe(
      "The pause after the first failed attempt of a notification. It is four times as long after each further one, at most an hour.",
    ),
  WEBHOOK_TIMEOUT_MS: wholeNumber()
    .min(100)
    .max(15_000)
    .default(10_000)
    .describe("How long a webhook's receiver, or a chat service, has to answer."),
  WEBHOOK_TESTS_PER_MINUTE: wholeNumber()
    .min(1)
    .default(10)
    .describe(
      "Test messages to webhooks and other channels per minute from one IP address, and by one owner.",
    ),
  WEBHOOK_LOOPBACK: flag().prefault("false").meta({
    inProduction: "unset",
    description:
      "Whether webhooks may be on this machine, also without TLS. For development: all other private addresses stay refused.",
  }),
  SMTP_URL: text()
    .refine(
      (url) => /^smtps?:$/.test(URL.parse(url)?.protocol ?? ""),
      "must be a URL such as smtps://user:password@host:465",
    )
    .optional()
    .meta({
      secret: true,
      description:
        "The mail server for notifications, as smtps://user:password@host:465, or smtp:// with STARTTLS. Without it, and MAIL_FROM, owners cannot choose e-mail.",
    }),
  MAIL_FROM: text()
    .max(300)
    .regex(/^[^\r\n]*@[^\r\n]*$/, "must be an e-mail address, with or without a name")
    .optional()
    .describe("The sender of mails, such as Countersign <notify@countersign.example>."),
  MAIL_CODES_PER_MINUTE: wholeNumber()
    .min(1)
    .default(3)
    .describe("Codes that confirm e-mail addresses, per minute from one IP address, and by one owner."),
  VAPID_PUBLIC_KEY: text()
    .regex(/^[\w-]{87}$/, "must be a P-256 public key in base64url")
    .optional()
    .describe(
      "The key that browsers subscribe with, from `npx web-push generate-vapid-keys`. Without it and the next two, owners cannot choose push.",
    ),
  VAPID_PRIVATE_KEY: text()
    .regex(/^[\w-]{43}$/, "must be a P-256 private key in base64url")
    .optional()
    .meta({ secret: true, description: "Its private key, which signs messages to push services." }),
  VAPID_SUBJECT: text()
    .regex(/^(?:mailto:|https:\/\/)\S+$/, "must be a mailto: or https: address")
    .optional()
    .describe("How push services reach the operator, such as mailto:ops@countersign.example."),
  SLACK_URL: webAddress()
    .prefault("https://hooks.slack.com")
    .describe("Where Slack receives messages. Another address is for tests."),
  DISCORD_URL: webAddress()
    .prefault("https://discord.com/api/webhooks")
    .describe("Where Discord receives messages. Another address is for tests."),
  TELEGRAM_URL: webAddress()
    .prefault("https://api.telegram.org")
    .describe("Telegram's Bot API. Another address is for tests, or a Bot API server of your own."),
};
