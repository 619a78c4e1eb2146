/** A router program that is being folded into one effect. */
import type { Effect, Flow } from "../effects.ts";
import type { Lots } from "./lots.ts";
import type { Origin } from "./make-effect.ts";

export type Root = {
  readonly origin: Origin;
  readonly value: bigint;
  /** The caller's native value comes with the call. False if the account itself runs the code. */
  readonly isCoinSent: boolean;
  /** The steps were written separately, so each must handle what it leaves over. */
  readonly program: boolean;
};

/** A program in the middle of its run. */
export type Program = {
  readonly root: Root;
  readonly lots: Lots;
  readonly out: Effect[];
  /** Payments to others out of the owner's funds, made before any exchange. */
  readonly spent: Flow[];
  readonly fees: Effect["fees"][number][];
  /** A step does more than move funds. */
  readonly hasMain: boolean;
};
