/**
 * The parsed input: every part that would be signed, side by side, so that no part is overlooked. Built by `request/`;
 * all later code uses this and never the raw JSON.
 */

/** 20 bytes, lower case. */
export type Address = `0x${string}`;
export type Hex = `0x${string}`;

/** One thing to be sent. `to` is null for a deployment. */
export type Call = {
  /** Where it stands in the request: `proposed_tx`, `proposed_tx.transactions[2]`. */
  readonly at: string;
  readonly to: Address | null;
  readonly value: bigint;
  readonly data: Hex;
};

/** EIP-712 data to be signed, as `proposed_tx.order` gave it. Integers in `message` are bigint or decimal strings. */
export type TypedData = {
  readonly domain: Readonly<Record<string, unknown>>;
  readonly types: Readonly<Record<string, readonly { readonly name: string; readonly type: string }[]>>;
  readonly primaryType: string;
  readonly message: Readonly<Record<string, unknown>>;
};

/** An EIP-7702 tuple: this account's code becomes the delegate's. Chain 0 means every chain. */
export type Authorization = {
  readonly at: string;
  readonly chainId: bigint;
  readonly delegate: Address;
};

/** A fault of form found while reading, for the check that owns it. */
export type Defect = {
  readonly check:
    | "payload_present"
    | "address_format"
    | "checksum"
    | "hex_encoding"
    | "value_encoding"
    | "context_conflict"
    | "typed_data_wellformed"
    | "gas_sane";
  readonly at: string;
  readonly found: string;
  readonly expected: string;
};

export type Gas = {
  readonly limit: bigint | null;
  readonly price: bigint | null;
  readonly maxFee: bigint | null;
  readonly priorityFee: bigint | null;
};

/** Context from the caller. It may supply state or cause a rejection; it never gives consent. */
export type Context = {
  readonly known: readonly { readonly address: Address; readonly label: string | null }[];
  readonly counterparties: readonly Address[];
  /** Base units by token address, or "native". Null: the caller sent none. */
  readonly balances: ReadonlyMap<Address | "native", bigint> | null;
  /** Dollars per whole unit, by upper-case symbol. Null: the caller sent none. */
  readonly prices: ReadonlyMap<string, number> | null;
  /** Token names according to the caller: only compared with our own table, which takes precedence. */
  readonly tokens: readonly {
    readonly address: Address;
    readonly symbol: string | null;
    readonly decimals: number | null;
  }[];
  /** Contracts that the caller knows to be the owner's: Safes, smart accounts. Never taken from the transaction's own members. */
  readonly accounts: readonly Address[];
  /** Names the caller resolved: `vitalik.eth` to an address. */
  readonly names: ReadonlyMap<string, Address>;
  readonly jurisdiction: string | null;
  /** Every other string found in metadata and context, with its place: read by the injection checks alone. */
  readonly texts: readonly { readonly at: string; readonly text: string }[];
};

export type Proposal = {
  /** human_intent, as it came. Only this licenses an effect. */
  readonly words: string;
  readonly calls: readonly Call[];
  readonly typedData: TypedData | null;
  /** A text to be signed with EIP-191. */
  readonly message: string | null;
  readonly authorizations: readonly Authorization[];
  readonly chain: { readonly id: number; readonly assumed: boolean };
  /** The account whose money it is. Null: the caller did not say, and "self" is then known only by silence. */
  readonly actor: Address | null;
  /** Unix seconds: the caller's, else this machine's. */
  readonly now: bigint;
  readonly gas: Gas;
  /** `proposed_tx.protocol`: a hint, compared with what the bytes show. */
  readonly protocolHint: string | null;
  readonly context: Context;
  readonly defects: readonly Defect[];
};
