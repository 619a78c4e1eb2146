/**
 * The effects of a transaction, in a form that can be compared with a request. Every protocol reads its calls into
 * these; nothing after the reader knows a selector.
 */
import type { ChoiceKind } from "./choices.ts";
import type { Address, Hex } from "./proposal.ts";
import type { OpenedLeaf } from "./uses.ts";

/**
 * `self`: the account whose money it is (the sender, the Safe it acts through, the smart account of a user operation).
 * `venue`: the called contract holds it for now, and a later step of the same call must hand it on.
 */
export type Party = Address | "self" | "venue";

export type Asset =
  | { readonly kind: "native" }
  | { readonly kind: "token"; readonly address: Address }
  /** `id` null: any of the collection, or all of it. */
  | { readonly kind: "nft"; readonly address: Address; readonly id: bigint | null }
  /** The bytes do not say (an aggregator's pool, a vault's underlying). */
  | { readonly kind: "unsaid"; readonly why: string };

/** Base units. `most` is what leaves in the worst case, `least` what is guaranteed to arrive. */
export type Amount = {
  readonly least: bigint;
  readonly most: bigint;
  /** The protocol's own word for "all of it" (MAX_UINT on Aave withdraw, CONTRACT_BALANCE on a router). */
  readonly everything?: true;
};

/** The position in the request, for a person who wants to see the bytes. */
export type Where = {
  /** `proposed_tx`, `proposed_tx.transactions[1]`, `proposed_tx.order`, then `/0/3` for calls inside calls. */
  readonly call: string;
  /** Name of the argument: `params.recipient`, `message.spender`, `value`. */
  readonly field: string;
  /** Byte range in that call's own data, when there is one. */
  readonly bytes?: readonly [number, number];
};

export type Flow = {
  readonly asset: Asset;
  readonly amount: Amount;
  readonly where: Where;
};

export type Authority = {
  readonly spender: Party;
  /** The asset that may be taken, or `collection` for all its NFTs. Null: the account itself (7702, module, owner). */
  readonly asset: Asset | null;
  readonly amount: Amount;
  /** Unix seconds until which it holds; null: for ever. */
  readonly until: bigint | null;
  /** It is a signature someone else can use (permit), not a transaction. */
  readonly signed: boolean;
  readonly where: Where;
};

export type Fee = {
  readonly to: Party;
  readonly asset: Asset;
  /** A share of the output in basis points, or a fixed amount. */
  readonly share: { readonly bps: bigint } | Amount;
  readonly where: Where;
};

/** Something the caller picked; see `choices.ts`. */
export type Choice = {
  readonly what: ChoiceKind;
  /** An address or other hex in lower case, a number in digits, or a text. */
  readonly value: string;
  /** Our tables have it on this chain as what it is used as, or it is the owner's own. */
  readonly known: boolean;
  readonly where: Where;
};

export type EffectAct =
  | "transfer"
  | "approve"
  | "revoke"
  | "swap"
  | "wrap"
  | "unwrap"
  | "supply"
  | "withdraw"
  | "borrow"
  | "repay"
  | "stake"
  | "unstake"
  | "claim"
  | "add_liquidity"
  | "remove_liquidity"
  | "bridge"
  | "mint"
  | "buy_nft"
  | "sell_nft"
  | "delegate"
  | "vote"
  | "cancel"
  | "deploy"
  /** A text is signed: a message in words, or a sign-in to a site. */
  | "sign"
  | "sign_in"
  /** Ownership, roles, modules, upgrades, delegation of the account's code. */
  | "admin"
  /** The venue hands on what it holds: sweep, unwrap, pay a portion. `compose` folds these into the swap before them. */
  | "forward"
  /** Read and known to move nothing and grant nothing. */
  | "harmless"
  /** Not readable, or readable and without a known meaning. */
  | "opaque";

