/**
 * The facts for the checks. A check names the facts it needs and receives exactly those. A fact that could not be
 * established is absent, and the check SKIPs with the sentence listed here.
 */
import type { ByEffect } from "./by-effect.ts";
import type { ContractData, Stranger } from "./contract-data.ts";
import type { Asset, Effect, Leaf, Reading, Where } from "./effects.ts";
import type { Comparison, Entailment, Slot } from "./entailment.ts";
import type { Intent, Span } from "./intent.ts";
import type { Address, Context, Proposal } from "./proposal.ts";
import type { Registry } from "./registry.ts";
import type { Engines, ExecutedSwap, Funds, ProvenNames, Simulation, State } from "./simulation.ts";

export { sameAsset } from "./effects.ts";
export type * from "./by-effect.ts";
export type * from "./contract-data.ts";
export type * from "./effects.ts";
export type * from "./entailment.ts";
export type * from "./intent.ts";
export type * from "./proposal.ts";
export type * from "./registry.ts";
export { findObjection, measuredChange } from "./simulation.ts";
export type * from "./simulation.ts";

/** A dated list of addresses. */
export type AddressList = {
  readonly name: string;
  readonly asOf: string;
  readonly source: string;
  /** Whole days since `asOf`. */
  readonly ageDays: number;
  /** Young enough that absence from it means something. */
  readonly fresh: boolean;
  readonly size: number;
  readonly note: (address: Address) => string | null;
  readonly has: (address: Address) => boolean;
};

/** The operator's policy, set by a file and never by a request. */
export type Policy = {
  readonly allowedChains: ReadonlySet<number> | null;
  readonly allowedAssets: ReadonlySet<string> | null;
  readonly deniedAssets: ReadonlySet<string>;
  readonly maxUsdPerTransaction: number | null;
  readonly maxUnitsPerTransaction: ReadonlyMap<string, bigint>;
  readonly jurisdictions: readonly {
    readonly jurisdiction: string;
    readonly deniedActs: readonly string[];
    readonly deniedAssets: readonly string[];
  }[];
  /** Fees to third parties that the request does not mention, in basis points of the output. */
  readonly maxFeeBps: bigint;
  readonly maxBridgeFeeBps: bigint;
  /** The loss that a swap may have against the caller's prices if the request names no slippage. */
  readonly maxSlippageBps: bigint;
  readonly maxSwapSeconds: bigint;
  readonly maxOrderSeconds: bigint;
};

/** An address in the request, and whether its checksum is correct. */
export type WordsAddress = {
  readonly address: Address;
  readonly text: string;
  readonly span: Span;
  readonly checksum: "absent" | "right" | "wrong";
};

/** A party other than the account that receives value, authority or control. */
export type Beneficiary = {
  readonly address: Address;
  readonly role: "receiver" | "spender" | "fee" | "admin" | "other";
  /** Index in `reading.effects`; null for what only the sum of all effects shows. */
  readonly effect: number | null;
  readonly where: Where;
};

/** Our tables of contracts on this chain. */
export type Contracts = {
  readonly at: (address: Address) => readonly { readonly protocol: string; readonly role: string }[];
  /** A contract of ours that this address is not, but looks like at both ends. */
  readonly like: (address: Address) => Address | null;
  /** A standard or a wrapper, which anyone may deploy, in contrast to a venue with its own contracts. */
  readonly isStandard: (protocol: string) => boolean;
  /** Returns whether `said` (an id, a name, a family) means this protocol. */
  readonly satisfies: (said: string, protocol: string) => boolean;
  /** Null where the function is not in our tables. */
  readonly isPayable: (leaf: Leaf) => boolean | null;
};

/** `proposed_tx.protocol`, and the venue of our tables that it names. */
export type Hint = { readonly said: string; readonly venue: string | null };

type Compared = { readonly [S in Slot as `compared.${S}`]: readonly Comparison[] };

