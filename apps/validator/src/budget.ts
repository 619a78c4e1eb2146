/**
 * The polite half of the CPU budget. Long work calls `checkpoint` where it can be given up without leaving anything half done, so that
 * the thread lives on. Whatever does not is ended from outside (`packages/platform/src/pool/cpu-budget.ts`).
 */
export class OverBudget extends Error {
  override readonly name = "OverBudget";
}

const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

/** Reading the clock takes about a microsecond, which is too much for every turn of a loop. */
const every = 64;

const unlimited = Infinity;
let limitMs = unlimited;
let calls = 0;

/** Runs `work`, in which `checkpoint` throws once the thread has used `budgetMs` of CPU time for it. */
export function withinBudget<T>(budgetMs: number, work: () => T): T {
  limitMs = cpuMs() + budgetMs;
  try {
    return work();
  } finally {
    limitMs = unlimited;
  }
}

/** The same for work that waits. The thread must do nothing else meanwhile. */
export async function withinBudgetAsync<T>(budgetMs: number, work: () => Promise<T>): Promise<T> {
  limitMs = cpuMs() + budgetMs;
  try {
    return await work();
  } finally {
    limitMs = unlimited;
  }
}

/** Throws `OverBudget` if the budget is used up. Does nothing outside of a budget. */
export function checkpoint(): void {
  if (limitMs !== unlimited && cpuMs() >= limitMs) throw new OverBudget("the budget is used up");
}

/** The same, for loops: looks at every 64th call. */
export function checkpointInLoop(): void {
  calls += 1;
  if (calls % every === 0) checkpoint();
}
