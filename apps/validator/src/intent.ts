/** The intent of a request, with the position in the text of each part. The reader fills it; it decides nothing. */
import type { Address } from "./proposal.ts";

/** Half-open range in the original text, in UTF-16 units. */
export type Span = readonly [number, number];

/** An exact decimal, never a JS number: `1.50` is `{ digits: 150n, scale: 2 }`. Scale may be negative (`1e18`). */
export type Decimal = { readonly digits: bigint; readonly scale: number };

export type AssetRef =
  /** The symbol in upper case as a person means it: `USDC`, `STETH`; aliases already applied ("tether" → USDT). */
  | { readonly kind: "symbol"; readonly symbol: string; readonly span: Span }
  | { readonly kind: "address"; readonly address: Address; readonly span: Span }
  | {
      readonly kind: "nft";
      /** The collection as written: a name, symbol or address; null if the request gives only ids. */
      readonly collection: string | null;
      readonly ids: readonly bigint[];
      readonly span: Span;
    }
  /** "stablecoins", "everything", "any token", "my NFTs", "my position". */
  | { readonly kind: "class"; readonly name: string; readonly span: Span };

export type Quantity =
  /** `others`: further honest readings ("1.000" is 1 or 1000). */
  | { readonly kind: "exact"; readonly n: Decimal; readonly others: readonly Decimal[]; readonly span: Span }
  | { readonly kind: "about"; readonly n: Decimal; readonly span: Span }
  | { readonly kind: "most"; readonly n: Decimal; readonly span: Span }
  | { readonly kind: "least"; readonly n: Decimal; readonly span: Span }
  | { readonly kind: "range"; readonly least: Decimal; readonly most: Decimal; readonly span: Span }
  /** Hundredths of a percent of what is held, supplied or owed. */
  | {
      readonly kind: "share";
      readonly bps: bigint;
      /** The exact value, if hundredths of a percent truncate it: two thirds is [2, 3]. */
      readonly ratio?: readonly [part: bigint, whole: bigint];
      readonly of: "balance" | "position" | "debt";
      readonly span: Span;
    }
  /** `except`: "all but 0.1 ETH". */
  | { readonly kind: "all"; readonly except: Decimal | null; readonly span: Span }
  | {
      readonly kind: "fiat";
      readonly n: Decimal;
      readonly currency: "USD" | "EUR" | "GBP";
      readonly bound: "exact" | "about" | "most" | "least";
      readonly span: Span;
    }
  /** Base units said outright: "1000000 wei", "5 gwei", "123 base units". `n` is already in base units. */
  | { readonly kind: "raw"; readonly n: bigint; readonly span: Span }
  /** "an unlimited amount" (of an approval). */
  | { readonly kind: "unlimited"; readonly span: Span }
  /** "some", "a few", "a bit of": said, and not a number. */
  | { readonly kind: "vague"; readonly said: string; readonly span: Span };

export type Portion = { readonly asset: AssetRef | null; readonly quantity: Quantity | null };

export type PartyRef =
  /** `called`: the name next to it, "Bob (0x…)". */
  | { readonly kind: "address"; readonly address: Address; readonly called?: string; readonly span: Span }
  | { readonly kind: "name"; readonly name: string; readonly normalised: boolean; readonly span: Span }
  /** "Alice", "my cold wallet", "the treasury": resolvable only by the caller's labels. */
  | { readonly kind: "contact"; readonly label: string; readonly span: Span }
  /** "uniswap", "the aave pool": a venue in the place of a party (spender of an approval). */
  | { readonly kind: "venue"; readonly venue: string; readonly span: Span }
  | { readonly kind: "self"; readonly span: Span };

export const acts = [
  "transfer",
  "approve",
  "revoke",
  "swap",
  "wrap",
  "unwrap",
  "supply",
  "withdraw",
  "borrow",
  "repay",
  "stake",
  "unstake",
  "claim",
  "add_liquidity",
  "remove_liquidity",
  "bridge",
  "mint",
  "buy_nft",
  "sell_nft",
  "delegate",
  "vote",
  "cancel",
  "deploy",
  "sign",
  "sign_in",
  "admin",
] as const;
export type Act = (typeof acts)[number];

type Bound<T> = { readonly value: T; readonly span: Span };

