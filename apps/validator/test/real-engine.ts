/** The real engine with a fixed clock, and requests that take the same path as over HTTP. */
import { makeLog } from "@countersign/platform/log";
import { parseLossless, ValidateRequest } from "../src/request/index.ts";
import type { Engine } from "../src/validate/engine.ts";
import { loadEngine } from "../src/validate/load-engine.ts";
import { validate, type Verdict } from "../src/validate/validate.ts";

/** A day after the time in the examples on the checks' pages. */
const clock = { now: () => new Date("2026-09-22T00:00:00Z") };

export type RealEngine = {
  readonly engine: Engine;
  /** Log lines since the last read. A part that failed is reported only here. */
  readonly takeLines: () => readonly string[];
  /** A verdict, or null for a request that the service rejects with 422. */
  readonly ask: (text: string) => Promise<Verdict | null>;
};

export async function startEngine(): Promise<RealEngine> {
  const lines: string[] = [];
  const log = makeLog({ app: "test", level: "warn", to: { write: (line) => void lines.push(line) } });
  const config = { VALIDATOR_DATA_DIR: undefined, MAX_LIST_AGE_DAYS: 45, REQUIRE_SANCTIONS: false };
  const engine = await loadEngine({ config, version: "test", clock, log });
  return {
    engine,
    takeLines: () => lines.splice(0),
    ask: async (text) => {
      const parsed = parseLossless(text);
      if ("fault" in parsed) return null;
      const { success, data } = ValidateRequest.safeParse(parsed.value);
      return success ? validate(data, engine) : null;
    },
  };
}