/** How well the meaning of the bytes is known. */
export type Knowledge =
  /** Contract and function are in our tables for this chain. */
  | "bound"
  /** A standard interface on a token in the registry. */
  | "standard"
  /** The selector is known, the contract is not. */
  | "selector"
  /** Nothing is known but what the call does on a proven state, within bounds that the request states. */
  | "measured"
  | "none";

export type Effect = {
  readonly act: EffectAct;
  /** Flows that leave `payer`. */
  readonly gives: readonly Flow[];
  /**
   * Flows that must arrive at `receiver`, at least. Empty for a supply: a claim on the protocol is not an asset that
   * moves.
   */
  readonly gets: readonly Flow[];
  /** Whose assets leave: self, or another account whose allowance is used. */
  readonly payer: Party;
  /** The beneficiary: recipient of a transfer or of the output, `onBehalfOf`. Null for acts without one (approve, vote). */
  readonly receiver: Party | null;
  readonly authority: Authority | null;
  readonly fees: readonly Fee[];
  /** Id of the protocol (`uniswap_v3`), when the called contract is one of its own on this chain; else null. */
  readonly venue: string | null;
  /** The protocol whose function it looks like, bound or not. */
  readonly protocol: string;
  readonly toChain: number | null;
  /** Unix seconds after which it can no longer happen; null: never said. */
  readonly deadline: bigint | null;
  readonly terms: Terms;
  readonly admin: {
    readonly kind: string;
    readonly party: Party | null;
    /** Whose place the party takes. */
    readonly replaced?: Party;
    /** How many of the owners must sign afterwards. */
    readonly threshold?: bigint;
    /** Named only to find a place in a list. */
    readonly listed?: Party;
  } | null;
  readonly choices: readonly Choice[];
  readonly knowledge: Knowledge;
  /** The contract called, and its function as a person writes it: `swapExactTokensForETH`. */
  readonly target: Address | null;
  readonly function: string;
  readonly where: Where;
  /** Places of the parties and amounts, by role: `receiver`, `spender`, `deadline`, `minimum`. */
  readonly places: Readonly<Record<string, Where>>;
};

/** The check that reports a fault: of the native token sent with the call, of the route, or of any other parameter. */
export type FaultTopic = "native" | "route" | "amount" | "unreadable";

/** A mistake in the parameters (a zero pool id, lists of different lengths), or the reason why a call cannot be read. */
export type Fault = {
  readonly topic: FaultTopic;
  /** A clause without a capital and a full stop, to follow a colon. */
  readonly text: string;
  /** Honest transactions have it too, so that it does not decide alone. */
  readonly mild?: true;
};

const faultOf =
  (topic: FaultTopic) =>
  (text: string): Fault => ({ topic, text });
export const nativeFault = faultOf("native");
export const routeFault = faultOf("route");
export const amountFault = faultOf("amount");
export const unreadable = faultOf("unreadable");

export type Terms = {
  /** It is an order someone else fills, not an execution. */
  readonly order?: boolean;
  readonly kind?: "sell" | "buy";
  readonly partial?: boolean;
  /** The minimum is exact-out: `gives.most` is the limit, `gets` exact. */
  readonly exactOut?: boolean;
  /** Tokens along the way. */
  readonly path?: readonly Address[];
  readonly faults?: readonly Fault[];
  /** Runs foreign code with this account's storage. */
  readonly delegatecall?: Address;
  /** An allowance is lowered by so much; what stays of it is not known. */
  readonly reducedBy?: bigint;
  /** Nonce of a permit or order. */
  readonly nonce?: bigint;
  /** Code attached to an order that runs around it (CoW hooks), by hash. */
  readonly hooks?: string;
  /** 7702: valid on every chain. */
  readonly anyChain?: boolean;
  /** ERC-20 and ERC-721 share this function and the contract is unknown, so the amount may be an NFT's id. */
  readonly maybeNft?: boolean;
};

