/**
 * The operator's data about contracts: names to show, their age, and whether their source is verified. Nothing here can confirm a
 * request: the files do not say what a contract does, and anyone can name their own.
 */
import type { AbiParameter } from "abitype";
import type { Where } from "./effects.ts";
import type { Address, Hex } from "./proposal.ts";

/** `exact` covers the metadata of the source too. `none`: the service that was asked has no source. */
export type Verification = "exact" | "partial" | "none";

export type ContractRecord = {
  /** As its source or a descriptor calls it. */
  readonly name: string | null;
  /** Null: no file says. */
  readonly verification: Verification | null;
  /** Null: the time of the deployment is not known. */
  readonly deployedSecondsAgo: bigint | null;
  /** It existed this many seconds ago. Null: not known. */
  readonly atLeastSecondsOld: bigint | null;
  readonly source: string;
  /** The date on which the source was asked. Null for descriptors, which have none. */
  readonly asOf: string | null;
};

/** A function of one contract, for display. */
export type FunctionName = {
  readonly name: string;
  readonly inputs: readonly AbiParameter[];
  /** The descriptor's words for what it is for. */
  readonly intent: string | null;
  /** The descriptor's words for parameters, by path: `order.receiver`, `amounts.[]`. */
  readonly labels: Readonly<Record<string, string>>;
  readonly source: string;
  readonly asOf: string | null;
};

/** Each answer is about exactly this chain and address. */
export type ContractData = {
  readonly at: (chain: number, address: Address) => ContractRecord | null;
  readonly functionAt: (chain: number, address: Address, selector: Hex) => FunctionName | null;
  /** How many contracts there are. */
  readonly size: number;
};

/** A contract in none of our tables that is called, runs as the account, or may take its assets. */
export type Stranger = {
  readonly address: Address;
  readonly role: "called" | "spender" | "implementation";
  /** The proxy in front of an implementation. */
  readonly behind: Address | null;
  readonly where: Where;
  /** Whether it was executed on a proven state, so that an implementation behind it is known. */
  readonly isExecuted: boolean;
};
