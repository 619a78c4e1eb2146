/**
 * How a protocol is written down: its contracts, its names, and for each function what the arguments mean. A file under
 * `protocols/` default-exports one of these; being there is being registered.
 */
import type { AbiFunction, AbiParametersToPrimitiveTypes, ParseAbiItem } from "abitype";
import type { Amount, Asset, Effect, EffectAct, Fee, Party, Terms } from "./effects.ts";
import type { Address, Hex, TypedData } from "./proposal.ts";
import type { Registry } from "./registry.ts";

/** What a reader may look at besides the arguments. */
export type CallView = {
  readonly to: Address;
  readonly value: bigint;
  /** Who the called contract sees as msg.sender. `venue` when a multicall contract calls in its own name. */
  readonly sender: Party;
  readonly chain: number;
  /** The role of `to` in this protocol on this chain (`router`), or null where the address is not one of its own. */
  readonly role: string | null;
  readonly registry: Registry;
  /** The code runs in the storage and name of the caller's account: what it calls, the account calls. */
  readonly delegatecall?: boolean;
  /** Whether an address is the person's own: the account, or a Safe or smart account it acts through. */
  readonly isSelf?: (address: Address) => boolean;
};

/** Field names are argument paths (`params.recipient`, `amounts[2]`, `value`): the engine turns them into byte ranges. */
export type DraftFlow = { readonly asset: Asset; readonly amount: Amount; readonly at: string };

export type Draft = {
  readonly act: EffectAct;
  readonly gives?: readonly DraftFlow[];
  readonly gets?: readonly DraftFlow[];
  /** Default: the sender. */
  readonly payer?: Party;
  readonly receiver?: Party | null;
  readonly authority?: {
    readonly spender: Party;
    readonly asset: Asset | null;
    readonly amount: Amount;
    readonly until?: bigint | null;
    readonly signed?: boolean;
    readonly at: string;
  };
  readonly fees?: readonly (Omit<Fee, "where"> & { readonly at: string })[];
  readonly toChain?: number | null;
  readonly deadline?: bigint | null;
  readonly terms?: Terms;
  readonly admin?: Effect["admin"];
  /** Where each role stands: `{ receiver: "params.recipient", deadline: "deadline" }`. */
  readonly places?: Readonly<Record<string, string>>;
};

/** A call the contract makes on behalf of its caller: the engine reads it in turn. */
export type InnerCall = {
  readonly to: Address | null;
  readonly value: bigint;
  readonly data: Hex;
  /** Who makes it. Default: the contract called (`venue`, or `self` when that contract is the account itself). */
  readonly sender?: Party;
  readonly delegatecall?: boolean;
  /** The same contract calls itself with the caller kept (multicall by delegatecall): parts of one program. */
  readonly program?: boolean;
  /** The contract called is the person's own account: from here on it is `self` too. */
  readonly account?: Address;
  /** Where its bytes stand: `data`, `calls[1].callData`. */
  readonly at: string;
  /** Which of those bytes its data are, where they are not all of them (a record of MultiSend's). */
  readonly within?: readonly [number, number];
};

export type Read = { readonly effects?: readonly Draft[]; readonly calls?: readonly InnerCall[] };

type Args<S extends string> =
  ParseAbiItem<S> extends infer F extends AbiFunction ? AbiParametersToPrimitiveTypes<F["inputs"]> : never;

export type ProtocolFunction = {
  readonly signature: string;
  /** Roles of contracts it belongs to, or `anywhere` for a standard interface. */
  readonly on: readonly string[] | "anywhere";
  readonly payable: boolean;
  readonly read: (args: never, call: CallView) => Read | Draft | readonly Draft[];
};

/**
 * One function. Write the signature with the names of its arguments; mark it `payable` if it is. `read` says what it does.
 * A thrown error makes the leaf opaque: throw when the arguments make no sense.
 */
export const fn = <const S extends string>(
  signature: S,
  on: readonly string[] | "anywhere",
  read: (args: Args<S>, call: CallView) => Read | Draft | readonly Draft[],
): ProtocolFunction => ({
  signature,
  on,
  payable: signature.endsWith(" payable"),
  read: read,
});

/** Something signed: EIP-712 data of one primary type. */
export type ProtocolTypedData = {
  readonly primaryType: string;
  /** Roles of the contract that must be `domain.verifyingContract`, or `anywhere` (permits of any token). */
  readonly on: readonly string[] | "anywhere";
  /** Member names the message must have: tells apart protocols that share a primary type ("Order", "Permit"). */
  readonly members: readonly string[];
  readonly read: (data: TypedData, call: CallView) => Read | Draft | readonly Draft[];
};

export type Protocol = {
  /** `uniswap_v3`. The file's name is the id. */
  readonly title: string;
  /** As people write it, lower case, versions included: "uniswap", "uni v3". Empty for standards and wrappers. */
  readonly names: readonly string[];
  /** Ids or names of which this is one: saying "uniswap" is satisfied by uniswap_v2, uniswap_v3, uniswap_v4, universal_router. */
  readonly family?: string;
  /** Verbs this venue gives another meaning: `{ stake: ["supply"] }` for a lender. */
  readonly verbs?: Readonly<Record<string, readonly EffectAct[]>>;
  /** What else it may be called by: a router that reaches uniswap_v3 satisfies somebody who said that. Ids. */
  readonly standsFor?: readonly string[];
  /** role → chain → addresses. Chain 0: the same address on every chain (deterministic deployments only). */
  readonly contracts: Readonly<Record<string, Readonly<Record<number, Address | readonly Address[]>>>>;
  readonly functions: readonly ProtocolFunction[];
  readonly typedData?: readonly ProtocolTypedData[];
  /** What the coin sent without data means to its contracts: a wrapper wraps it, a staking pool stakes it. */
  readonly receive?: { readonly on: readonly string[]; readonly read: (call: CallView) => Draft };
  /** Contracts that take bytes without a selector. */
  readonly raw?: { readonly on: readonly string[]; readonly read: (data: Hex, call: CallView) => Draft };
  /** Roles whose code an account may run by delegatecall and still be read as usual (MultiSend). */
  readonly libraries?: readonly string[];
};

export const defineProtocol = (protocol: Protocol): Protocol => protocol;
