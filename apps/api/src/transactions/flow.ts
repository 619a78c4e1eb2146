// The execution of a transaction that the service sends, and the settlement of one that was reported early. Only `transition.ts`
// changes the transaction; this flow does the work in between and waits for others. The sweeper handles expiry, so that it
// also happens when a step here is stuck.
import type { Clock } from "@countersign/platform/clock";
import type { Flow } from "@countersign/platform/engine";
import { defineDurableFlow, type FlowSteps, type FlowStore } from "../platform/flows/index.ts";
import { isOurs, type makeExecute } from "./execute/execute.ts";
import { isTerminal, type Phase } from "./lifecycle.ts";
import type { TransactionStore } from "./store/index.ts";
import { transactionFlow, type Hex, type Transaction } from "./transaction.ts";

type Parts = {
  readonly flowStore: FlowStore;
  readonly clock: Clock;
  readonly store: Pick<TransactionStore, "find" | "acceptVerification">;
  readonly execute: ReturnType<typeof makeExecute>;
  /** For a settlement that was reported before we had seen the execution. */
  readonly attest: (requestHash: Hex) => Promise<void>;
};

/** The longest single wait. It is repeated if necessary. */
const aWeekMs = 7 * 24 * 60 * 60 * 1000;

export function makeTransactionFlow({ flowStore, clock, store, execute, attest }: Parts): Flow {
  /** Waits for one of these phases, however long it takes. */
  const waitUntil = async (
    what: string,
    requestHash: Hex,
    { step, waitFor }: FlowSteps,
    isReached: (transaction: Transaction) => boolean,
  ): Promise<string> => {
    const read = async (): Promise<string | undefined> => {
      const found = await store.find(requestHash);
      return found === undefined ? "gone" : isReached(found) ? found.phase : undefined;
    };
    for (let week = 1; ; week++) {
      const now = await step(`${what}, week ${week}`, async () => clock.now().getTime());
      const reached = await waitFor(`${what} ${week}`, read, new Date(now + aWeekMs));
      if (reached !== undefined) return reached;
    }
  };

  /** Follows it to the end, for any sender. A reorg may make it ours to send again. */
  const seeThrough = async (requestHash: Hex, steps: FlowSteps): Promise<void> => {
    for (let turn = 1; ; turn++) {
      const what = turn === 1 ? "executed" : `executed, turn ${turn}`;
      const phase = await waitUntil(what, requestHash, steps, (found) => isTerminal(found) || isOurs(found));
      if (phase === "gone" || isTerminal({ phase: phase as Phase })) return;
      await execute(requestHash, steps, turn);
    }
  };

  return defineDurableFlow(
    {
      name: transactionFlow,
      run: async (steps) => {
        const requestHash = steps.key as Hex;
        // It may have been accepted by an earlier version. The sweeper starts its verification.
        await steps.step("adopt", () => store.acceptVerification(requestHash));
        await seeThrough(requestHash, steps);
        await steps.step("attest", () => attest(requestHash));
      },
    },
    { store: flowStore, clock },
  );
}
