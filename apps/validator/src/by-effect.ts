/** Whether a call to a contract that is in no table does what the request asks, by its effect on a proven state. */
import type { Address } from "./proposal.ts";
import type { Block } from "./simulation.ts";

export type ByEffect =
  | {
      readonly status: "matches";
      readonly contract: Address;
      readonly block: Block;
      /** The assets that leave and arrive, for a person. */
      readonly shown: string;
      /** How many variants of the block and the gas had the same effect. */
      readonly variants: number;
    }
  /** `why` is a sentence. No difference is claimed. */
  | { readonly status: "open"; readonly contract: Address; readonly why: string };
