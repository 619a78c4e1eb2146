// How an execution that did not come about is written down.
import type { Door } from "../door.ts";
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
  ({ door }: { readonly door: Pick<Door, "change"> }): GiveUp =>
  async (requestHash, why) => {
    await door.change({ requestHash }, (current) => {
      const event = eventFor(current);
      return event === undefined ? undefined : { events: [event], facts: { reasonDetail: sentence(why) } };
    });
  };
