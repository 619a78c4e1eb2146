// The part of a run that two engines must have in common, bit for bit.
import type { Hex } from "@countersign/wire";
import type { Log } from "../engine/outcome.ts";
import { hashResult } from "../result.ts";
import type { Simulation } from "../simulate/simulate.ts";

/** The result of one engine. Lists are sorted by address and slot, logs are in their order. */
export type EngineResult =
  | {
      readonly kind: "ran";
      readonly succeeded: boolean;
      readonly gasUsed: bigint;
      readonly logs: readonly Log[];
      /** Of the native token, including fees. */
      readonly balances: readonly { readonly address: Hex; readonly change: bigint }[];
      /** Slots whose value differs from the one before. */
      readonly slots: readonly { readonly address: Hex; readonly slot: Hex; readonly after: bigint }[];
      /** Hashes of codes that differ from the ones before. */
      readonly codes: readonly { readonly address: Hex; readonly after: Hex }[];
    }
  /** No block can contain the transaction. Engines word the reason differently. */
  | { readonly kind: "not executable" };

/** A result in a few words, for a report. */
export type EngineSummary = {
  readonly outcome: "succeeded" | "reverted" | "not executable";
  /** Decimal digits; null if nothing was executed. */
  readonly gas_used: string | null;
  readonly logs: number;
  /** Of the whole result. Equal results have equal hashes. */
  readonly hash: Hex;
};

/** Returns the result of the JavaScript engine. */
export function engineResultOf(simulation: Simulation): EngineResult {
  if (simulation.kind === "not executable") return { kind: "not executable" };
  const { succeeded, gasUsed, logs, balances, slots, codes } = simulation.effects.outcome;
  return {
    ...{ kind: "ran", succeeded, gasUsed, logs, balances },
    slots: slots.map(({ address, slot, after }) => ({ address, slot, after })),
    codes: codes.map(({ address, after }) => ({ address, after })),
  };
}

export function summarizeResult(result: EngineResult): EngineSummary {
  const hash = hashResult(result);
  if (result.kind === "not executable") return { outcome: result.kind, gas_used: null, logs: 0, hash };
  const { succeeded, gasUsed, logs } = result;
  return {
    outcome: succeeded ? "succeeded" : "reverted",
    gas_used: gasUsed.toString(),
    logs: logs.length,
    hash,
  };
}
