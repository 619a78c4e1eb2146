/** What a language gives the reader, as data. */
import type { Act } from "../../intent.ts";

/** What a part of a step is for. */
export type Role =
  | "give"
  | "get"
  | "to"
  | "from"
  | "spender"
  | "behalf"
  | "venue"
  | "chain"
  | "toChain"
  | "floor"
  | "cap"
  | "slippage"
  | "deadline"
  | "price"
  | "admin"
  | "replaced"
  | "threshold"
  | "choice";

/** What kind of value a phrase has. */
export type ValueType =
  | "amount"
  | "asset"
  | "party"
  | "chain"
  | "venue"
  | "slippage"
  | "deadline"
  | "price"
  | "choice"
  | "count";

/**
 * A verb frame: what the verbs ask for, and which role each marker gives to each type of value. `""` is no marker at all.
 */
export type Frame = {
  readonly id: string;
  readonly acts: readonly Act[];
  /** Imperative forms, separated by commas. */
  readonly verbs: string;
  /** Nouns that stand for the act: "payment", "withdrawal of". */
  readonly nouns?: string;
  readonly roles: Readonly<Partial<Record<ValueType, Readonly<Partial<Record<string, Role>>>>>>;
  /** Words that belong to the act and say nothing by themselves: "allowance", "as collateral". */
  readonly own?: string;
  readonly admin?: string;
  /** Texts that this frame must read, and texts that it must leave unread. Run as tests. */
  readonly examples: readonly string[];
  readonly counterexamples?: readonly string[];
};

export type Language = {
  readonly id: string;
  readonly frames: readonly Frame[];
  /** Phrases by class, each separated by commas. See `classes` for what the kernel does with them. */
  readonly phrases: Readonly<Record<string, string>>;
  /** Ordinary words by class, which say nothing about whether or what is asked for. */
  readonly ordinary: Readonly<Record<OrdinaryClass, ReadonlySet<string>>>;
};

export type OrdinaryClass = "person" | "thing" | "adjective" | "past" | "present" | "adverb" | "firstName";
