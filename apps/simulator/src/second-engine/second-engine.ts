// Asks the second engine about a run of the first. Whatever happens to it, the state itself is captured: then it cannot tell.
import { agree, cannotTell, type Agreement, type EngineResult } from "@countersign/evm";
import type { Log } from "@countersign/platform/log";
import { PoolBusy, type Pool } from "@countersign/platform/pool";
import type { Hex } from "@countersign/wire";
import type { EdrReply } from "./edr-worker.ts";
import type { EdrScene } from "./edr.ts";

export type FirstRun = {
  readonly scene: EdrScene;
  /** Hash of the witness. */
  readonly state: Hex;
  readonly result: EngineResult;
  /** Why the second engine cannot have the same result; null if it can. */
  readonly unsupported: string | null;
};

export type SecondEngine = {
  /** Never throws. */
  readonly check: (first: FirstRun) => Promise<Agreement>;
  readonly counts: Readonly<Record<Agreement["result"], () => number>>;
};

export type SecondEngineParts = {
  readonly engine: string;
  /** Undefined: the operator configured none. */
  readonly pool: Pick<Pool<EdrScene, EdrReply, null>, "run" | "isServing"> | undefined;
  readonly budgetMs: number;
  /** After this time the answer does not wait any longer. The run itself is limited by its budget. */
  readonly timeoutMs: number;
  readonly log: Log;
};

export function makeSecondEngine(parts: SecondEngineParts): SecondEngine {
  const { engine, log } = parts;
  const counted = { agree: 0, differs: 0, cannot: 0 };
  return {
    check: async ({ scene, state, result, unsupported }) => {
      const about = { engine, state };
      const second =
        unsupported === null ? await run(parts, scene) : ({ kind: "failed", why: unsupported } as const);
      const found = second.kind === "failed" ? cannotTell(about, second.why) : agree(about, result, second);
      counted[found.result] += 1;
      if (found.result === "differs")
        // Names of accounts would show the call.
        log.error("engines differ", {
          key: state,
          reason: [...new Set(found.differences.map(({ what }) => what.split(" ")[0]))].join(", "),
        });
      return found;
    },
    counts: {
      agree: () => counted.agree,
      differs: () => counted.differs,
      cannot: () => counted.cannot,
    },
  };
}

const failed = (why: string): EdrReply => ({ kind: "failed", why });

async function run(
  { pool, budgetMs, timeoutMs, log }: SecondEngineParts,
  scene: EdrScene,
): Promise<EdrReply> {
  if (pool === undefined) return failed("no second engine is configured");
  if (!pool.isServing()) return failed("the second engine is not available");
  const late = Promise.withResolvers<EdrReply>();
  const timer = setTimeout(() => {
    late.resolve(failed("the second engine took too long"));
  }, timeoutMs);
  try {
    return await Promise.race([late.promise, within(pool.run(scene, { budgetMs, isLarge: false }), log)]);
  } finally {
    clearTimeout(timer);
  }
}

async function within(
  running: ReturnType<Pool<EdrScene, EdrReply, null>["run"]>,
  log: Log,
): Promise<EdrReply> {
  try {
    const outcome = await running;
    return outcome.kind === "done" ? outcome.result : failed("the second engine exceeded its limit");
  } catch (error) {
    if (error instanceof PoolBusy) return failed("the second engine is busy");
    log.warn("second engine failed", { error });
    return failed("the second engine stopped");
  }
}
