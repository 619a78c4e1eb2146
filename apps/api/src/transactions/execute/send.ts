// Orders one transaction, once. Every step may be repeated, including the order itself, because the keeper identifies
// it by its request hash and is asked for an existing order first.
import { crashPoint } from "@countersign/platform/crash";
import type { Log } from "@countersign/platform/log";
import { SenderRefused, type Order, type Report, type Sender } from "../../adapters/sender.ts";
import type { Transition } from "../transition.ts";
import { isTerminal } from "../lifecycle.ts";
import type { Preflight } from "./preflight/index.ts";
import type { Begun, TransactionStore } from "../store/index.ts";
import type { Hex, Transaction } from "../transaction.ts";
import type { GiveUp, AbandonIfStale } from "./outcome.ts";
import type { ReadVerdict } from "./read-verdict.ts";
import type { Senders } from "../senders.ts";

type Parts = {
  readonly store: Pick<TransactionStore, "find" | "findExecution" | "noteTheirId">;
  readonly transition: Pick<Transition, "change">;
  readonly senders: Pick<Senders, "open">;
  readonly readVerdict: ReadVerdict;
  readonly preflight: Preflight;
  readonly giveUp: GiveUp;
  readonly abandonIfStale: AbandonIfStale;
  readonly log: Log;
};

/** asked: they have it. over: nothing is left to send. wait: not now, or the outcome is unknown; try again later. */
export type Sent = "asked" | "over" | "wait";

/** They may have an order before their lookup finds it: for this long after the first attempt they are asked again. */
const graceSeconds = 60;

const orderOf = ({ requestHash, chainId, tx }: Transaction): Order => {
  if (tx === null) throw new Error("the sender encrypted it, so we cannot send it");
  return { requestHash, chainId, ...tx };
};

/** The last check before sending. Returns undefined if it may be sent. */
async function findObstacle(
  { readVerdict, preflight }: Parts,
  transaction: Transaction,
): Promise<{ readonly why: readonly string[]; readonly isPassing: boolean } | undefined> {
  const verdict = await readVerdict(transaction);
  if ("why" in verdict) return { ...verdict, isPassing: false };
  const found = await preflight(transaction, verdict);
  return found.ok ? undefined : { why: found.reasons, isPassing: found.isPassing };
}

async function note(
  { store, transition }: Parts,
  { id, requestHash }: Transaction,
  { theirId }: Report,
): Promise<void> {
  await store.noteTheirId(id, theirId);
  await transition.change({ requestHash }, () => ({ events: ["broadcast"] }));
}

type Sending = { readonly transaction: Transaction; readonly execution: Begun };

/** Returns false if it may not be sent. From here on it may have been sent, whatever the answer. */
async function markAsLeaving({ transition }: Parts, { requestHash }: Transaction): Promise<boolean> {
  const changed = await transition.change({ requestHash }, () => ({ events: ["broadcast"] }));
  return changed?.after.phase === "BROADCAST";
}

async function ask(parts: Parts, sender: Sender, transaction: Transaction): Promise<Sent> {
  if (!(await markAsLeaving(parts, transaction))) return "over";
  crashPoint("execute: before asking");
  try {
    await note(parts, transaction, await sender.send(orderOf(transaction)));
  } catch (error) {
    if (!(error instanceof SenderRefused)) throw error;
    await parts.giveUp(transaction.requestHash, [error.message]);
    return "over";
  }
  crashPoint("execute: after asking");
  return "asked";
}

/** Their lookup finds nothing under this hash. */
async function sendNow(parts: Parts, { transaction, execution }: Sending): Promise<Sent> {
  const found = await findObstacle(parts, transaction);
  // After the long check: its owner may have changed the setup in the meantime.
  const sender = await parts.senders.open(execution, "send");
  const obstacle =
    sender === undefined
      ? { why: ["the wallet's custodian or provider may no longer be asked to send"], isPassing: false }
      : found;
  if (sender !== undefined && obstacle === undefined) return ask(parts, sender, transaction);
  if (obstacle === undefined || obstacle.isPassing) return "wait";
  // They were asked before, and that order may still appear.
  if (transaction.phase === "BROADCAST" && execution.seconds < graceSeconds) return "wait";
  parts.log.warn("transaction not sent", {
    key: transaction.requestHash,
    reason: obstacle.why.join("; "),
  });
  await parts.giveUp(transaction.requestHash, obstacle.why);
  return "over";
}

/**
 * Returns their order under this hash. Before the first request they have nothing, so a failed lookup does
 * not prevent sending: if they refuse us altogether, they also refuse the order, and it is certain that
 * nothing was sent.
 */
async function findOrder(
  { senders }: Parts,
  { transaction, execution }: Sending,
): Promise<Report | undefined> {
  const asking = await senders.open(execution, "ask");
  const found = asking?.find(transaction.requestHash);
  return transaction.phase === "EXECUTING" ? found?.catch(() => undefined) : found;
}

async function trySending(parts: Parts, requestHash: Hex): Promise<Sent> {
  const transaction = await parts.store.find(requestHash);
  if (transaction === undefined || isTerminal(transaction)) return "over";
  if (transaction.phase !== "EXECUTING" && transaction.phase !== "BROADCAST") return "asked";
  const execution = await parts.store.findExecution(transaction.id);
  if (execution === undefined) throw new Error("an execution without an intent");
  const known = await findOrder(parts, { transaction, execution });
  if (known === undefined) return sendNow(parts, { transaction, execution });
  await note(parts, transaction, known);
  return "asked";
}

export const makeSend = (parts: Parts) =>
  async function send(requestHash: Hex): Promise<Sent> {
    try {
      return await trySending(parts, requestHash);
    } catch (error) {
      // An unknown outcome is not a failure: the next round asks for the existing order first.
      parts.log.warn("sending interrupted, retrying", { key: requestHash, error });
      return (await parts.abandonIfStale(requestHash)) ? "over" : "wait";
    }
  };
