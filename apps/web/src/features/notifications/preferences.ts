// The owner's choices for one receiver, as the form holds them.
import type { ChannelChange } from "@countersign/sdk";
import { messageTypes, type MessageType } from "./names.ts";
import type { Receiver } from "./receivers.ts";

export type Choice = {
  readonly description: string;
  readonly events: readonly MessageType[];
  /** Undefined: all agents, also those that connect later. */
  readonly agents: readonly string[] | undefined;
  readonly isQuiet: boolean;
  readonly from: string;
  readonly until: string;
  readonly timeZone: string;
  readonly digest: "none" | "hourly" | "daily";
};

const usualNight = { from: "22:00", until: "07:00" };

export const choiceOf = (
  { description, events, agents, rhythm }: Receiver,
  browserTimeZone: string,
): Choice => ({
  description,
  events: events.length === 0 ? messageTypes : events,
  agents: agents.length === 0 ? undefined : agents,
  isQuiet: rhythm?.quietHours != null,
  ...(rhythm?.quietHours ?? usualNight),
  // Without quiet hours or a digest the stored zone is a default that the owner never chose.
  timeZone:
    rhythm === undefined || (rhythm.quietHours === null && rhythm.digest === null)
      ? browserTimeZone
      : rhythm.timeZone,
  digest: rhythm?.digest ?? "none",
});

export const problemOfChoice = ({ events, agents, isQuiet, from, until }: Choice): string | undefined => {
  if (events.length === 0) return "Choose at least one kind of message, or turn the channel off.";
  if (agents?.length === 0) return "Choose at least one agent, or all of them.";
  if (isQuiet && (from === "" || until === "")) return "Enter when quiet hours begin and end.";
  return isQuiet && from === until ? "Quiet hours must end at another time than they begin." : undefined;
};

/** Returns the change to send. All messages and all agents are sent as an empty list. */
export function changeOf(choice: Choice, { rhythm }: Receiver): ChannelChange {
  const { description, events, agents, isQuiet, from, until, timeZone, digest } = choice;
  return {
    description: description.trim(),
    events: events.length === messageTypes.length ? [] : [...events],
    agents: [...(agents ?? [])],
    ...(rhythm === undefined
      ? {}
      : {
          quietHours: isQuiet ? { from, until } : null,
          timeZone,
          digest: digest === "none" ? null : digest,
        }),
  };
}
