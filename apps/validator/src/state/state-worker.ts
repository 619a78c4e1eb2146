/**
 * A worker thread that executes the code of others' contracts on a proven state. It holds no engine, no network and no key, so that
 * it can be ended at any time.
 */
import { serveJobs } from "@countersign/platform/pool";
import { OverBudget, checkpointInLoop, withinBudgetAsync } from "../budget.ts";
import { refuseState, runState, type StateRun } from "./run-state.ts";

export type StateJob = {
  readonly state: unknown;
  /** CPU time that the job may use. */
  readonly budgetMs: number;
};

/** The rest of the budget is for the work after the last checkpoint, before the thread is ended. */
const politeShare = 0.75;

serveJobs<StateJob, StateRun, null>({
  about: null,
  handle: async ({ state, budgetMs }) => {
    try {
      return await withinBudgetAsync(budgetMs * politeShare, () => runState(state, checkpointInLoop));
    } catch (error) {
      if (error instanceof OverBudget) return refuseState("The simulation took too long and was stopped.");
      throw error;
    }
  },
});
