// Whether an agent may do something without its owner. Only a mandate that the owner's wallet signed allows it.
import type { Account } from "../../accounts/index.ts";
import type { Db } from "../../platform/db/connect.ts";
import { outsideMandate, unknownEffects, whyNotCovered, type Refusal } from "../cover.ts";
import { readMoves } from "../moves.ts";
import { reserve } from "./budgets.ts";
import { listCandidates, needsMandate } from "./candidates.ts";

type Asked = {
  readonly account: Account;
  readonly agent: string;
  readonly transactionId: string;
  readonly chainId: number;
  readonly value: bigint;
  readonly to: string | null;
  /** The owner's address, and the account whose money it is. */
  readonly own: readonly string[];
  /** From a report that a signed verdict covers. Undefined without such a report. */
  readonly effects: unknown;
};

/** The mandate that allows it, null for an agent without mandates; or why the owner is asked. */
export type Within = { readonly mandateId: string | null } | Refusal;

/**
 * Reserves the amounts under the newest mandate that covers the transaction. An agent that ever had a mandate is
 * approved only within one, also after it has ended; so is an agent that is newer than the account's first mandate. The
 * caller holds the lock of the ledger.
 */
export async function grantWithin(tx: Db, asked: Asked): Promise<Within> {
  const all = await listCandidates(tx, asked);
  if (all.length === 0)
    return (await needsMandate(tx, asked))
      ? { code: "NO_MANDATE", message: "This agent was added after your first mandate and has none yet" }
      : { mandateId: null };
  const live = all.filter(({ isLive }) => isLive);
  if (live.length === 0) return { code: "NO_MANDATE", message: "No mandate of this agent is valid now" };
  const moves = readMoves(asked.effects, asked);
  if (moves === undefined) return unknownEffects;
  const reasons: string[] = [];
  for (const mandate of live) {
    const why = whyNotCovered(mandate.terms, moves) ?? (await reserve(tx, { ...asked, mandate, moves }));
    if (why === undefined) return { mandateId: mandate.id };
    reasons.push(why);
  }
  return outsideMandate(reasons[0] ?? "No mandate covers it");
}
