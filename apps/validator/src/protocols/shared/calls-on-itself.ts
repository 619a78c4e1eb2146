import type { Hex } from "../../proposal.ts";
import type { CallView, InnerCall } from "../../protocol.ts";

/** Returns the calls of a multicall: the contract calls itself once for each element of its argument `data`. */
export const callsOnItself = (data: readonly Hex[], call: CallView, value: bigint): readonly InnerCall[] =>
  data.map((inner, index) => ({ to: call.to, value, data: inner, program: true, at: `data[${index}]` }));
