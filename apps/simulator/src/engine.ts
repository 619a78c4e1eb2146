// The second engine with its processes.
import type { Log } from "@countersign/platform/log";
import { makePool, type Pool } from "@countersign/platform/pool";
import type { Config } from "./config.ts";
import {
  edrName,
  makeSecondEngine,
  type EdrScene,
  type EdrReply,
  type SecondEngine,
} from "./second-engine/index.ts";

const maxWaitMs = 10_000;
/** EDR records each step of a run: a million of gas in an endless loop takes it 80 MB. It keeps 2 to 5 MB and a thread of every run. */
const memoryMb = 384;

type EdrPool = Pool<EdrScene, EdrReply, null>;

const makeEdrPool = (config: Config, log: Log): EdrPool | undefined =>
  config.SECOND_ENGINE_WORKERS === 0
    ? undefined
    : makePool({
        ...{ name: "second engine", kind: "process" },
        file: new URL("second-engine/edr-worker.ts", import.meta.url),
        dataFor: () => null,
        size: config.SECOND_ENGINE_WORKERS,
        queue: config.CAPTURE_QUEUE,
        ...{ maxWaitMs, memoryMb, log },
      });

type RunningEngine = SecondEngine & {
  /** Ended over their budget, since the start. */
  readonly endedProcesses: () => number;
  /** Replaced because of the memory that they kept between runs, since the start. */
  readonly replacedProcesses: () => number;
  /** Memory that a process keeps between runs. */
  readonly heldMb: () => number;
  /** Never throws: without the second engine states are captured as before. */
  readonly start: () => Promise<void>;
  readonly probe: () => Promise<void>;
  readonly close: () => Promise<void>;
};

export function makeEngine(config: Config, log: Log): RunningEngine {
  const pool = makeEdrPool(config, log);
  const { SECOND_ENGINE_CPU_MS: budgetMs, SECOND_ENGINE_TIMEOUT_MS: timeoutMs } = config;
  const engine = makeSecondEngine({ engine: edrName, pool, budgetMs, timeoutMs, log });
  return {
    ...engine,
    endedProcesses: () => pool?.endedThreads() ?? 0,
    replacedProcesses: () => pool?.replacedThreads() ?? 0,
    heldMb: () => pool?.heldMb() ?? 0,
    start: async () => {
      await pool?.start().catch((error: unknown) => {
        log.error("second engine failed to start", { error });
      });
    },
    probe: async () => {
      if (pool?.isServing() === false) throw new Error("the second engine is not available");
    },
    close: async () => pool?.close(),
  };
}
