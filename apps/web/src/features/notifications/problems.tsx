import { ApiError, InvalidRequestError } from "@countersign/sdk";
import type { JSX } from "react";
import { Notice, ProblemNotice } from "../../components/notice.tsx";
import { NotificationsBlockedError } from "../../lib/push.ts";

/** The service's errors name members of requests; these name what the owner sees. */
const sentences: Readonly<Record<string, string>> = {
  "channels.address-not-allowed":
    "That isn’t the address of an incoming webhook. Copy it again from Slack or Discord.",
  "channels.subscription-not-allowed":
    "The service can’t reach this browser’s push service. Choose another kind.",
  "channels.wrong-code": "That isn’t the code we sent. Check the latest e-mail and try again.",
  "channels.code-expired": "This code is no longer valid. Send a new one.",
  "channels.too-many-codes": "We sent a code to this address a moment ago. Wait a minute, then try again.",
  "channels.not-active": "It’s off. Turn it on first.",
  "channels.not-found": "It was deleted. Reload the page.",
  "channels.too-many": "You have 20 channels, which is the most. Delete one first.",
  "channels.mail-failed": "The mail server didn’t take the e-mail. Check the address, or try again later.",
  "webhooks.url-not-allowed":
    "The address must start with https:// and name a public host, without a user name or password.",
  "webhooks.not-active": "It’s off. Turn it on first.",
  "webhooks.not-found": "It was deleted. Reload the page.",
  "webhooks.too-many": "You have 10 webhooks, which is the most. Delete one first.",
};

/** Returns a sentence for errors whose own message is not meant for owners. */
function sentenceOf(error: unknown): string | undefined {
  if (error instanceof NotificationsBlockedError)
    return "This browser blocks notifications from us. Allow them in the browser’s site settings, then try again.";
  if (error instanceof DOMException)
    return "This browser couldn’t reach its push service. Check the connection, or choose another kind.";
  const known = error instanceof ApiError && error.code !== undefined ? sentences[error.code] : undefined;
  if (known !== undefined) return known;
  return error instanceof InvalidRequestError
    ? "The service didn’t accept this. Check what you entered."
    : undefined;
}

type Props = { readonly title: string; readonly error: unknown };

export function Problem({ title, error }: Props): JSX.Element | null {
  if (error === null) return null;
  const sentence = sentenceOf(error);
  return sentence === undefined ? (
    <ProblemNotice {...{ title, error }} />
  ) : (
    <Notice tone="bad" live="assertive" title={title}>
      {sentence}
    </Notice>
  );
}
