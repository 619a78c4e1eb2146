import type { Log } from "@countersign/platform/log";
import type { ChainSimulator } from "../../adapters/chain/index.ts";
import { takeSnapshot as lookAtBytes } from "./preflight/index.ts";
import type { TransactionStore } from "../store/index.ts";
import type { Transaction } from "../transaction.ts";
import type { Senders } from "../senders.ts";

type Parts = {
  readonly log: Log;
  readonly store: Pick<TransactionStore, "keepSnapshot">;
  readonly senders: Pick<Senders, "find">;
  readonly chainOf: (chainId: number) => ChainSimulator | undefined;
};

/** Returns false if the node did not answer. */
export type TakeSnapshot = (transaction: Transaction) => Promise<boolean>;

/**
 * Simulates the call now and stores its effect for the preflight; only for wallets that we could send from.
 * Taken before orion is asked, so that a change during verification counts as a change.
 */
export const makeTakeSnapshot = ({ log, store, senders, chainOf }: Parts): TakeSnapshot =>
  async function takeSnapshot(transaction: Transaction): Promise<boolean> {
    const { account, escrow, chainId, tx, requestHash } = transaction;
    const chain = chainOf(chainId);
    if (tx === null || chain === undefined) return true;
    const where = { account, wallet: escrow };
    const isKept =
      (await senders.find({ ...where, type: "agent" })) ??
      (await senders.find({ ...where, type: "execution" }));
    if (isKept === undefined) return true;
    try {
      await store.keepSnapshot(transaction, await lookAtBytes(chain, { from: escrow, ...tx }));
      return true;
    } catch (error) {
      log.warn("snapshot of a proposal not taken", { key: requestHash, error });
      return false;
    }
  };
