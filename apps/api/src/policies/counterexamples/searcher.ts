// Hands searches to a worker thread, so that they never delay a decision. The thread starts with the first search: Cedar takes half a
// second and 50 MB.
import type { Log } from "@countersign/platform/log";
import { makePool, PoolBusy, type Pool } from "@countersign/platform/pool";
import { policyErrors } from "../errors.ts";
import type { Fault } from "../rules.ts";
import type { Asked, Found, Result } from "./find.ts";
import type { SearchJob } from "./search-worker.ts";

export type Searcher = {
  /** Rejects with a policy error if a text is not valid, or no result is ready in time. */
  readonly find: (asked: Asked) => Promise<readonly Result[]>;
  readonly close: () => Promise<void>;
};

type SearchPool = Pick<Pool<SearchJob, Found, null>, "start" | "run" | "close">;

const searchMs = 4_000;
/** With the time to read the texts. A thread that needs more is ended. */
const budgetMs = 12_000;

const makeSearchPool = (log: Log): SearchPool =>
  makePool<SearchJob, Found, null>({
    name: "counterexamples",
    file: new URL("search-worker.ts", import.meta.url),
    dataFor: () => null,
    ...{ size: 1, queue: 4, maxWaitMs: 15_000, memoryMb: 256, log },
  });

const place = ({ line, column }: Fault): string =>
  line === null ? "" : ` (line ${line}, column ${column ?? 1})`;

const retry = { headers: { "Retry-After": "10" } };

export function makeSearcher({
  log,
  pool = makeSearchPool(log),
}: {
  readonly log: Log;
  readonly pool?: SearchPool;
}): Searcher {
  let starting: Promise<unknown> | undefined;
  const start = async (): Promise<void> => {
    starting ??= pool.start();
    try {
      await starting;
    } catch (error) {
      starting = undefined;
      throw error;
    }
  };
  const run = async (asked: Asked): Promise<Found> => {
    await start();
    const outcome = await pool.run({ ...asked, searchMs }, { budgetMs, isLarge: false });
    if (outcome.kind === "done") return outcome.result;
    throw policyErrors.searchUnavailable(retry);
  };
  return {
    find: async (asked) => {
      const found = await run(asked).catch((error: unknown) => {
        throw error instanceof PoolBusy ? policyErrors.searchUnavailable({ ...retry, cause: error }) : error;
      });
      if ("results" in found) return found.results;
      const [first] = found.faults;
      const message = `${found.of}: ${first?.message ?? "not valid"}${first === undefined ? "" : place(first)}`;
      throw found.of === "policy"
        ? policyErrors.notValid({ message })
        : policyErrors.invariantNotValid({ message });
    },
    close: () => pool.close(),
  };
}