export type Facts = Compared & {
  readonly proposal: Proposal;
  readonly intent: Intent;
  readonly reading: Reading;
  readonly entailment: Entailment;
  readonly registry: Registry;
  readonly policy: Policy;
  /** Effects that move value, grant authority, change control, or could not be read. */
  readonly moves: readonly Effect[];
  readonly swaps: readonly Effect[];
  readonly approvals: readonly Effect[];
  /** Things signed for others to execute: orders, permits. */
  readonly signed: readonly Effect[];
  /** Every address the account is known to have dealt with, with labels. */
  readonly history: readonly { readonly address: Address; readonly label: string | null }[];
  readonly balances: NonNullable<Context["balances"]>;
  readonly prices: NonNullable<Context["prices"]>;
  readonly jurisdiction: string;
  readonly sanctions: AddressList;
  readonly scams: AddressList;
  readonly blockedProtocols: AddressList;
  readonly wordsAddresses: readonly WordsAddress[];
  readonly beneficiaries: readonly Beneficiary[];
  readonly contracts: Contracts;
  /** Effects whose result depends on a price that moves. */
  readonly market: readonly Effect[];
  readonly hint: Hint;
  readonly claimedTokens: Context["tokens"];
  /**
   * Dollars, by the caller's prices; null where one is missing. For ratios only: it is a float. `chain` is where the asset is, by
   * default the chain of the proposal: the same address is another token on another chain.
   */
  readonly usd: (asset: Asset, units: bigint, chain?: number | null) => number | null;
  /** Whether `proposal.now` came from the caller. */
  readonly toldNow: boolean;
  /** Contracts in none of our tables that are called or may spend. */
  readonly strangers: readonly Stranger[];
  /** The operator's data about contracts, if there are files with any. */
  readonly contractData: ContractData;
  /** The state of the chain that came with the request. */
  readonly state: State;
  /** The balances that it proves. */
  readonly funds: Funds;
  /** The execution of the call on it, if the account can pay for it. */
  readonly simulation: Simulation;
  /** The swap of a transaction that does nothing else but approve, as it was executed. */
  readonly executedSwap: ExecutedSwap;
  /** The names that it resolves. */
  readonly names: ProvenNames;
  /** The answer of a second engine about the execution. */
  readonly engines: Engines;
  /** Whether the effect of a contract that is in no table answers the request. */
  readonly byEffect: ByEffect;
  /** From a language model, when one is configured: whether words and effects say the same. */
  readonly opinion: Opinion;
};
export type FactName = keyof Facts;

/** A language model's answer to one question. `why` is its own text: it may be quoted, but it is not trusted. */
export type Opinion =
  | {
      readonly status: "PASS" | "FAIL";
      readonly issues: readonly string[];
      /** Positions in the request. */
      readonly quotes: readonly Span[];
      readonly why: string;
    }
  /** It was not asked, or did not answer in the form agreed. The sentence is ours. */
  | { readonly status: "SKIP"; readonly kind: SkipKind; readonly reasoning: string };

export type SkipKind =
  | "not_applicable"
  | "missing_context"
  | "unsupported"
  | "stale_data"
  | "disabled"
  | "upstream_failed"
  | "llm_unavailable"
  /** The request was not read, or not all of it. No difference is claimed; nothing passes. */
  | "not_understood"
  /** The evidence for the verdict is missing. No difference is claimed; nothing passes. */
  | "not_checked";

/** Where a fact comes from: the letters of the catalogue. */
type Source = "intent" | "calldata" | "context" | "simulation" | "lists" | "model";

type Absence = { readonly source: Source; readonly kind: SkipKind; readonly said: string };

const always = (source: Source): Absence => ({
  source,
  kind: "upstream_failed",
  said: "The request could not be read.",
});
const nothing = (source: Source, said: string): Absence => ({ source, kind: "not_applicable", said });
const untold = (said: string): Absence => ({ source: "context", kind: "missing_context", said });

