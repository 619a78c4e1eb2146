// Sends the transactions that the service may send: records the intent, simulates once more, orders once, and follows
// until the chain has it. Transactions of an owner's own wallet are not handled here: the chain watch sees them.
import type { Clock } from "@countersign/platform/clock";
import type { FlowSteps } from "../../platform/flows/index.ts";
import type { BeginExecution } from "./begin-execution.ts";
import type { makeFollow } from "./follow.ts";
import type { makeSend } from "./send.ts";
import type { Senders } from "../senders.ts";
import { isTerminal, mayBeSent } from "../lifecycle.ts";
import type { TransactionStore } from "../store/index.ts";
import type { Hex, Transaction } from "../transaction.ts";

type Parts = {
  readonly store: Pick<TransactionStore, "find">;
  readonly senders: Pick<Senders, "find">;
  readonly beginExecution: Pick<BeginExecution, "begin">;
  readonly send: ReturnType<typeof makeSend>;
  readonly follow: ReturnType<typeof makeFollow>;
  readonly clock: Clock;
};

/** Whether the service has to send or follow this transaction. */
export const isOurs = (transaction: Transaction): boolean =>
  !transaction.policy.external && mayBeSent(transaction);

/** begun: recorded as ours. wait: something else has to happen first. over: not ours, or no longer. */
type Turn = "begun" | "wait" | "over";

async function begin({ store, senders, beginExecution }: Parts, requestHash: Hex): Promise<Turn> {
  const transaction = await store.find(requestHash);
  if (transaction === undefined || !isOurs(transaction)) return "over";
  if (transaction.phase !== "READY") return "begun";
  const { account, escrow: wallet } = transaction;
  const sender = await senders.find({ account, wallet, type: "agent" });
  // Its sender is gone. It expires unless the sender returns before.
  if (sender === undefined) return "wait";
  return (await beginExecution.begin({ requestHash, sender })) ? "begun" : "wait";
}

/** Backs off up to half a minute: most finish at once, and a custodian may wait for a person. */
const pauseMs = (round: number): number => Math.min(500 * 1.5 ** (round - 1), 30_000);

/**
 * Returns when the transaction has ended or is in a block. `turn` counts the runs, in case a reorg removes
 * the block.
 */
export const makeExecute = (parts: Parts) =>
  async function execute(requestHash: Hex, { step, waitFor }: FlowSteps, turn: number): Promise<void> {
    const isOver = async (): Promise<true | undefined> => {
      const found = await parts.store.find(requestHash);
      return found === undefined || isTerminal(found) ? true : undefined;
    };

    /** Repeats it until it is done, with a pause in between that ends early when the transaction does. */
    const until = async <S extends string>(
      what: string,
      work: () => Promise<S>,
      isDone: (state: S) => boolean,
    ): Promise<S> => {
      for (let round = 1; ; round++) {
        const { state, at } = await step(`${what} ${turn}.${round}`, async () => ({
          state: await work(),
          at: parts.clock.now().getTime(),
        }));
        if (isDone(state)) return state;
        await waitFor(`after ${what} ${turn}.${round}`, isOver, new Date(at + pauseMs(round)));
      }
    };

    const isDecided = (state: string): boolean => state !== "wait";
    if ((await until("begin", () => begin(parts, requestHash), isDecided)) === "over") return;
    if ((await until("send", () => parts.send(requestHash), isDecided)) === "over") return;
    await until(
      "follow",
      () => parts.follow(requestHash),
      (state) => state !== "under way",
    );
  };
