// How an execution that did not come about is written down.
import type { Clock } from "@countersign/platform/clock";
import type { Transition } from "../transition.ts";
import type { TransactionStore } from "../store/index.ts";
import type { Hex, Transaction } from "../transaction.ts";

export type GiveUp = (requestHash: Hex, why: readonly string[]) => Promise<void>;

const sentence = (why: readonly string[]): string => why.join("; ");

const eventFor = ({ phase }: Transaction): "failPreflight" | "custodyFails" | undefined =>
  phase === "EXECUTING" ? "failPreflight" : phase === "BROADCAST" ? "custodyFails" : undefined;

/**
 * Nothing is sent any more. Before anybody was asked that is certain; afterwards it is what they say, and the chain may yet
 * say something else.
 */
export const makeGiveUp =
  ({ transition }: { readonly transition: Pick<Transition, "change"> }): GiveUp =>
  async (requestHash, why) => {
    await transition.change({ requestHash }, (current) => {
      const event = eventFor(current);
      return event === undefined ? undefined : { events: [event], facts: { reasonDetail: sentence(why) } };
    });
  };

/** Given up if nothing can be learnt of it any more. */
export type LoseHope = (requestHash: Hex) => Promise<boolean>;

type Parts = {
  readonly store: Pick<TransactionStore, "find" | "isKeptUp">;
  readonly giveUp: GiveUp;
  readonly clock: Clock;
};

/** How long after its deadline they are still asked what became of it. */
const patienceMs = 60 * 60 * 1000;

/**
 * They were asked, and have had nothing to say since; perhaps they do not let us in any more. Its wallet is let go of long
 * after its time, instead of never. If it was sent after all, the chain shows it.
 */
export const makeLoseHope =
  ({ store, giveUp, clock }: Parts): LoseHope =>
  async (requestHash) => {
    const found = await store.find(requestHash);
    const isLongOver =
      found?.phase === "BROADCAST" &&
      found.deadline.getTime() + patienceMs <= clock.now().getTime() &&
      // While the chain is not read, it is not known that it was not sent.
      (await store.isKeptUp(found.chainId));
    if (isLongOver) await giveUp(requestHash, ["whoever keeps the wallet could not say what became of it"]);
    return isLongOver;
  };