/** One call and how it was read. A call that only contains others comes before them, marked `wrapper`. */
export type Leaf = {
  readonly where: string;
  readonly depth: number;
  readonly sender: Party;
  readonly to: Address | null;
  readonly value: bigint;
  readonly data: Hex;
  readonly delegatecall: boolean;
  /** Protocol and function that read it; null: nothing did. */
  readonly protocol: string | null;
  readonly function: string | null;
  readonly knowledge: Knowledge;
  readonly args: readonly {
    readonly name: string;
    readonly value: string;
    readonly bytes: readonly [number, number];
  }[];
  readonly encoding: EncodingFinding[];
  readonly wrapper?: boolean;
  /** Where its data stands in the outermost call's. Null: the bytes of it are put together, or were signed. */
  readonly place: readonly [number, number] | null;
};

/** Bytes that decode but are not what an encoder writes. */
export type EncodingFinding = {
  readonly kind:
    | "dirty_bits"
    | "offset"
    | "padding"
    | "overlap"
    | "truncated"
    | "trailing_tag"
    | "trailing_unexplained"
    | "trailing_fee"
    | "decoders_disagree"
    | "undecodable";
  readonly bytes: readonly [number, number];
  readonly said: string;
};

/** The content of one argument. */
export type OpenedPart = {
  /** The call it belongs to, and the path of the argument. */
  readonly where: string;
  readonly at: string;
  /** Its first bit in the outermost call's data. Null: it does not stand there as it is. */
  readonly base: number | null;
  readonly leaves: readonly OpenedLeaf[];
};

/** Everything the bytes say. */
export type Reading = {
  readonly leaves: readonly Leaf[];
  /** In order of execution, composed: one swap for a router program, not one per hop. */
  readonly effects: readonly Effect[];
  readonly net: NetEffect;
  /** Why unrolling stopped early, or null. */
  readonly limit: string | null;
  /** Every address the bytes name, with its role, for lists: `to`, `recipient`, `spender`, `token`. */
  readonly parties: readonly { readonly address: Address; readonly role: string; readonly where: Where }[];
  /** The contents of arguments: bytes with their own encoding, packed fields. */
  readonly opened?: readonly OpenedPart[];
  /** Contracts through which the person acts: the Safe, the smart account of a user operation. They are `self` too. */
  readonly accounts?: readonly Address[];
};

/** The net effect in the worst case. */
export type NetEffect = {
  readonly leaves: readonly { readonly asset: Asset; readonly most: bigint; readonly everything: boolean }[];
  readonly arrives: readonly {
    readonly asset: Asset;
    readonly least: bigint;
    /** The chain on which it arrives, if that is another one. */
    readonly toChain?: number;
  }[];
  readonly authority: readonly Authority[];
  readonly others: readonly {
    readonly party: Party;
    readonly asset: Asset;
    readonly most: bigint;
    readonly where: Where;
    readonly toChain?: number;
  }[];
  readonly admin: readonly { readonly kind: string; readonly party: Party | null; readonly where: Where }[];
};

export const MAX_UINT = 2n ** 256n - 1n;
export const native: Asset = { kind: "native" };
export const token = (address: Address): Asset => ({ kind: "token", address });
export const nft = (address: Address, id: bigint | null): Asset => ({ kind: "nft", address, id });
export const unsaid = (why: string): Asset => ({ kind: "unsaid", why });
export const exactly = (n: bigint): Amount => ({ least: n, most: n });
export const atLeast = (n: bigint): Amount => ({ least: n, most: MAX_UINT });
export const atMost = (n: bigint): Amount => ({ least: 0n, most: n });
export const everything: Amount = { least: 0n, most: MAX_UINT, everything: true };
export const unknownAmount: Amount = { least: 0n, most: MAX_UINT };

export const sameAsset = (a: Asset, b: Asset): boolean =>
  a.kind === b.kind &&
  (a.kind === "native" ||
    (a.kind === "token" && b.kind === "token" && a.address === b.address) ||
    (a.kind === "nft" && b.kind === "nft" && a.address === b.address && a.id === b.id));
