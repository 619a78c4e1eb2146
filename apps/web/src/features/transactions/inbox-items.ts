// The rows of the inbox: what each says, which group it is in, and whether it matches a filter.
import type { TransactionView } from "@countersign/sdk";
import { subjectOf, titleOf } from "../../components/report/effects.ts";
import { givesAccess, readCall } from "../../lib/call.ts";
import { coinAmount } from "../../components/report/plain-words.ts";
import { releasedOf } from "./releasing.ts";
import { groupOf, inOrder, isForOwnersWallet, verdictOf, type Group, type Said } from "./status.ts";

export type InboxItem = {
  readonly transaction: TransactionView;
  readonly title: string;
  /** The outflow, if calldata alone shows it. */
  readonly amount: string | undefined;
  readonly verdict: Said;
  readonly agent: string;
  /** Lower-case text that a search looks through. */
  readonly text: string;
};

/** A match that gives access, or that a signature can use later, is never green. Only approvals in the outermost call are seen here; the page sees all. */
function verdictIn(transaction: TransactionView): Said {
  const { tx, calls, chainId } = transaction;
  const verdict = verdictOf(transaction);
  if (verdict.tone === "good" && releasedOf(transaction)?.isDeferred === true)
    return { tone: "risk", word: "Matches, can be used later" };
  const sent = tx === null ? (calls?.calls ?? []) : [tx];
  if (verdict.tone !== "good" || !sent.some((call) => givesAccess(readCall(call, chainId)))) return verdict;
  return { tone: "risk", word: "Matches, gives access" };
}

function amountIn({ tx, chainId }: TransactionView): string | undefined {
  if (tx === null) return undefined;
  const call = readCall(tx, chainId);
  if (call.kind === "pay") return `−${coinAmount(call.wei, chainId)}`;
  if (call.kind === "send" && call.amount !== "an amount") return `−${call.amount} ${call.token}`;
  return call.kind === "allow" ? "0 now" : undefined;
}

export function itemOf(transaction: TransactionView, nameOf: (agent: string) => string): InboxItem {
  const { chainId, description, agent } = transaction;
  const subject = subjectOf(transaction);
  const title = subject === undefined ? "Encrypted by the agent" : titleOf(subject, chainId);
  const name = nameOf(agent);
  return {
    ...{ transaction, title, agent: name, verdict: verdictIn(transaction), amount: amountIn(transaction) },
    text: `${title} ${name} ${description} ${transaction.requestHash}`.toLowerCase(),
  };
}

export type Filter = { readonly q: string; readonly outcome: string; readonly agent: string };

export const outcomes: Readonly<Record<string, readonly [label: string, tones: readonly string[]]>> = {
  matches: ["Matches", ["good"]],
  closely: ["Look closely", ["risk", "open"]],
  differs: ["Differs", ["bad"]],
};

export const isWanted = ({ text, verdict, agent }: InboxItem, filter: Filter): boolean =>
  filter.q
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word)) &&
  (filter.outcome === "" || outcomes[filter.outcome]?.[1].includes(verdict.tone) === true) &&
  (filter.agent === "" || agent === filter.agent);

const soonMs = 60 * 60 * 1000;

/** Heading of an item's section under Needs you: first what expires soon, then what needs a closer look. */
function sectionOf({ transaction, verdict }: InboxItem, now: number): string {
  const { expiresAt } = transaction;
  if (isForOwnersWallet(transaction)) return "Ready to send";
  if (expiresAt !== null && Date.parse(expiresAt) - now < soonMs) return "Expires within the hour";
  return verdict.tone === "good" ? "Matches what you asked" : "Look closely";
}

const sections = ["Expires within the hour", "Ready to send", "Look closely", "Matches what you asked"];

export type Section = { readonly heading: string | undefined; readonly items: readonly InboxItem[] };

/** Returns the items of a tab in order, in sections under Needs you. */
export function sectionsOf(group: Group, items: readonly InboxItem[], now: number): readonly Section[] {
  const within = items.filter(({ transaction }) => groupOf(transaction) === group);
  const byHash = new Map(within.map((item) => [item.transaction.requestHash, item]));
  const ordered = inOrder(
    group,
    within.map(({ transaction }) => transaction),
  ).flatMap(({ requestHash }) => byHash.get(requestHash) ?? []);
  if (group !== "needs-you") return [{ heading: undefined, items: ordered }];
  const of = Map.groupBy(ordered, (item) => sectionOf(item, now));
  return sections.flatMap((heading) => {
    const found = of.get(heading);
    return found === undefined ? [] : [{ heading, items: found }];
  });
}
