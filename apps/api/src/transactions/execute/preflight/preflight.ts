// The last check before a transaction is sent. Since the verdict a contract may have been replaced, a pool emptied,
// an allowance given: nothing is sent unless its effect is still the verified one.
import type { Clock } from "@countersign/platform/clock";
import type { ChainSimulator, SendingTerms } from "../../../adapters/chain/index.ts";
import type { Transaction } from "../../transaction.ts";
import { differences } from "./compare.ts";
import { readSnapshot, takeSnapshot } from "./snapshot.ts";

type Parts = {
  readonly chainOf: (chainId: number) => Chain | undefined;
  readonly clock: Clock;
  readonly toleranceBps: number;
  /** Returns the stored snapshot of the transaction with that id. Undefined or null if no snapshot is stored. */
  readonly readSnapshot: (id: string) => Promise<unknown>;
};

type Chain = Pick<ChainSimulator, "simulate" | "readCodeHashes" | "readNonces">;

/** The members of a transaction that the preflight needs. */
export type Candidate = Pick<Transaction, "id" | "chainId" | "escrow" | "tx" | "deadline">;

export type Fitness =
  | { readonly ok: true }
  /** isPassing: the result may change soon. All others are final. */
  | { readonly ok: false; readonly isPassing: boolean; readonly reasons: readonly string[] };

/** Throws when the node cannot be reached. `terms`: the gas and fees that it will be sent with, if they are known. */
export type Preflight = (
  transaction: Candidate,
  verdict: { readonly validUntil: number },
  terms?: SendingTerms,
) => Promise<Fitness>;

const never = (...reasons: readonly string[]): Fitness => ({ ok: false, isPassing: false, reasons });

export const makePreflight =
  (parts: Parts): Preflight =>
  async (transaction, verdict, terms) => {
    const { chainOf, clock, toleranceBps } = parts;
    const { id, chainId, escrow, tx } = transaction;
    const old = whyTooOld(transaction, verdict, clock);
    if (old.length > 0) return never(...old);
    if (tx === null) return never("only its sender knows its call");
    const chain = chainOf(chainId);
    if (chain === undefined) return never(`no node for chain ${chainId} is configured`);
    const before = await findSnapshot(parts, id);
    if (before === undefined) return never("its effect at the time of verification is not known");
    const now = await takeSnapshot(chain, { from: escrow, ...tx, terms });
    const different = differences(before, now, { toleranceBps });
    if (different.length > 0) return never(...different);
    // Read last, so that as little time as possible is left for another transaction to begin.
    const { latest, pending } = await chain.readNonces(escrow);
    if (latest !== pending)
      return { ok: false, isPassing: true, reasons: ["another transaction of this wallet is under way"] };
    const since = whyTooOld(transaction, verdict, clock);
    return since.length > 0 ? never(...since) : { ok: true };
  };

function whyTooOld(
  { deadline }: Candidate,
  verdict: { readonly validUntil: number },
  clock: Clock,
): readonly string[] {
  const now = clock.now().getTime();
  return [
    ...(deadline.getTime() > now ? [] : ["its deadline has passed"]),
    ...(verdict.validUntil * 1000 > now ? [] : ["its verdict is no longer valid"]),
  ];
}

/** Undefined also if the stored snapshot is malformed. */
async function findSnapshot({ readSnapshot: readKept }: Parts, id: string) {
  const kept = await readKept(id);
  if (kept === undefined || kept === null) return undefined;
  try {
    return readSnapshot(kept);
  } catch {
    return undefined;
  }
}
