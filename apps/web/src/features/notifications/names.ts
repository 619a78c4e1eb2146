// Names of the kinds of channels and of the messages.
import type { Channel } from "@countersign/sdk";

export type Kind = Channel["kind"] | "webhook";
export type MessageType = Channel["events"][number];

export const kindNames: Readonly<Record<Kind, string>> = {
  push: "This browser",
  email: "E-mail",
  slack: "Slack",
  discord: "Discord",
  telegram: "Telegram",
  webhook: "Webhook",
};

/** The most urgent first. */
export const messageNames: Readonly<Record<MessageType, readonly [name: string, told: string]>> = {
  "transaction.needs_decision": ["Needs your decision", "It’s checked, and you decide"],
  "transaction.expiring": ["Expires soon", "You haven’t decided yet"],
  "transaction.alert": ["Security alert", "Something was sent that you didn’t approve"],
  "transaction.blocked": ["Blocked", "Differs from what you asked"],
  "transaction.failed": ["Failed", "Approved, but not executed"],
  "transaction.expired": ["Expired", "Not decided or not sent in time"],
  "transaction.executed": ["Executed", "Final on the network"],
  "transaction.used": ["Used", "A released signature is used on the network"],
  "transaction.unused": ["Not used", "A released signature can’t be used any more"],
  "transaction.approved": ["Approved", "By you or a mandate; it can be sent"],
  "transaction.rejected": ["Rejected or withdrawn", "By you, an administrator or the agent"],
  "transaction.proposed": ["Proposed", "Before it’s checked"],
  "transaction.updated": ["Every other change", "Steps in between, for programs"],
};

export const messageTypes = Object.keys(messageNames) as readonly MessageType[];

/** Names a message in the delivery log. Types of a newer service are shown as they are. */
export function messageName(type: string): string {
  if (type === "webhook.test" || type === "channel.test") return "Test";
  return (messageNames as Readonly<Record<string, readonly [string, string]>>)[type]?.[0] ?? type;
}

/** An empty choice means all, here and in the service. */
export function describeEvents(events: readonly MessageType[]): string {
  if (events.length === 0) return "Everything";
  const names = messageTypes.filter((type) => events.includes(type)).map((type) => messageNames[type][0]);
  return names.map((name, index) => (index === 0 ? name : name.toLowerCase())).join(", ");
}