/** One thing asked for. */
export type Step = {
  /** The possible meanings of the verb, most likely first: "deposit" is supply, stake, wrap, bridge, transfer. */
  readonly acts: readonly Act[];
  readonly verb: { readonly word: string; readonly span: Span };
  readonly gives: readonly Portion[];
  readonly gets: readonly Portion[];
  readonly to: readonly PartyRef[];
  /** "from 0x… / my savings account": whose assets. */
  readonly from: PartyRef | null;
  readonly spender: PartyRef | null;
  readonly onBehalfOf: PartyRef | null;
  /** Ids of protocols, or names of families, as the lexicon gives them. */
  readonly venues: readonly { readonly venue: string; readonly mode: "on" | "avoid"; readonly span: Span }[];
  readonly chain: Bound<number> | null;
  readonly toChain: Bound<number> | null;
  readonly slippageBps: Bound<bigint> | null;
  /** Quote units per base unit: "at 2500 USDC per ETH". `side` is the stated bound: at least, at most, exactly. */
  readonly limitPrice: {
    readonly n: Decimal;
    readonly base: AssetRef | null;
    readonly quote: AssetRef | null;
    readonly side: "least" | "most" | "exact";
    readonly span: Span;
  } | null;
  /** Seconds from now, or an instant. For an approval it is the expiry. */
  readonly deadline:
    | ((
        | { readonly kind: "within"; readonly seconds: bigint }
        | { readonly kind: "until"; readonly unix: bigint }
      ) & { readonly span: Span })
    | null;
  readonly gas: {
    readonly maxFeeGwei?: Bound<Decimal>;
    readonly maxLimit?: Bound<bigint>;
    readonly maxCost?: Bound<Decimal>;
  } | null;
  readonly partialFill: Bound<boolean> | null;
  /** Who an administrative act concerns, and which: `transfer_ownership`, `add_owner`, `grant_role`, `enable_module`, `upgrade`, `delegate_code`, … */
  readonly admin: {
    readonly kind: string;
    readonly party: PartyRef | null;
    /** Whom the party takes the place of. */
    readonly replaced?: PartyRef | null;
    /** How many must sign from now on. */
    readonly threshold?: Bound<bigint> | null;
    readonly span: Span;
  } | null;
  /** A request to sign a text: the text itself, or the site to sign in to, in lower case. */
  readonly signing?:
    | {
        readonly message: string;
        /** False: the text goes to the end of the request, which may say something else after it. */
        readonly isQuoted: boolean;
      }
    | { readonly site: string };
  /** A fee or tip the person allows, in bps, or "some fee" (null). */
  readonly fee: { readonly bps: bigint | null; readonly to: PartyRef | null; readonly span: Span } | null;
  /**
   * "If/when/once …": the text of the condition. A condition that a transaction cannot enforce makes the step
   * unverifiable.
   */
  readonly conditions: readonly {
    readonly said: string;
    readonly kind: "price" | "gas" | "time" | "other";
    readonly span: Span;
  }[];
  readonly span: Span;
};

/** "Don't …", "no …", "without …": what must not happen. */
export type Negation = {
  readonly kind:
    | "act"
    | "unlimited_approval"
    | "approval"
    | "venue"
    | "asset"
    | "chain"
    | "party"
    | "fee"
    | "partial_fill"
    /** "No other transfers": every effect must be asked for anyway. */
    | "other"
    /** Something that no rule compares with the transaction: it stays unread. */
    | "unchecked";
  readonly acts?: readonly Act[];
  readonly venue?: string;
  /** The chain's name, as the registry knows it. */
  readonly chain?: string;
  readonly asset?: AssetRef;
  readonly party?: PartyRef;
  readonly span: Span;
};

/** A word that matters for money, and the slot that uses it. `slot` is null if none does. */
export type HardToken = {
  readonly kind:
    | "number"
    | "asset"
    | "address"
    | "name"
    | "venue"
    | "chain"
    | "time"
    | "bound"
    | "negation"
    | "condition"
    | "verb";
  readonly text: string;
  readonly span: Span;
  readonly slot: string | null;
};

export type Intent = {
  readonly steps: readonly Step[];
  readonly negations: readonly Negation[];
  readonly tokens: readonly HardToken[];
  /** Two readings of the same words that differ on money, in a sentence each. */
  readonly ambiguities: readonly {
    readonly said: string;
    readonly readings: readonly string[];
    readonly span: Span;
  }[];
  /** `en`, `es`, `pt`, `fr`, `de`, `zh`, or `unknown`. */
  readonly language: string;
  /** Why it is no request at all (empty, a greeting, a question), or null. */
  readonly notARequest: string | null;
  /** Characters a reader does not see or takes for others. */
  readonly unicode: readonly {
    readonly kind: "hidden" | "bidi" | "tag" | "homoglyph" | "digits";
    readonly said: string;
    readonly span: Span;
    readonly touchesMoney: boolean;
  }[];
  /** Words addressed to the verifier, forged verdicts, encoded runs. */
  readonly injections: readonly { readonly said: string; readonly span: Span }[];
  /** Words that are in no table and that no part of the reading explains. Where the reading does not fit, they may be the reason. */
  readonly unknownWords?: readonly { readonly text: string; readonly span: Span }[];
  /** Parts of the text that may change whether it asks for anything. While there are any, the request is not confirmed. */
  readonly ungoverned?: readonly { readonly text: string; readonly span: Span }[];
  /** Complete readings of the same text by stricter rules, tried if the first reading does not match. */
  readonly others?: readonly (Pick<Intent, "steps" | "tokens"> & Partial<Intent>)[];
};
