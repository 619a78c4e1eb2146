// Records that an execution failed.
import type { Clock } from "@countersign/platform/clock";
import type { Transition } from "../transition.ts";
import type { TransactionStore } from "../store/index.ts";
import type { Hex, Transaction } from "../transaction.ts";

export type GiveUp = (requestHash: Hex, why: readonly string[]) => Promise<void>;

const sentence = (why: readonly string[]): string => why.join("; ");

const eventFor = ({ phase }: Transaction): "failPreflight" | "custodyFails" | undefined =>
  phase === "EXECUTING" ? "failPreflight" : phase === "BROADCAST" ? "custodyFails" : undefined;

/**
 * Gives the transaction up: nothing more is sent. Before the keeper was asked, that is certain. Afterwards it
 * is the keeper's claim, and the chain may still show otherwise.
 */
export const makeGiveUp =
  ({ transition }: { readonly transition: Pick<Transition, "change"> }): GiveUp =>
  async (requestHash, why) => {
    await transition.change({ requestHash }, (current) => {
      const event = eventFor(current);
      return event === undefined ? undefined : { events: [event], facts: { reasonDetail: sentence(why) } };
    });
  };

/** Gives the transaction up if nothing more can be learned about it. Returns whether it did. */
export type AbandonIfStale = (requestHash: Hex) => Promise<boolean>;

type Parts = {
  readonly store: Pick<TransactionStore, "find" | "isKeptUp">;
  readonly giveUp: GiveUp;
  readonly clock: Clock;
};

/** How long after the deadline the keeper is still asked for the outcome. */
const patienceMs = 60 * 60 * 1000;

/**
 * The keeper was asked and has reported nothing since; perhaps it no longer accepts our credential. Releases
 * its wallet long after the deadline instead of never. If it was sent after all, the chain shows it.
 */
export const makeAbandonIfStale =
  ({ store, giveUp, clock }: Parts): AbandonIfStale =>
  async (requestHash) => {
    const found = await store.find(requestHash);
    const isLongOver =
      found?.phase === "BROADCAST" &&
      found.deadline.getTime() + patienceMs <= clock.now().getTime() &&
      // While the chain is not read, it may have been sent unseen.
      (await store.isKeptUp(found.chainId));
    if (isLongOver)
      await giveUp(requestHash, ["the wallet's custodian or provider did not report the outcome"]);
    return isLongOver;
  };
