/**
 * How the request compares with the transaction. The documented `decision` follows from it: only `entailed` can be PASS.
 * `not_understood` and `not_checked` claim no difference; a verification service answers UNDECIDED and the owner decides.
 */
import type { Span } from "./intent.ts";

export type AssessmentKind = "entailed" | "contradicted" | "not_understood" | "not_checked";

/** A part of the request that was not read. */
export type Unread = { readonly span: Span; readonly text: string; readonly why: string };

/** Evidence that the verdict needs and does not have. */
export type Missing = { readonly what: string; readonly why: string };

export type Assessment = {
  readonly kind: AssessmentKind;
  readonly unread: readonly Unread[];
  readonly missing: readonly Missing[];
  /** The request as it was read, in one sentence. Empty where it was not read. */
  readonly restated: string;
  /**
   * Present if the called contract is in no table, and what it does on the state of this block answers the request. The calldata was
   * not read.
   */
  readonly by_effect?: {
    readonly contract: string;
    readonly block: { readonly number: string; readonly hash: string };
  };
};
