// The last check before a transaction is sent. Since the verdict a contract may have been replaced, a pool emptied,
// an allowance given: nothing is sent unless its effect is still the verified one.
import type { Clock } from "@countersign/platform/clock";
import type { ChainSimulator, SendingTerms, SimulatedCall } from "../../../adapters/chain/index.ts";
import type { Transaction } from "../../transaction.ts";
import { differences } from "./compare.ts";
import { breachesOf, findBounds, placeOf } from "./keep-bounds.ts";
import { lookAt, readSnapshot, type Snapshot } from "./snapshot.ts";

type Parts = {
  readonly chainOf: (chainId: number) => Chain | undefined;
  readonly clock: Clock;
  readonly toleranceBps: number;
  /** Returns the stored snapshot of the transaction with that id. Undefined or null if no snapshot is stored. */
  readonly readSnapshot: (id: string) => Promise<unknown>;
  /** Returns the report that was signed with the verdict. Undefined or null if there is none. */
  readonly readReport: (id: string) => Promise<unknown>;
};

type Chain = Pick<ChainSimulator, "simulate" | "readCodeHashes" | "readNonces" | "readBlockHash">;

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
    const unfit = await simulateAgain(chain, {
      ...{ before, toleranceBps, clock, report: await parts.readReport(id) },
      call: { from: escrow, ...tx, terms },
    });
    if (unfit !== undefined) return unfit;
    // Read last, so that as little time as possible is left for another transaction to begin.
    const { latest, pending } = await chain.readNonces(escrow);
    if (latest !== pending)
      return { ok: false, isPassing: true, reasons: ["another transaction of this wallet is under way"] };
    const since = whyTooOld(transaction, verdict, clock);
    return since.length > 0 ? never(...since) : { ok: true };
  };

type Again = {
  readonly before: Snapshot;
  readonly report: unknown;
  readonly call: SimulatedCall;
  readonly toleranceBps: number;
  readonly clock: Clock;
};

/** The validator refuses older states, too. */
const maxAgeSeconds = 600;

/** Compares the effect on the newest block with the stored one, and with the bounds that the report has. */
async function simulateAgain(
  chain: Chain,
  { before, report, call, toleranceBps, clock }: Again,
): Promise<Fitness | undefined> {
  const found = findBounds(report, call.from);
  if (found.kind === "refused") return never(found.why);
  const bounds = found.kind === "bounds" ? found.bounds : undefined;
  const place = bounds === undefined ? "same" : await placeOf(chain, bounds);
  if (place === "forked") return never("the block that it was verified on is no longer part of the chain");
  if (place === "late")
    return {
      ok: false,
      isPassing: true,
      reasons: ["the node has not reached the block of the verification"],
    };
  const measures = bounds?.changes ?? [];
  const { snapshot, simulation } = await lookAt(chain, { ...call, measures });
  const age = Math.floor(clock.now().getTime() / 1000) - Number(simulation.time);
  if (bounds !== undefined && age > maxAgeSeconds)
    return { ok: false, isPassing: true, reasons: [`the node's newest block is ${age} seconds old`] };
  const different = [
    ...differences(before, snapshot, { toleranceBps }),
    ...(bounds === undefined ? [] : breachesOf(bounds, simulation, snapshot.effects)),
  ];
  return different.length > 0 ? never(...new Set(different)) : undefined;
}

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
