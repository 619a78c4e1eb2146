// A validator's report as values to display. Missing texts are null.

/** A range of characters in the request. */
export type Span = { readonly from: number; readonly to: number; readonly text: string };

/** A position in the calldata. */
export type Place = {
  /** `proposed_tx`, with a suffix such as `/0/3` for nested calls. */
  readonly call: string;
  readonly field: string | null;
  /** The byte range in that call's data. */
  readonly bytes: readonly [number, number] | null;
};

/** An asset of an effect. */
export type Asset = {
  /** `native`, `token`, `nft`, or `unsaid`. */
  readonly kind: string;
  readonly symbol: string | null;
  readonly address: string | null;
  readonly id: string | null;
  /** Why the asset is unknown. */
  readonly why: string | null;
};

/** An amount range, formatted as in the report: `unlimited`, `everything`, `1.5`, `12 base units`. */
export type Flow = Asset & {
  readonly least: string | null;
  readonly most: string | null;
  readonly usd: string | null;
};

/** A permission that an effect grants. */
export type Authority = {
  readonly spender: string;
  /** Null means the account itself. */
  readonly asset: Asset | null;
  readonly most: string | null;
  /** Unix seconds. */
  readonly until: string | null;
  /** Granted by a signature that another party can use, not by a transaction. */
  readonly signed: boolean;
};

/** A change of who controls the account. */
export type ControlChange = { readonly kind: string; readonly party: string | null };

/** One action of a transaction. A party is an address, `self` (the account) or `venue` (the called contract). */
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

/** The combined result of all effects, in the worst case. */
export type NetEffect = {
  readonly leaves: readonly Flow[];
  readonly arrives: readonly Flow[];
  readonly others: readonly (Flow & { readonly party: string })[];
  readonly authority: readonly Authority[];
  readonly control: readonly ControlChange[];
};

/** A balance of the account, in base units. */
export type AssetBalance = Asset & {
  /** Null if the token is not known: then its amounts are base units. */
  readonly decimals: number | null;
  /** Null if not known, for example because the token does not answer. */
  readonly before: string | null;
  readonly after: string | null;
  /** Both are known: from the proven account, or from the token's own answer on the proven state. */
  readonly isMeasured: boolean;
};

/** Balances of the account for the assets that a transaction changes, or why they are not known. */
export type Balances =
  | {
      readonly isKnown: true;
      readonly account: string;
      /** The number of the block whose state was read. The transaction was executed in the block after it. */
      readonly block: string;
      /** Whether the native balance after the transaction includes the network fee. */
      readonly isFeeIncluded: boolean;
      /** False if events could not be read, so that a change may be missing. */
      readonly isComplete: boolean;
      readonly assets: readonly AssetBalance[];
    }
  | { readonly isKnown: false; readonly why: string };

/** A name that the operator's files give a call. The validator has not checked that the contract does what the name says. */
export type CallName = {
  /** Null: no file names the contract. */
  readonly contract: string | null;
  /** Null: no file has the function, or the calldata is not exactly its encoding. */
  readonly function: string | null;
  /** The purpose of the function, as its descriptor has it. */
  readonly intent: string | null;
  readonly arguments: readonly {
    readonly name: string;
    /** The descriptor's words for the parameter. */
    readonly label: string | null;
    readonly value: string;
  }[];
  readonly source: string | null;
  /** The date of the source. */
  readonly asOf: string | null;
};

/** A call and its nested calls. */
export type CallNode = {
  readonly call: string;
  /** Null if it creates a contract. */
  readonly to: string | null;
  /** Wei. */
  readonly value: string | null;
  readonly function: string | null;
  readonly protocol: string | null;
  readonly isKnown: boolean;
  /** A delegatecall: other code runs as the account. */
  readonly isDelegate: boolean;
  /** The byte range of this call's data in the transaction's calldata. */
  readonly data: readonly [number, number] | null;
  /** Null for a call that the validator knows, and without a file about the contract. */
  readonly named: CallName | null;
  readonly children: readonly CallNode[];
  readonly effects: readonly Effect[];
};

/** A flagged check. */
export type Issue = {
  readonly node: string;
  readonly family: string;
  readonly title: string;
  readonly severity: string;
  readonly reasoning: string;
  readonly expected: string | null;
  readonly actual: string | null;
  /** The change that would make it pass. */
  readonly fix: string | null;
  /** The check was required but could not run. It found no difference. */
  readonly isOpen: boolean;
  readonly where: Place | null;
  readonly words: Span | null;
};

/** The result of a check. */
export type Check = {
  readonly node: string;
  readonly family: string;
  /** The id without the family. */
  readonly name: string;
  /** `unchecked`: could not run because data was missing. `idle`: not applicable. */
  readonly state: "passed" | "failed" | "unchecked" | "idle";
  readonly severity: string;
  readonly confidence: number | null;
  readonly reasoning: string;
  readonly fix: string | null;
  readonly where: Place | null;
  readonly words: Span | null;
};

/**
 * The outcome of a report. `matches`: it does what was asked and nothing else. `differs`: a check
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
  /**
   * The called contract is in no table of the validator, so the transaction was checked by its effect on the state of this block. Null
   * if its calldata was read, and for reports of older validators.
   */
  readonly byEffect: { readonly contract: string; readonly block: string } | null;
};

/** A report as values to display. */
export type ReadReport = {
  readonly decision: "PASS" | "REJECT";
  readonly outcome: Outcome;
  /** The outcome in a few words, for the top of a page. */
  readonly headline: string;
  /** Null for reports of older validators. */
  readonly assessment: Assessment | null;
  readonly reason: string;
  readonly summary: string;
  readonly confidence: number | null;
  readonly chain: string | null;
  readonly protocol: string | null;
  readonly issues: readonly Issue[];
  readonly checks: readonly Check[];
  readonly notChecked: readonly { readonly node: string; readonly why: string }[];
  /** The request, as far as the report repeats it. */
  readonly tokens: string;
  /** The transaction as a canonical request, for display. Null if it has none, and for reports of older validators. */
  readonly described: string | null;
  readonly effects: readonly Effect[];
  readonly net: NetEffect;
  /** Empty for reports of older validators. */
  readonly calls: readonly CallNode[];
  /** Why not all of the calls were read. */
  readonly limit: string | null;
  /** The state of the chain that was sent with the request: `proven` or `refused`. Null if none was. */
  readonly state: string | null;
};
