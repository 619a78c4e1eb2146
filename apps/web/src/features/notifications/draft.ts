// Reads the form of a new channel. Every problem is a sentence next to its field.
import type { Kind } from "./names.ts";

export type Fields = {
  readonly description: string;
  readonly url: string;
  readonly botToken: string;
  readonly chatId: string;
  readonly address: string;
};
export type Problems = Partial<Readonly<Record<keyof Fields, string>>>;

export const noFields: Fields = { description: "", url: "", botToken: "", chatId: "", address: "" };

type Rule = {
  readonly field: keyof Fields;
  readonly pattern: RegExp;
  readonly problem: string;
};

const rules: Readonly<Record<Kind, readonly Rule[]>> = {
  push: [],
  email: [
    {
      field: "address",
      pattern: /^[^\s@]+@[^\s@]+\.[^\s@]+$/,
      problem: "Enter an e-mail address such as you@example.org.",
    },
  ],
  slack: [
    {
      field: "url",
      pattern:
        /^https:\/\/hooks\.slack\.com\/services\/[A-Za-z0-9]{1,20}\/[A-Za-z0-9]{1,20}\/[A-Za-z0-9]{8,64}$/,
      problem: "Copy the whole address. It starts with https://hooks.slack.com/services/.",
    },
  ],
  discord: [
    {
      field: "url",
      pattern:
        /^https:\/\/(?:ptb\.|canary\.)?discord(?:app)?\.com\/api(?:\/v\d{1,2})?\/webhooks\/\d{5,25}\/[\w-]{20,128}$/,
      problem: "Copy the whole address. It starts with https://discord.com/api/webhooks/.",
    },
  ],
  telegram: [
    {
      field: "botToken",
      pattern: /^\d{5,20}:[\w-]{30,64}$/,
      problem: "A token has digits, a colon and about 35 characters. Copy it from @BotFather.",
    },
    {
      field: "chatId",
      pattern: /^(?:-?\d{1,20}|@\w{5,32})$/,
      problem: "Enter the chat’s number, such as -1001234567890, or its @name.",
    },
  ],
  webhook: [
    {
      field: "url",
      pattern: /^https?:\/\/[^\s/]+/,
      problem: "Enter an address that starts with https://.",
    },
  ],
};

/** Removes the spaces that come along when something is copied. */
export const trimmed = (fields: Fields): Fields => ({
  description: fields.description.trim(),
  url: fields.url.trim(),
  botToken: fields.botToken.trim(),
  chatId: fields.chatId.trim(),
  address: fields.address.trim(),
});

/** Returns what is missing or malformed. Empty: the service can be asked. */
export const problemsOf = (kind: Kind, fields: Fields): Problems =>
  Object.fromEntries(
    rules[kind]
      .filter(({ field, pattern }) => !pattern.test(fields[field]))
      .map(({ field, problem }) => [field, problem]),
  );