/** For each fact: where it comes from, and what its absence means. */
export const absences: Readonly<Record<FactName, Absence>> = {
  proposal: always("calldata"),
  intent: always("intent"),
  reading: always("calldata"),
  entailment: always("intent"),
  registry: always("lists"),
  policy: always("lists"),
  moves: nothing("calldata", "The transaction does not move value, grant authority or change control."),
  swaps: nothing("calldata", "Nothing is exchanged."),
  approvals: nothing("calldata", "No approval is given."),
  signed: nothing("calldata", "Nothing is signed for others to use."),
  history: untold("The caller sent no known addresses and no recent counterparties."),
  balances: untold("The caller sent no balances."),
  prices: untold("The caller sent no prices."),
  jurisdiction: untold("The caller named no jurisdiction."),
  sanctions: { source: "lists", kind: "stale_data", said: "No sanctions list is loaded." },
  scams: { source: "lists", kind: "stale_data", said: "No list of scam addresses is loaded." },
  blockedProtocols: { source: "lists", kind: "not_applicable", said: "The operator blocks no protocol." },
  wordsAddresses: always("intent"),
  beneficiaries: nothing("calldata", "Only the account itself receives value."),
  contracts: always("lists"),
  market: nothing("calldata", "Nothing depends on a market price."),
  hint: always("calldata"),
  claimedTokens: untold("The caller described no tokens, and no proven state has any."),
  usd: always("context"),
  toldNow: always("context"),
  strangers: nothing("calldata", "Every contract that is called or may spend is in our tables."),
  contractData: { source: "lists", kind: "disabled", said: "The operator has no data about contracts." },
  state: {
    source: "simulation",
    kind: "disabled",
    said: "No state of the chain was sent, so nothing was simulated.",
  },
  funds: {
    source: "simulation",
    kind: "disabled",
    said: "No state of the chain is proven, so balances are not known.",
  },
  simulation: {
    source: "simulation",
    kind: "disabled",
    said: "No state of the chain is proven, so nothing was simulated.",
  },
  executedSwap: nothing("simulation", "No single swap was executed on a proven state."),
  names: {
    source: "simulation",
    kind: "disabled",
    said: "No state of the chain is proven that resolves names.",
  },
  engines: {
    source: "simulation",
    kind: "disabled",
    said: "No state of the chain is proven, so no engine executed the transaction.",
  },
  byEffect: nothing("simulation", "No call to an unknown contract was executed on a proven state."),
  opinion: { source: "model", kind: "disabled", said: "No language model is configured." },
  "compared.action": nothing("intent", "No action was compared."),
  "compared.direction": nothing("intent", "Nothing in the request has a direction."),
  "compared.asset_in": nothing("intent", "No asset leaves the account."),
  "compared.asset_out": nothing("intent", "The request names no asset in return."),
  "compared.amount": nothing("intent", "No amount leaves the account."),
  "compared.amount_out": nothing("intent", "The request names no amount in return."),
  "compared.usd": nothing("intent", "The request names no amount in dollars."),
  "compared.share": nothing("intent", "The request names no share of a balance."),
  "compared.recipient": nothing("intent", "Nothing is received."),
  "compared.name": nothing("intent", "The request names parties only by address."),
  "compared.spender": nothing("intent", "No spender is approved."),
  "compared.scope": nothing("intent", "No approval is given."),
  "compared.venue": nothing("intent", "The request names no venue."),
  "compared.chain": nothing("intent", "The request names no chain."),
  "compared.to_chain": nothing("intent", "Nothing goes to another chain."),
  "compared.slippage": nothing("intent", "The request names no slippage."),
  "compared.limit_price": nothing("intent", "The request names no price."),
  "compared.deadline": nothing("intent", "The request names no deadline."),
  "compared.gas": nothing("intent", "The request names no gas limit."),
  "compared.terms": nothing("intent", "The request names no order terms."),
  "compared.sequence": nothing("intent", "The request has only one step."),
  "compared.choice": nothing("intent", "The transaction relies on no choice of the caller."),
  "compared.worth": nothing("intent", "Nothing is exchanged at a market price."),
};
