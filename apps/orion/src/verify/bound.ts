import type { Hex, Verdict } from "@countersign/wire";

/** The part of a verdict that repeats the proposal. */
export type Bound = Pick<Verdict, "escrow" | "chainId" | "to" | "value" | "dataHash" | "intentHash"> & {
  /** Unix seconds; undefined where no deadline is known. */
  readonly deadline: number | undefined;
};

const noWord: Hex = `0x${"00".repeat(32)}`;
const nobody: Hex = `0x${"00".repeat(20)}`;

/** A verdict repeats only what its request hash binds. Where that is nothing, its fields are zero: they name nothing. */
export const nothingBound: Bound = {
  escrow: nobody,
  chainId: 0,
  to: nobody,
  value: 0n,
  dataHash: noWord,
  intentHash: noWord,
  deadline: undefined,
};
