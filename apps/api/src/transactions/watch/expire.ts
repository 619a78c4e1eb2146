import type { Log } from "@countersign/platform/log";
import type { ChainReader } from "../../adapters/chain/index.ts";
import type { Transition } from "../transition.ts";
import type { Outlived, TransactionStore } from "../store/index.ts";
import { unseen } from "../record/unseen.ts";

type Parts = {
  readonly store: Pick<TransactionStore, "listOverdue" | "listOutlived">;
  readonly transition: Pick<Transition, "change">;
  /** Undefined if the chain is not watched. */
  readonly chainOf: (chainId: number) => Pick<ChainReader, "hasCode"> | undefined;
  readonly log: Log;
};

const atOnce = 100;

/** Returns why we cannot claim that an approved transaction was not executed. Undefined if we can. */
async function whyUnknown({ chainOf }: Parts, outlived: Outlived): Promise<string | undefined> {
  const { chainId, escrow, shape, isCovered, isLate } = outlived;
  // A signature is executed when it is released, which is on record here.
  if (shape !== null) return undefined;
  const chain = chainOf(chainId);
  if (chain === undefined) return unseen.chain;
  if (!isCovered) return unseen.gap;
  try {
    return (await chain.hasCode(escrow)) ? unseen.contractWallet : undefined;
  } catch (error) {
    if (isLate) return unseen.gap;
    throw error;
  }
}

async function endApproval(parts: Parts, outlived: Outlived): Promise<void> {
  const why = await whyUnknown(parts, outlived);
  await parts.transition.change({ requestHash: outlived.requestHash }, ({ phase, isOverdue }) => {
    if (phase !== "READY" || !isOverdue) return undefined;
    return why === undefined
      ? { events: ["expireReady"] }
      : { events: ["lapse"], facts: { reasonDetail: why } };
  });
}

/** Expires overdue transactions. Returns how many it looked at: if that is the maximum, there may be more. */
export const makeExpireOverdue = (parts: Parts) =>
  async function expireOverdue(): Promise<number> {
    const { store, transition, log } = parts;
    const overdue = await store.listOverdue(atOnce);
    // The change itself expires overdue transactions, as every change does.
    for (const requestHash of overdue) await transition.change({ requestHash }, () => undefined);
    let ended = 0;
    const silent = new Set<number>();
    for (const outlived of await store.listOutlived(atOnce)) {
      if (silent.has(outlived.chainId)) continue;
      try {
        await endApproval(parts, outlived);
        ended += 1;
      } catch (error) {
        // Retried in the next sweep. The others of that chain would wait for the same node.
        silent.add(outlived.chainId);
        log.warn("expired approval not ended", { key: outlived.requestHash, error });
      }
    }
    return overdue.length + ended;
  };
