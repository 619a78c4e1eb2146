/** Whether a step states how much must arrive at least, or may leave at most. */
import type { Portion, Quantity, Step } from "./intent.ts";

const isOf = (portions: readonly Portion[], kinds: readonly Quantity["kind"][]): boolean =>
  portions.some(({ quantity }) => quantity !== null && kinds.includes(quantity.kind));

export const statesMinimum = ({ limitPrice, gets }: Step): boolean =>
  limitPrice !== null || isOf(gets, ["least", "range", "exact", "about", "raw"]);

export const statesMaximum = ({ gives }: Step): boolean => isOf(gives, ["most", "range"]);
