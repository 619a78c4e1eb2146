import type { Hex, ShapedVerdict, Verdict } from "@countersign/wire";

/** The part of a verdict that repeats the proposal. */
export type Bound = (
  | Pick<Verdict, "escrow" | "chainId" | "to" | "value" | "dataHash" | "intentHash">
  | Pick<ShapedVerdict, "escrow" | "chainId" | "shape" | "signingHash" | "intentHash">
) & {
  /** Unix seconds. Undefined if no deadline is known. */
  readonly deadline: number | undefined;
};

const noWord: Hex = `0x${"00".repeat(32)}`;
const nobody: Hex = `0x${"00".repeat(20)}`;

/** A verdict repeats only the values that its request hash binds. If it binds none, the fields are zero. */
export const nothingBound: Bound = {
  escrow: nobody,
  chainId: 0,
  to: nobody,
  value: 0n,
  dataHash: noWord,
  intentHash: noWord,
  deadline: undefined,
};
