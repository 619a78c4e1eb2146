import type { Clock } from "@countersign/platform/clock";
import type { FlowSteps } from "../../platform/flows/index.ts";
import { isTerminal } from "../lifecycle.ts";
import type { TransactionStore } from "../store/index.ts";
import type { Form, Hex, Transaction } from "../transaction.ts";

type Parts = {
  readonly store: Pick<TransactionStore, "find">;
  /** Notes what the bytes would do, where we may be the ones to send them. False if that could not be learnt. */
  readonly takeSnapshot: (transaction: Transaction) => Promise<boolean>;
  readonly clock: Clock;
};

const rounds = 5;
const betweenMs = 2_000;

/**
 * The first look at a proposal: what it is, and what its bytes would do. A node that is away is asked a few times more;
 * without it the proposal is judged all the same, and only not sent by us.
 */
export const makeLook = ({ store, takeSnapshot, clock }: Parts) =>
  async function look(requestHash: Hex, { step, waitFor }: FlowSteps): Promise<Form | "gone"> {
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
