// A message to a person, before it is written in the form of a channel.
import { awaitsDecision, type MessageType } from "../catalogue.ts";
import type { Waiting } from "../channel.ts";
import { messageIdOf, pageOf } from "../message.ts";
import { effectLines, type Facts } from "./facts.ts";

export type Notice = {
  /** The same for every attempt. */
  readonly id: string;
  readonly title: string;
  /** Sentences of ours, without a full stop. */
  readonly lines: readonly string[];
  /** Untrusted: an agent may have chosen its name. One line of visible characters. */
  readonly agentName: string | null;
  /** The page on which the owner reads more and decides. */
  readonly url: string;
};

const titles: Readonly<Record<MessageType, string>> = {
  "transaction.proposed": "An agent proposed a transaction",
  "transaction.needs_decision": "Needs your decision",
  "transaction.expiring": "Expires soon: you have not decided",
  "transaction.approved": "Approved",
  "transaction.blocked": "Blocked: it differs from what you asked",
  "transaction.rejected": "Rejected",
  "transaction.expired": "Expired: it was not decided or not executed in time",
  "transaction.executed": "Executed",
  "transaction.used": "Used on the chain",
  "transaction.unused": "Released and not used: it can no longer be used",
  "transaction.failed": "Failed: it was approved and not executed",
  "transaction.alert": "Security alert: the chain shows something that was not approved",
  "transaction.updated": "Updated",
  "webhook.test": "Test message",
  "channel.test": "Test message",
};

const nameAtMost = 60;

/** Makes untrusted text one line of visible characters, of bounded length. */
export function oneLine(text: string): string {
  const visible = text
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, " ")
    .replaceAll(/\s+/gu, " ")
    .trim();
  const characters = Array.from(visible);
  return characters.length <= nameAtMost ? visible : `${characters.slice(0, nameAtMost - 1).join("")}…`;
}

const minuteOf = (date: Date): string => `${date.toISOString().slice(0, 16).replace("T", " ")} UTC`;

/** Returns a test notice if the message has no event. */
export function noticeOf(
  { id, type, event }: Pick<Waiting, "id" | "type" | "event">,
  facts: Facts | undefined,
  uiUrl: string,
): Notice {
  const made = { id: messageIdOf(id), title: titles[type] };
  if (event === null)
    return { ...made, lines: ["This channel receives your notifications"], agentName: null, url: uiUrl };
  const url = pageOf(event.requestHash, uiUrl);
  if (facts === undefined) return { ...made, lines: [], agentName: null, url };
  const until = awaitsDecision(type) ? [`Expires ${minuteOf(facts.deadline)}`] : [];
  const name = facts.agentName === null ? "" : oneLine(facts.agentName);
  return {
    ...made,
    lines: [...effectLines(facts), ...until],
    agentName: name === "" ? null : name,
    url,
  };
}
