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

/**
 * What the bytes would do now, kept for the look before they are sent; only of wallets that somebody could send from for us.
 * Taken before the arbiter is asked: what changes while it thinks is then a change, too. False if the node could not be asked.
 */
export const makeTakeSnapshot = ({ log, store, senders, chainOf }: Parts) =>
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
      log.warn("what a transaction would do could not be learnt", { key: requestHash, error });
      return false;
    }
  };
