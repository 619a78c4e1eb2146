// When messages to people are sent: quiet hours, digests, and the messages that ignore both.
import { awaitsDecision } from "./catalogue.ts";
import type { Channel, Queued } from "./channel.ts";

export type Preferences = Pick<Channel, "quietFrom" | "quietUntil" | "timeZone" | "digest">;

/** Preferences to set. Undefined: as before, or the default. */
export type ChosenPreferences = { readonly [Name in keyof Preferences]?: Preferences[Name] | undefined };

/** Messages that are sent as one. */
export type Batch = readonly [Queued, ...Queued[]];

export type Plan = { readonly batches: readonly Batch[] } | { readonly waitUntil: Date };

const minuteMs = 60_000;
const dayMinutes = 24 * 60;
/** The local minute at which daily digests are sent: 08:00. */
const digestMinute = 8 * 60;
/** An owner must have at least so long to decide after a message that could have come earlier. */
const marginMs = 60 * minuteMs;

export const isTimeZone = (name: string): boolean => {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
};

function minuteOfDay(at: Date, timeZone: string): number {
  const format = new Intl.DateTimeFormat("en", {
    ...{ hour: "numeric", minute: "numeric", hourCycle: "h23", timeZone },
  });
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  return (parts.get("hour") ?? 0) * 60 + (parts.get("minute") ?? 0);
}

const startOfMinute = (at: Date): number => at.getTime() - (at.getTime() % minuteMs);

/** The next time after `at` at which it is that minute of the day there. */
function nextAt(minute: number, at: Date, timeZone: string): Date {
  const ahead = (minute - minuteOfDay(at, timeZone) + dayMinutes) % dayMinutes;
  const guess = startOfMinute(at) + (ahead === 0 ? dayMinutes : ahead) * minuteMs;
  // Clocks may have changed in between.
  const off = minute - minuteOfDay(new Date(guess), timeZone);
  const corrected = new Date(guess + (Math.abs(off) <= 120 ? off * minuteMs : 0));
  return corrected.getTime() > at.getTime() ? corrected : new Date(guess);
}

function isQuiet({ quietFrom: from, quietUntil: until, timeZone }: Preferences, at: Date): boolean {
  if (from === null || until === null) return false;
  const minute = minuteOfDay(at, timeZone);
  return from < until ? minute >= from && minute < until : minute >= from || minute < until;
}

function endOfDigest({ digest, timeZone }: Preferences, createdAt: Date): Date {
  if (digest === null) return createdAt;
  if (digest === "daily") return nextAt(digestMinute, createdAt, timeZone);
  const minutes = 60 - (minuteOfDay(createdAt, timeZone) % 60);
  return new Date(startOfMinute(createdAt) + minutes * minuteMs);
}

const later = (one: Date, other: Date): Date => (one.getTime() > other.getTime() ? one : other);

/** When a message is sent if nothing is urgent about it. */
function scheduleOf(preferences: Preferences, { createdAt }: Queued, now: Date): Date {
  const at = later(now, endOfDigest(preferences, createdAt));
  return isQuiet(preferences, at) && preferences.quietUntil !== null
    ? nextAt(preferences.quietUntil, at, preferences.timeZone)
    : at;
}

/** Alerts never wait. Neither does a decision that would come too late for its owner. */
function dueAt(preferences: Preferences, message: Queued, now: Date): Date {
  const scheduled = scheduleOf(preferences, message, now);
  const { type, deadline } = message;
  const isTooLate = deadline !== null && deadline.getTime() - scheduled.getTime() < marginMs;
  const isUrgent = type === "transaction.alert" || (awaitsDecision(type) && isTooLate);
  return isUrgent ? now : scheduled;
}

/** The messages that an earlier attempt has sent as one, or else all up to the last one that is due. */
function headOf([first, ...others]: Batch, due: readonly Date[], now: Date): Batch {
  const last = due.findLastIndex((at) => at.getTime() <= now.getTime());
  const end = others.findIndex(
    ({ mergedInto }, index) =>
      mergedInto !== first.mergedInto || (first.mergedInto === null && index + 1 > last),
  );
  return [first, ...(end === -1 ? others : others.slice(0, end))];
}

/**
 * Decides what to do with the first waiting messages of a channel. A channel without quiet hours and digest sends each
 * alone. Another one sends all that are due as one. An urgent message takes those before it along, so that the order
 * holds.
 */
export function planOf(preferences: Preferences, messages: Batch, now: Date): Plan {
  if (preferences.quietFrom === null && preferences.digest === null)
    return { batches: messages.map((message) => [message]) };
  const due = messages.map((message) => dueAt(preferences, message, now));
  const first = Math.min(...due.map((at) => at.getTime()));
  if (first > now.getTime()) return { waitUntil: new Date(first) };
  return { batches: [headOf(messages, due, now)] };
}
