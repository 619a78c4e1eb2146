// When a failed message is sent again, and when the service gives up.
import type { ChannelKind } from "./channel.ts";

/** A message is given up after this many failed attempts. The next one is tried then. */
export const attemptsAtMost = 10;
/** A channel is switched off after failing for so long. */
const failingDaysAtMost = 5;
const longestPauseMs = 60 * 60 * 1000;

/** Answers that mean that a receiver will accept no more messages: it was deleted, or its credentials were revoked. */
const gone: Readonly<Record<ChannelKind, readonly number[]>> = {
  webhook: [410],
  slack: [404, 410],
  discord: [404, 410],
  // A revoked token, a chat that has removed the bot, and an unknown token.
  telegram: [401, 403, 404],
  // Replies of a mail server: the mailbox does not exist, has moved, or its name is not allowed.
  email: [550, 551, 553],
  // The browser's subscription has ended.
  push: [404, 410],
};

/**
 * The pause after so many failed attempts of a channel in a row: four times as long each time, at most an hour. A
 * receiver may ask for more (`askedMs`), up to the same hour.
 */
export const pauseMsAfter = (failures: number, firstPauseMs: number, askedMs = 0): number =>
  Math.min(longestPauseMs, Math.max(askedMs, firstPauseMs * 4 ** Math.max(0, failures - 1)));

type Failing = {
  readonly kind: ChannelKind;
  readonly status: number | null;
  readonly failingSince: Date;
  readonly now: Date;
};

const nameOf = (status: number): string => (status === 410 ? "410 Gone" : String(status));

/** Returns why a channel is to be switched off, or undefined to keep it. */
export function disabledReasonOf({ kind, status, failingSince, now }: Failing): string | undefined {
  if (status !== null && gone[kind].includes(status)) return `The receiver answered ${nameOf(status)}`;
  const failingMs = now.getTime() - failingSince.getTime();
  return failingMs >= failingDaysAtMost * 24 * 60 * 60 * 1000
    ? `Every attempt of ${failingDaysAtMost} days failed`
    : undefined;
}
