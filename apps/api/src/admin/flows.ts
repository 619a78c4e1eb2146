import type { FlowStore } from "../platform/flows/index.ts";

/** Prints the state of the flows, or makes all unfinished ones due again after the engine lost its state. */
export async function manageFlows(
  store: FlowStore,
  action: string | undefined,
  print: (line: string) => void,
): Promise<boolean> {
  switch (action) {
    case undefined: {
      for (const status of ["accepted", "started", "waiting", "parked"] as const)
        print(`${status.padEnd(10)}${await store.countByStatus(status)}`);
      for (const { flow, key, reason, finishedAt } of await store.listParked(50))
        print(`parked    ${flow} ${key} since ${finishedAt.toISOString()}: ${reason}`);
      return true;
    }
    case "retry":
      print(`${await store.makeAllDue()} unfinished flows will be retried by the next sweep.`);
      return true;
    default:
      return false;
  }
}
