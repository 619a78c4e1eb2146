/** What the kernel knows at a place of the text: the steps so far, and what the current segment holds. */
import type { AssetRef, Decimal, Negation, Span } from "../../intent.ts";
import type { Frame, ValueType } from "../lexicon/types.ts";
import type { Amount, Party } from "../values.ts";

export type Value =
  | { readonly type: "amount"; readonly amount: Amount }
  | { readonly type: "asset"; readonly asset: AssetRef }
  | { readonly type: "party"; readonly party: Party }
  | { readonly type: "chain"; readonly name: string }
  | { readonly type: "venue"; readonly venue: string; readonly avoid: boolean }
  | { readonly type: "slippage"; readonly bps: bigint }
  | { readonly type: "deadline"; readonly seconds: bigint }
  | { readonly type: "price"; readonly n: Decimal; readonly quote: AssetRef | null; readonly base: AssetRef | null }
  | { readonly type: "choice" }
  | { readonly type: "count"; readonly n: bigint };

/** A value with its marker: "to Alice", "at least 5 USDC". */
export type Arg = {
  readonly marker: string;
  readonly bound: "least" | "most" | "exact" | "about" | null;
  readonly value: Value;
  readonly span: Span;
  /** Said of what the request is about rather than asked for: "it's 64 USDC". */
  readonly term: boolean;
};

export type Draft = {
  readonly frame: Frame | null;
  readonly verb: { readonly word: string; readonly span: Span };
  readonly args: readonly Arg[];
  /** Its object is "it" or "them": something that the text names elsewhere. */
  readonly refers: boolean;
};

export type Segment = {
  readonly asked: boolean;
  readonly wished: boolean;
  readonly verb: boolean;
  readonly noun: boolean;
  readonly clause: boolean;
  /** Only pronouns and forms of "be" so far: "she is on …". */
  readonly copula: boolean;
  readonly slots: boolean;
  readonly term: boolean;
  readonly start: boolean;
};

export const emptySegment: Segment = {
  asked: false, wished: false, verb: false, noun: false, clause: false, copula: false, slots: false, term: false, start: true,
};

export type State = {
  readonly drafts: readonly Draft[];
  readonly loose: readonly Arg[];
  readonly segment: Segment;
  readonly negations: readonly Negation[];
  readonly go: boolean;
  /** Whether any loose value stands outside a statement: a bare line asks by itself. */
  readonly bare: boolean;
  /** Opened and not yet closed. */
  readonly brackets: number;
  readonly polite: boolean;
  readonly fields: boolean;
};

export const start: State = {
  drafts: [], loose: [], segment: emptySegment, negations: [], go: false, bare: false, brackets: 0, polite: false, fields: false,
};

export const valueType = (value: Value): ValueType => value.type;
