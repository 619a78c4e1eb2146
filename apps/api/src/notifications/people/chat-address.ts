// Reads the addresses of chat channels. Only their secret part is kept: the host is always the service's own.
import { channelErrors } from "../errors.ts";

type ChatAddress = {
  /** As shown to the owner, without the secret. */
  readonly target: string;
  /** The path at the service, which allows anyone to post. */
  readonly path: string;
};

const forms = {
  slack: /^https:\/\/hooks\.slack\.com(\/services\/[A-Za-z0-9]{1,20}\/[A-Za-z0-9]{1,20}\/[A-Za-z0-9]{8,64})$/,
  discord:
    /^https:\/\/(?:ptb\.|canary\.)?discord(?:app)?\.com\/api(?:\/v\d{1,2})?\/webhooks(\/\d{5,25}\/[A-Za-z0-9_-]{20,128})$/,
} as const;

/** Throws unless the URL is an incoming webhook of that service. */
export function readChatUrl(kind: keyof typeof forms, url: string): ChatAddress {
  const path = forms[kind].exec(url)?.[1];
  if (path === undefined) throw channelErrors.addressNotAllowed();
  return { target: `${new URL(url).host}/…${path.slice(-4)}`, path };
}

/** The path for messages of a bot. */
export const telegramPath = (botToken: string): string => `/bot${botToken}/sendMessage`;
