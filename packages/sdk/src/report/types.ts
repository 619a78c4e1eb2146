// A validator's report as a program can draw it. Every text is as the report has it; null where it says none.

/** In the words that were asked. */
export type Span = { readonly from: number; readonly to: number; readonly text: string };

export type Place = {
  /** `proposed_tx`, then `/0/3` for calls inside calls. */
  readonly call: string;
  readonly field: string | null;
  /** Inside that call's own data. */
  readonly bytes: readonly [number, number] | null;
};

export type Asset = {
  /** `native`, `token`, `nft`, or `unsaid`. */
  readonly kind: string;
  readonly symbol: string | null;
  readonly address: string | null;
  readonly id: string | null;
  /** Why the bytes do not say which asset it is. */
  readonly why: string | null;
};

/** Amounts as the report says them: `unlimited`, `everything`, `1.5`, `12 base units`. */
export type Flow = Asset & {
  readonly least: string | null;
  readonly most: string | null;
  readonly usd: string | null;
};

export type Authority = {
  readonly spender: string;
  /** Null: the account itself. */
  readonly asset: Asset | null;
  readonly most: string | null;
  /** Unix seconds. */
  readonly until: string | null;
  /** It is a signature that somebody else can use, not a transaction. */
  readonly signed: boolean;
};

export type ControlChange = { readonly kind: string; readonly party: string | null };

/** A party is an address, `self` (the account), or `venue` (the called contract). */
export type Effect = {
  readonly act: string | null;
  readonly gives: readonly Flow[];
  readonly gets: readonly Flow[];
  readonly payer: string | null;
  readonly receiver: string | null;
  readonly authority: Authority | null;
  readonly control: ControlChange | null;
  readonly venue: string | null;
  readonly protocol: string | null;
  readonly knowledge: string | null;
  readonly function: string | null;
  readonly target: string | null;
  readonly toChain: number | null;
  /** Unix seconds. */
  readonly deadline: string | null;
  readonly where: Place | null;
  readonly sentence: string;
};

/** What remains when all of it has happened, in the worst case. */
export type NetEffect = {
  readonly leaves: readonly Flow[];
  readonly arrives: readonly Flow[];
  readonly others: readonly (Flow & { readonly party: string })[];
  readonly authority: readonly Authority[];
  readonly control: readonly ControlChange[];
};

/** One call, and the calls that it makes. */
export type CallNode = {
  readonly call: string;
  /** Null: it creates a contract. */
  readonly to: string | null;
  /** Wei. */
  readonly value: string | null;
  readonly function: string | null;
  readonly protocol: string | null;
  readonly isKnown: boolean;
  /** Foreign code that runs as the account itself. */
  readonly isDelegate: boolean;
  /** Where this call's data stands in the proposed transaction's data, in bytes. */
  readonly data: readonly [number, number] | null;
  readonly children: readonly CallNode[];
  readonly effects: readonly Effect[];
};

export type Issue = {
  readonly node: string;
  readonly family: string;
  readonly title: string;
  readonly severity: string;
  readonly reasoning: string;
  readonly expected: string | null;
  readonly actual: string | null;
  /** What would make it pass. */
  readonly fix: string | null;
  /** It had to look and could not, which is not the same as having found something. */
  readonly isOpen: boolean;
  readonly where: Place | null;
  readonly words: Span | null;
};

export type Check = {
  readonly node: string;
  readonly family: string;
  /** Without the family. */
  readonly name: string;
  /** `unchecked` lacked something to check with, `idle` had nothing to look at. */
  readonly state: "passed" | "failed" | "unchecked" | "idle";
  readonly severity: string;
  readonly confidence: number | null;
  readonly reasoning: string;
  readonly fix: string | null;
  readonly where: Place | null;
  readonly words: Span | null;
};

/**
 * What a report says about the request and the transaction. `matches`: it does what was asked and nothing else. `differs`: a check
 * failed. `unverified`: no difference is claimed, but part of the request was not understood or evidence is missing, so the owner
 * decides.
 */
export type Outcome = "matches" | "differs" | "unverified";

/** How the request compares with the transaction, in the validator's terms. */
export type Assessment = {
  readonly kind: "entailed" | "contradicted" | "not_understood" | "not_checked";
  /** Parts of the request that were not read. */
  readonly unread: readonly { readonly span: Span | null; readonly text: string; readonly why: string }[];
  /** Evidence that the verdict needs and does not have. */
  readonly missing: readonly { readonly what: string; readonly why: string }[];
  /** The request as the validator read it, in one sentence. Empty if it was not read. */
  readonly restated: string;
};

export type ReadReport = {
  readonly decision: "PASS" | "REJECT";
  readonly outcome: Outcome;
  /** The outcome in a few words, for the top of a page. */
  readonly headline: string;
  /** Null if the report has none: older ones do not. */
  readonly assessment: Assessment | null;
  readonly reason: string;
  readonly summary: string;
  readonly confidence: number | null;
  readonly chain: string | null;
  readonly protocol: string | null;
  readonly issues: readonly Issue[];
  readonly checks: readonly Check[];
  readonly notChecked: readonly { readonly node: string; readonly why: string }[];
  /** The words, as far as the report itself repeats them. */
  readonly tokens: string;
  readonly effects: readonly Effect[];
  readonly net: NetEffect;
  /** Empty if the report has none: older ones do not. */
  readonly calls: readonly CallNode[];
  /** Why not all of the calls were read. */
  readonly limit: string | null;
};
