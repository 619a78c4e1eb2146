/** A router program, on its way to being one effect. */
import type { Effect, Flow } from "../effects.ts";
import type { Lots } from "./lots.ts";
import type { Origin } from "./make-effect.ts";

export type Root = {
  readonly origin: Origin;
  readonly value: bigint;
  /** The coin that the caller pays comes along with the call. False where the account itself runs the code. */
  readonly isCoinSent: boolean;
  /** The steps were written one by one, so each must see to what it leaves over. */
  readonly program: boolean;
};

/** A program half way through. */
export type Program = {
  readonly root: Root;
  readonly lots: Lots;
  readonly out: Effect[];
  /** What was paid out of the person's money to others before anything was made of it. */
  readonly spent: Flow[];
  readonly fees: Effect["fees"][number][];
  /** Something other than moving money along happens in it. */
  readonly hasMain: boolean;
};
