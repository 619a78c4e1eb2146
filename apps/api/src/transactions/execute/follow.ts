// Asks the keeper for the outcome and checks it on the chain. The keeper's report only says where to look.
import type { Log } from "@countersign/platform/log";
import type { Clock } from "@countersign/platform/clock";
import type { ChainReader } from "../../adapters/chain/index.ts";
import type { Report, Sender } from "../../adapters/sender.ts";
import type { Transition } from "../transition.ts";
import { isTerminal } from "../lifecycle.ts";
import type { TransactionStore } from "../store/index.ts";
import type { Execution, Hex, Transaction } from "../transaction.ts";
import type { Sightings } from "../watch/index.ts";
import type { GiveUp, AbandonIfStale } from "./outcome.ts";
import type { Senders } from "../senders.ts";

type FollowedChain = Pick<ChainReader, "readReceipt" | "readCall" | "readHeader">;

type Parts = {
  readonly store: Pick<TransactionStore, "find" | "findExecution">;
  readonly transition: Pick<Transition, "change">;
  readonly senders: Pick<Senders, "open">;
  readonly chainOf: (chainId: number) => FollowedChain | undefined;
  readonly sightingsOf: (chain: FollowedChain) => Pick<Sightings, "see" | "seeMismatch">;
  readonly giveUp: GiveUp;
  readonly abandonIfStale: AbandonIfStale;
  readonly clock: Clock;
  readonly log: Log;
};

/** over: it has ended. watched: it is in a block, and the chain watch does the rest. */
export type Followed = "over" | "watched" | "under way";

/** Whether their order matches ours. Members that they do not report are ignored. */
function isAsAsked({ call }: Report, { tx }: Transaction): boolean {
  if (tx === null) return false;
  return (["to", "value", "data"] as const).every(
    (member) => call[member] === undefined || call[member] === tx[member],
  );
}

type Found = {
  readonly execution: Execution;
  /** Whether this wallet sent it, whatever it is. */
  readonly isFromHere: boolean;
  readonly isOurs: boolean;
  readonly succeeded: boolean;
};

/** Returns the transaction that they name, if it is in a block. `pending`: it may still be included. */
async function lookFor(
  chain: FollowedChain,
  hash: Hex,
  { escrow, expected }: Transaction,
): Promise<Found | "pending" | "unknown"> {
  const call = await chain.readCall(hash);
  if (call === undefined) return "unknown";
  const receipt = await chain.readReceipt(hash, escrow);
  if (receipt === undefined) return "pending";
  const isFromHere = call.from === escrow;
  const isOurs =
    isFromHere &&
    call.to === expected?.to &&
    call.value === expected.value &&
    call.dataHash === expected.dataHash;
  const { block, blockHash, succeeded } = receipt;
  return { execution: { hash, block, blockHash }, isFromHere, isOurs, succeeded };
}

/** They have another call on record under our order. Raises an alert, and asks them to cancel while they can. */
async function raiseAlarm({ transition, log }: Parts, transaction: Transaction, told: Told): Promise<void> {
  const { requestHash, alert } = transaction;
  if (alert === null) {
    log.error("custodian order differs from approved transaction", { key: requestHash });
    await transition.change({ requestHash }, () => ({ events: ["noticeMismatch"] }));
  }
  await cancel(told);
}

type Told = { readonly sender: Sender; readonly report: Report };

/** It may be too late. Then the chain will show it. */
async function cancel({ sender, report }: Told): Promise<void> {
  if (report.state === "under way" && report.hash === null)
    await sender.cancel(report.theirId).catch(() => undefined);
}

/**
 * elsewhere: they name another wallet's transaction. It is not ours, and what this wallet has sent is still
 * unknown.
 */
type Seen = "seen" | "maybe" | "elsewhere" | "no";

/** Checks the chain for the hash that they name. */
async function takeSighting(parts: Parts, transaction: Transaction, report: Report): Promise<Seen> {
  const chain = parts.chainOf(transaction.chainId);
  if (chain === undefined || report.hash === null) return "no";
  const found = await lookFor(chain, report.hash, transaction);
  if (found === "pending") return "maybe";
  if (found === "unknown") return "no";
  if (!found.isFromHere) return "elsewhere";
  const sightings = parts.sightingsOf(chain);
  if (!found.isOurs) {
    await sightings.seeMismatch(transaction.id, found.execution);
    return "seen";
  }
  // If not accepted, it executes another identical proposal.
  return (await sightings.see(transaction.id, found)) ? "seen" : "maybe";
}

/** Returns why nothing more can be expected from them. Undefined if it may still come. */
function whyOver(report: Report, seen: Seen, isLate: boolean): string | undefined {
  if (report.state === "failed" && seen !== "maybe")
    return `the wallet's custodian or provider says: ${report.detail}`;
  return report.state === "done" && seen === "elsewhere" && isLate
    ? "the wallet's custodian or provider names a transaction of another wallet"
    : undefined;
}

async function hear(parts: Parts, transaction: Transaction, told: Told): Promise<Followed> {
  const { report } = told;
  const { requestHash, deadline } = transaction;
  const isAsked = isAsAsked(report, transaction);
  if (!isAsked) await raiseAlarm(parts, transaction, told);
  const seen = await takeSighting(parts, transaction, report);
  if (seen === "seen") return "watched";
  if (isAsked && seen === "elsewhere") await raiseAlarm(parts, transaction, told);
  // The approval has a deadline. A transaction that has not been sent by then should not be sent.
  const isLate = deadline <= parts.clock.now();
  const why = whyOver(report, seen, isLate);
  if (why !== undefined) {
    await parts.giveUp(requestHash, [why]);
    return "over";
  }
  if (isLate) await cancel(told);
  return "under way";
}

async function tryFollowing(parts: Parts, requestHash: Hex): Promise<Followed> {
  const transaction = await parts.store.find(requestHash);
  if (transaction === undefined || isTerminal(transaction)) return "over";
  if (transaction.phase !== "BROADCAST") return "watched";
  const execution = await parts.store.findExecution(transaction.id);
  const sender = execution && (await parts.senders.open(execution, "ask"));
  const report = await sender?.find(requestHash);
  if (sender !== undefined && report !== undefined) return hear(parts, transaction, { sender, report });
  return (await parts.abandonIfStale(requestHash)) ? "over" : "under way";
}

export const makeFollow = (parts: Parts) =>
  async function follow(requestHash: Hex): Promise<Followed> {
    try {
      return await tryFollowing(parts, requestHash);
    } catch (error) {
      parts.log.warn("outcome of a transaction not available, retrying", {
        key: requestHash,
        error,
      });
      return (await parts.abandonIfStale(requestHash)) ? "over" : "under way";
    }
  };
