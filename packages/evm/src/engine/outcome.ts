// The result of a run, in the form that is compared, hashed and reported.
import { bytesToHex } from "viem/utils";
import type { Hex } from "@countersign/wire";
import { readReason } from "./revert-reason.ts";
import { LimitExceeded } from "./stop.ts";
import type { SlotChange, WitnessState } from "./witness-state.ts";

export type Log = { readonly address: Hex; readonly topics: readonly Hex[]; readonly data: Hex };

/** The result of all calls. Lists are sorted by address and slot, logs are in their order. */
export type Outcome = {
  /** Of all calls. Those after one that fails are not made. */
  readonly succeeded: boolean;
  /** How many calls were made. If the run did not succeed, the last of them failed. */
  readonly calls: number;
  /** The account that sent one transaction for all calls. Null if the sender itself sent one for each. */
  readonly relayer: Hex | null;
  /** Of each transaction. */
  readonly gasOfEach: readonly bigint[];
  readonly gasUsed: bigint;
  /** Of the gas, paid by the sender, in wei. */
  readonly fee: bigint;
  /** Of the last call that was made, at most `runLimits.outputBytes`. */
  readonly output: Hex;
  readonly outputBytes: number;
  /** Why it failed: the contract's own text, the engine's, or null if it succeeded. Untrusted text. */
  readonly reason: string | null;
  readonly logs: readonly Log[];
  /** Of the native token, including fees. */
  readonly balances: readonly { readonly address: Hex; readonly change: bigint }[];
  readonly slots: readonly SlotChange[];
  readonly codes: readonly { readonly address: Hex; readonly before: Hex; readonly after: Hex }[];
};

/** Limits of one run. Beyond them there is no result. */
export const runLimits = {
  /** An endless loop turns 1.4 million times with all the gas of a transaction. */
  turns: 1_000_000,
  logs: 1_000,
  logBytes: 262_144,
  outputBytes: 4_096,
  /** Of one view, and of all views of a machine together. */
  viewGas: 500_000n,
  allViewsGas: 16_000_000n,
} as const;

/** The result of one transaction, as the engine has it. */
export type Executed = {
  /** Null if it succeeded. */
  readonly error: string | null;
  /** How many calls it makes. If it failed, the last of them did. */
  readonly calls: number;
  readonly relayer: Hex | null;
  readonly gasUsed: bigint;
  readonly fee: bigint;
  readonly returned: Uint8Array;
  readonly logs: readonly (readonly [address: Uint8Array, topics: readonly Uint8Array[], data: Uint8Array])[];
};

const sum = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n);

/** Returns the outcome of these transactions, in their order. Throws LimitExceeded for more logs than can be compared. */
export function outcomeOf(executed: readonly [Executed, ...Executed[]], state: WitnessState): Outcome {
  const { error, returned, relayer } = executed.at(-1) ?? executed[0];
  const gasOfEach = executed.map(({ gasUsed }) => gasUsed);
  const emitted = executed.filter((one) => one.error === null).flatMap(({ logs }) => logs);
  const bytes = emitted.reduce((total, [, , data]) => total + data.length, 0);
  if (emitted.length > runLimits.logs || bytes > runLimits.logBytes)
    throw new LimitExceeded("more logs than can be compared");
  return {
    succeeded: error === null,
    calls: executed.reduce((total, { calls }) => total + calls, 0),
    ...{ relayer, gasOfEach, gasUsed: sum(gasOfEach) },
    fee: sum(executed.map(({ fee }) => fee)),
    output: bytesToHex(returned.slice(0, runLimits.outputBytes)),
    outputBytes: returned.length,
    reason: error === null ? null : (readReason(bytesToHex(returned)) ?? error),
    logs: emitted.map(([address, topics, data]) => ({
      address: bytesToHex(address),
      topics: topics.map((topic) => bytesToHex(topic)),
      data: bytesToHex(data),
    })),
    balances: state.listBalanceChanges(),
    slots: state.listSlotChanges(),
    codes: state.listCodeChanges(),
  };
}
