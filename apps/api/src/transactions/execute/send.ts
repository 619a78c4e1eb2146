// Asks for one transaction, once. Everything before the asking may be repeated; so may the asking, because they know the
// order by its request hash, and are asked what they have under it first.
import { crashPoint } from "@countersign/platform/crash";
import type { Log } from "@countersign/platform/log";
import { SenderRefused, type Order, type Report, type Sender } from "../../adapters/sender.ts";
import type { Transition } from "../transition.ts";
import { isTerminal } from "../lifecycle.ts";
import type { Preflight } from "./preflight/index.ts";
import type { Begun, TransactionStore } from "../store/index.ts";
import type { Hex, Transaction } from "../transaction.ts";
import type { GiveUp, LoseHope } from "./outcome.ts";
import type { ReadVerdict } from "./read-verdict.ts";
import type { Senders } from "../senders.ts";

type Parts = {
  readonly store: Pick<TransactionStore, "find" | "findExecution" | "noteTheirId">;
  readonly transition: Pick<Transition, "change">;
  readonly senders: Pick<Senders, "open">;
  readonly readVerdict: ReadVerdict;
  readonly preflight: Preflight;
  readonly giveUp: GiveUp;
  readonly loseHope: LoseHope;
  readonly log: Log;
};

/** asked: they have it. over: nothing is left to send. wait: not now, or it is not known; look again in a while. */
export type Sent = "asked" | "over" | "wait";

/** They may have it and not know it yet: for so long after the first time they are asked again. */
const graceSeconds = 60;

const orderOf = ({ requestHash, chainId, tx }: Transaction): Order => {
  if (tx === null) throw new Error("what the sender sealed is not ours to send");
  return { requestHash, chainId, ...tx };
};

/** The last look before it leaves. Undefined: it may. */
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

/** False if it may not leave. From here on it may have, whatever becomes of the answer. */
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

/** They have nothing under this hash, as far as they know. */
async function sendNow(parts: Parts, { transaction, execution }: Sending): Promise<Sent> {
  const found = await findObstacle(parts, transaction);
  // After the long look: meanwhile its owner may have wanted it otherwise.
  const sender = await parts.senders.open(execution, "send");
  const obstacle =
    sender === undefined
      ? { why: ["whoever keeps the wallet may no longer be asked to send"], isPassing: false }
      : found;
  if (sender !== undefined && obstacle === undefined) return ask(parts, sender, transaction);
  if (obstacle === undefined || obstacle.isPassing) return "wait";
  // They were asked before: what they were asked for may still turn up.
  if (transaction.phase === "BROADCAST" && execution.seconds < graceSeconds) return "wait";
  parts.log.warn("a transaction is not sent", {
    key: transaction.requestHash,
    reason: obstacle.why.join("; "),
  });
  await parts.giveUp(transaction.requestHash, obstacle.why);
  return "over";
}

/**
 * What they have under it. Until they were asked for it they have nothing, so that it may be sent also when that cannot be
 * learnt: if they will not have us at all, they say so to the order itself, and it is known that it never left.
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
      // Not known is not failed: they are asked again what they have, before anything else.
      parts.log.warn("sending was cut off; it is looked into again", { key: requestHash, error });
      return (await parts.loseHope(requestHash)) ? "over" : "wait";
    }
  };
