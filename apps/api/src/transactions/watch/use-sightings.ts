// Applies the use of a released signature to its transaction.
import type { ChainReader } from "../../adapters/chain/index.ts";
import type { Change, Rule } from "../store/index.ts";
import type { Transition } from "../transition.ts";
import type { Transaction } from "../transaction.ts";
import { isUnused, type Use } from "../uses/index.ts";
import type { SeenUse, UseStore } from "./store/uses.ts";

type Parts = {
  readonly transition: Pick<Transition, "change">;
  readonly chain: Pick<ChainReader, "readHeader">;
  readonly store: Pick<UseStore, "hasten">;
};

export type UseSightings = {
  /** A block shows whether it was used. */
  readonly see: (id: string, use: Use) => Promise<void>;
  /** Its block may be gone. */
  readonly lookAgain: (seen: SeenUse) => Promise<void>;
  /** Its block is final, if it still exists. */
  readonly finish: (seen: SeenUse) => Promise<void>;
};

/** That it was not used is only on record, until the block is final: before that it could still be used in another one. */
const seen =
  (use: Use): Rule =>
  (current) =>
    current.use === null && current.onchain === "released"
      ? { events: isUnused(use) ? [] : ["seeUse"], facts: { use } }
      : undefined;

/** Applies the rule only while the transaction still has the sighting it was found with. */
const whileSeen =
  (use: Use, rule: (current: Transaction) => Change): Rule =>
  (current) =>
    current.use?.blockHash === use.blockHash && current.use.outcome === use.outcome
      ? rule(current)
      : undefined;

export function makeUseSightings({ transition, chain, store }: Parts): UseSightings {
  const lose = async ({ id, use }: SeenUse): Promise<void> => {
    await transition.change(
      { id },
      whileSeen(use, () => ({ events: ["loseUse"], facts: { use: null } })),
    );
    await store.hasten([id]);
  };
  const isGone = async ({ block, blockHash }: Use): Promise<boolean> =>
    (await chain.readHeader(block))?.hash !== blockHash;
  return {
    see: async (id, use) => {
      const before = (await transition.change({ id }, seen(use)))?.before.use ?? null;
      if (before === null || before.blockHash === use.blockHash || !(await isGone(before))) return;
      await lose({ id, use: before });
      await transition.change({ id }, seen(use));
    },
    lookAgain: async (carried) => {
      if (await isGone(carried.use)) await lose(carried);
    },
    finish: async (carried) => {
      const { id, use } = carried;
      const header = await chain.readHeader(use.block);
      // A node that is behind must not undo anything.
      if (header === undefined) throw new Error(`the node has no block ${use.block.toString()}`);
      if (header.hash !== use.blockHash) {
        await lose(carried);
        return;
      }
      await transition.change(
        { id },
        whileSeen(use, () => ({ events: [isUnused(use) ? "endUnused" : "confirmUse"] })),
      );
    },
  };
}
