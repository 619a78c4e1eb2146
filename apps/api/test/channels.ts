// Addresses of chats in the form that the services use. The stand-in accepts all of them.
import { randomBytes } from "node:crypto";

/** Random, so that a test finds its secret wherever it leaks. */
const aSecret = (): string => randomBytes(16).toString("hex");

export const chatAddresses = {
  slack: (secret = aSecret()) => ({
    ...{ kind: "slack" as const, secret },
    url: `https://hooks.slack.com/services/T0123ABC/B4567DEF/${secret}`,
  }),
  discord: (secret = aSecret()) => ({
    ...{ kind: "discord" as const, secret },
    url: `https://discord.com/api/webhooks/123456789012345678/${secret}`,
  }),
  telegram: (secret = aSecret()) => ({
    ...{ kind: "telegram" as const, secret },
    ...{ botToken: `123456789:${secret}`, chatId: "-1001234567890" },
  }),
} as const;

export const chatKinds = ["slack", "discord", "telegram"] as const;
export type ChatKind = (typeof chatKinds)[number];
