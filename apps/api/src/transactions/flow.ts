// The steps of a proposal after it was recorded, in order. Only `transition.ts` changes the record; this flow does what
// must be done and waits for what others do. The sweeper handles expiry, so that it also comes when a step here is stuck.
import type { Clock } from "@countersign/platform/clock";
import type { Flow } from "@countersign/platform/engine";
import { defineDurableFlow, type FlowSteps, type FlowStore } from "../platform/flows/index.ts";
import type { makeVerify } from "./verify/verify.ts";
import { isOurs, type makeExecute } from "./execute/execute.ts";
import type { makeLook } from "./execute/look.ts";
import { isPending, isTerminal, type Phase } from "./lifecycle.ts";
import type { TransactionStore } from "./store/index.ts";
import type { Trace } from "./record/trace.ts";
import { transactionFlow, type Hex, type Transaction } from "./transaction.ts";

type Parts = {
  readonly flowStore: FlowStore;
  readonly clock: Clock;
  readonly store: Pick<TransactionStore, "find">;
  readonly trace: Trace;
  readonly look: ReturnType<typeof makeLook>;
  readonly verify: ReturnType<typeof makeVerify>;
  readonly execute: ReturnType<typeof makeExecute>;
  /** For a settlement that we were told of before we had seen the execution ourselves. */
  readonly attest: (requestHash: Hex) => Promise<void>;
};

/** As far ahead as a wait may reach before it is begun anew. */
const aWeekMs = 7 * 24 * 60 * 60 * 1000;

export function makeTransactionFlow(parts: Parts): Flow {
  const { flowStore, clock, store, trace, look, verify, execute, attest } = parts;

  /** The phase, once it is as asked for. However long that takes. */
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

  /** To the end, whoever sends it. A block that goes away again may make it ours to see to once more. */
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
        const form = await look(requestHash, steps);
        if (form === "gone") return;
        // An administrator's direct transaction leaves no public trace.
        if (form !== "unsealed" && (await trace.leave(requestHash, steps.step)) === "over") return;
        await verify(requestHash, steps);
        // The verdict may have overtaken a reorganisation that took the registration.
        await trace.mend(requestHash, steps.step, "after the verdict");
        await waitUntil("decided", requestHash, steps, (transaction) => !isPending(transaction));
        await seeThrough(requestHash, steps);
        await trace.mend(requestHash, steps.step, "at the end");
        await steps.step("attest", () => attest(requestHash));
      },
    },
    { store: flowStore, clock },
  );
}
