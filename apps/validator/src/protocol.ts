/**
 * How a protocol is written down: its contracts, its names, and for each function what the arguments mean. A file under
 * `protocols/` default-exports one of these; being there is being registered.
 */
import type { AbiFunction, AbiParametersToPrimitiveTypes, ParseAbiItem } from "abitype";
import { parseAbi } from "viem/utils";
import type { ChoiceKind } from "./choices.ts";
import type { Amount, Asset, Effect, EffectAct, Fee, Party, Terms } from "./effects.ts";
import type { Address, Hex, TypedData } from "./proposal.ts";
import type { Registry } from "./registry.ts";
import { accountFor, type Opening, type UsesOf, type UseTree } from "./uses.ts";

/** The context that a reader may use in addition to the arguments. */
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
  /** Whether an address is the owner's own: the account, or a Safe or smart account it acts through. */
  readonly isSelf: (address: Address) => boolean;
  /**
   * Opens what is inside an argument (`at` names it) and returns its values. Only openings that the argument's use names are
   * allowed. Throws where the data does not fit, which makes the call unreadable.
   */
  readonly open: <V>(opening: Opening<V>, data: Hex, at: string) => V;
};

/** Field names are argument paths (`params.recipient`, `amounts[2]`, `value`): the engine turns them into byte ranges. */
export type DraftFlow = { readonly asset: Asset; readonly amount: Amount; readonly at: string };

/**
 * Something the caller picked. Without `known` an address counts as known where it is the owner's own or, on this chain, one of
 * this protocol's contracts (of these roles, where any are given).
 */
export type DraftChoice = {
  readonly what: ChoiceKind;
  readonly value: string | bigint;
  readonly at: string;
  readonly known?: boolean;
  readonly roles?: readonly string[];
};

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
  readonly choices?: readonly DraftChoice[];
  /** The argument of each role: `{ receiver: "params.recipient", deadline: "deadline" }`. */
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
  /** The rest goes on if it fails. */
  readonly mayFail?: boolean;
  /** The contract called is the person's own account: from here on it is `self` too. */
  readonly account?: Address;
  /** Where its bytes stand: `data`, `calls[1].callData`. */
  readonly at: string;
  /** Which of those bytes its data are, where they are not all of them (a record of MultiSend's). */
  readonly within?: readonly [number, number];
};

export type Read = { readonly effects?: readonly Draft[]; readonly calls?: readonly InnerCall[] };

type InputsOf<S extends string> = ParseAbiItem<S> extends infer F extends AbiFunction ? F["inputs"] : never;
type Args<S extends string> = AbiParametersToPrimitiveTypes<InputsOf<S>>;

export type ProtocolFunction = {
  readonly signature: string;
  readonly abi: AbiFunction;
  /** Roles of contracts it belongs to, or `anywhere` for a standard interface. */
  readonly on: readonly string[] | "anywhere";
  readonly payable: boolean;
  /** How each argument is accounted for. "unread": the call is always opaque, so that it never passes. */
  readonly uses: UseTree | "unread";
  readonly read: (args: never, call: CallView) => Read | Draft | readonly Draft[];
};

type ReadCall<S extends string> = (args: Args<S>, call: CallView) => Read | Draft | readonly Draft[];

function parseFunction(signature: string): AbiFunction {
  const [item] = parseAbi([signature]) as readonly { readonly type: string }[];
  if (item?.type !== "function") throw new Error(`"${signature}" is not a function`);
  return item as AbiFunction;
}

/** For a signature whose types are too deep for the compiler; otherwise use `fn`. */
export const describeFunction = (
  signature: string,
  on: ProtocolFunction["on"],
  uses: ProtocolFunction["uses"],
  read: ProtocolFunction["read"],
): ProtocolFunction => ({
  signature,
  abi: parseFunction(signature),
  on,
  payable: signature.endsWith(" payable"),
  uses,
  read,
});

/**
 * One function. Write the signature with the names of its arguments; mark it `payable` if it is. `uses` says of each argument
 * how it is accounted for, `read` what the call does. A thrown error makes the leaf opaque: throw when the arguments make no
 * sense.
 */
export const fn = <const S extends string>(
  signature: S,
  on: readonly string[] | "anywhere",
  uses: UsesOf<InputsOf<S>>,
  read: ReadCall<S>,
): ProtocolFunction => describeFunction(signature, on, uses, read);

/** A function whose effects its arguments do not show (a flash loan, a liquidation). It is named, and never passes. */
export const unreadFn = <const S extends string>(
  signature: S,
  on: readonly string[] | "anywhere",
  read: (args: Args<S>, call: CallView) => Omit<Draft, "act"> = () => ({}),
): ProtocolFunction =>
  describeFunction(signature, on, "unread", (args: Args<S>, call: CallView): Draft => ({
    ...read(args, call),
    act: "opaque",
  }));

/** Something signed: EIP-712 data of one primary type. */
export type ProtocolTypedData = {
  readonly primaryType: string;
  /** Roles of the contract that must be `domain.verifyingContract`, or `anywhere` (permits of any token). */
  readonly on: readonly string[] | "anywhere";
  /**
   * Member names that the message must have. They distinguish protocols that share a primary type ("Order", "Permit").
   */
  readonly members: readonly string[];
  /** How each member of the message is accounted for. A message with a member that is not here is unreadable. */
  readonly uses: UseTree;
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
  /** Ids of other protocols that it satisfies: a router that reaches uniswap_v3 satisfies a request for Uniswap v3. */
  readonly standsFor?: readonly string[];
  /** role → chain → addresses. Chain 0: the same address on every chain (deterministic deployments only). */
  readonly contracts: Readonly<Record<string, Readonly<Record<number, Address | readonly Address[]>>>>;
  readonly functions: readonly ProtocolFunction[];
  readonly typedData?: readonly ProtocolTypedData[];
  /** The meaning of coin sent without data to its contracts: a wrapper wraps it, a staking pool stakes it. */
  readonly receive?: { readonly on: readonly string[]; readonly read: (call: CallView) => Draft };
  /** Contracts that take bytes without a selector. */
  readonly raw?: { readonly on: readonly string[]; readonly read: (data: Hex, call: CallView) => Draft };
  /** Roles whose code an account may run by delegatecall and still be read as usual (MultiSend). */
  readonly libraries?: readonly string[];
};

/** Refuses, with a sentence, a protocol that leaves an argument of one of its functions unaccounted for. */
export function defineProtocol(protocol: Protocol): Protocol {
  for (const { signature, abi, uses } of protocol.functions) {
    if (uses === "unread") continue;
    try {
      accountFor(abi.inputs, uses);
    } catch (cause) {
      throw new Error(`"${signature}" ${cause instanceof Error ? cause.message : ""}`, { cause });
    }
  }
  return protocol;
}
