import type { Clock } from "@countersign/platform/clock";
import type { FlowSteps } from "../../platform/flows/index.ts";
import { isTerminal } from "../lifecycle.ts";
import type { TransactionStore } from "../store/index.ts";
import type { Form, Hex, Transaction } from "../transaction.ts";

type Parts = {
  readonly store: Pick<TransactionStore, "find">;
  /** Stores the simulated effect, where we may be the sender. Returns false if the simulation was not possible. */
  readonly takeSnapshot: (transaction: Transaction) => Promise<boolean>;
  readonly clock: Clock;
};

const rounds = 5;
const betweenMs = 2_000;

/**
 * Reads a new proposal and stores its simulated effect. If the node is down, it retries a few times; without
 * a snapshot the proposal is still verified, but not sent by us.
 */
export const makeSnapshotProposal = ({ store, takeSnapshot, clock }: Parts) =>
  async function snapshotProposal(requestHash: Hex, { step, waitFor }: FlowSteps): Promise<Form | "gone"> {
    for (let round = 1; ; round++) {
      const { form, isTaken, at } = await step(`look ${round}`, async () => {
        const found = await store.find(requestHash);
        const isOver = found === undefined || isTerminal(found);
        return {
          form: found?.form ?? ("gone" as const),
          isTaken: isOver || (await takeSnapshot(found)),
          at: clock.now().getTime(),
        };
      });
      if (isTaken || round === rounds) return form;
      await waitFor(`between looks ${round}`, async () => undefined, new Date(at + betweenMs));
    }
  };
