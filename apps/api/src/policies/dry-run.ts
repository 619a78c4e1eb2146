// Runs a policy over past transactions: what it would have allowed, asked about and denied.
import type { Past } from "../mandates/index.ts";
import type { Cedar } from "./cedar.ts";
import type { Price } from "../prices/index.ts";
import { decide, type Decision, type Policy } from "./decide.ts";

export type Version = { readonly policy: Policy; readonly timeZone: string };
export type Ran = { readonly past: Past; readonly decision: Decision };

type Given = {
  readonly account: string;
  readonly history: readonly Past[];
  /** Of today. Past prices are not kept. */
  readonly prices: ReadonlyMap<string, Price>;
};

const dayMs = 24 * 60 * 60 * 1000;

/**
 * Decides about each in the order of time. A recipient is known once an earlier one of these transactions paid it and was
 * executed; payments before the first are not looked at. All that were not denied count for the day.
 */
export function dryRun(
  cedar: Cedar,
  { policy, timeZone }: Version,
  { account, history, prices }: Given,
): readonly Ran[] {
  const known = new Set<string>();
  const counted: number[] = [];
  return history.map((past) => {
    const now = past.at.getTime();
    const dayCount = 1 + counted.filter((at) => at > now - dayMs).length;
    const decision = decide(cedar, policy, { ...past, account, timeZone, known, dayCount, prices });
    if (decision.outcome !== "deny") counted.push(now);
    if (past.isExecuted)
      for (const party of (past.moves ?? []).flatMap(({ parties }) => parties)) known.add(party);
    return { past, decision };
  });
}

export type Counts = { readonly allow: number; readonly ask: number; readonly deny: number };

export const countsOf = (ran: readonly Ran[]): Counts => {
  const of = (outcome: keyof Counts): number =>
    ran.filter(({ decision }) => decision.outcome === outcome).length;
  return { allow: of("allow"), ask: of("ask"), deny: of("deny") };
};
