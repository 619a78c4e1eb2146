/**
 * Facts that a proven state of the chain shows about the calls of an account: whether the account can pay, and what the call does. They can contradict
 * the calldata or supply evidence. They never give consent.
 */
import type { EngineDifference, EngineSummary } from "@countersign/evm";
import type { Asset, Where } from "./effects.ts";
import type { Address, Hex } from "./proposal.ts";

export type Block = { readonly number: bigint; readonly hash: Hex; readonly timestamp: bigint };

/** The state that the caller sent. A refused one proves nothing, and nothing passes with it. */
export type State =
  | { readonly status: "proven"; readonly hash: Hex; readonly block: Block }
  /** `hash` is null for a state of another form. */
  | { readonly status: "refused"; readonly hash: Hex | null; readonly why: string };

/** Whether a second, independent engine has the same result as ours. */
export type Engines =
  | { readonly status: "agree"; readonly engine: string; readonly first: EngineSummary }
  | {
      readonly status: "differs";
      readonly engine: string;
      readonly first: EngineSummary;
      readonly second: EngineSummary;
      readonly differences: readonly EngineDifference[];
    }
  /** It has no result, or was not asked. That counts only if the operator requires a second engine. */
  | {
      readonly status: "cannot";
      readonly engine: string | null;
      readonly why: string;
      readonly isRequired: boolean;
    }
  /** An answer was sent, and is not one about this state. */
  | { readonly status: "refused"; readonly why: string };

/** Returns why nothing passes with these engines, as a sentence; null if they do not prevent it. */
export function findObjection(engines: Engines): string | null {
  if (engines.status === "agree") return null;
  if (engines.status === "refused") return engines.why;
  if (engines.status === "cannot")
    return engines.isRequired
      ? `The operator requires a second engine, and it cannot tell: ${engines.why}.`
      : null;
  const [one] = engines.differences;
  const detail = one === undefined ? "" : ` (${one.what}: ${one.first} and ${one.second})`;
  return `Two engines executed the transaction on the same state with different results${detail}.`;
}

/** The names that the state resolves, by name. An address that is null is not proven; `why` continues a sentence after the name. */
export type ProvenNames = ReadonlyMap<
  string,
  { readonly address: Address; readonly resolver: Address } | { readonly address: null; readonly why: string }
>;

/** The holdings of the account, and the cost of the transaction. In base units. */
export type Funds = {
  readonly native: bigint;
  readonly value: bigint;
  /** All of its gas at the highest price that it offers. */
  readonly mostForGas: bigint;
  /** Of the tokens that the call names. */
  readonly tokens: ReadonlyMap<Address, bigint>;
  /** A call that succeeds has enough, also where it first receives what it then sends. */
  readonly isEnough: boolean;
};

type BalanceChange = {
  readonly holder: Address;
  readonly asset: Asset;
  readonly amount: bigint;
  /** False: the contract does not answer for balances, and the amount is that of its events. */
  readonly isMeasured: boolean;
};

/** A balance of the account before and after the call, in base units. Null: not known. The native token without fees for gas. */
export type HeldBalance = {
  readonly asset: Asset;
  readonly before: bigint | null;
  readonly after: bigint | null;
};

export type SimulatedApproval = {
  readonly spender: Address;
  /** An NFT without an id stands for the whole collection. */
  readonly asset: Asset;
  readonly before: bigint;
  readonly after: bigint;
};

type ControlChange = { readonly kind: string; readonly address: Address; readonly to: string };

/** An account that the calls name or pay, as it is before them. */
export type SimulatedParty = {
  readonly address: Address;
  readonly hasCode: boolean;
  /** The contract whose code the account runs (EIP-7702). */
  readonly delegate: Address | null;
  /** Whether it has sent a transaction, created a contract, or holds the native token. */
  readonly isUsed: boolean;
};

/** The swap of a transaction that does nothing else but approve. */
export type ExecutedSwap = {
  readonly out: Asset;
  readonly into: Asset;
  /** Both measured. */
  readonly paid: bigint;
  readonly arrived: bigint;
  /** How far the limit in the calldata is from what was executed, in bps: the minimum that must arrive, or the maximum that may leave. */
  readonly roomBps: number;
  /** How much less than the price of the feeds arrived, and would arrive at the limit, in bps. Null without feeds for both assets. */
  readonly lossBps: number | null;
  readonly worstLossBps: number | null;
  /** Whether the request states that limit itself. */
  readonly isLimitStated: boolean;
  readonly where: Where;
};

export type Simulation = {
  /** The account that acts: the sender, or the Safe that the sender makes execute something. */
  readonly account: Address;
  /** Pays for the gas. Nothing else of it may leave if another account acts. */
  readonly sender: Address;
  /** How many calls of the account were executed. */
  readonly calls: number;
  /** Whether another account sends the transaction, because the account is a contract or gives a signature. */
  readonly isRelayed: boolean;
  /** Why it reverted; null if it did not. A contract's own text. */
  readonly reverted: string | null;
  /** How it behaves in another block or with other gas; null if it behaves the same. */
  readonly diverged: string | null;
  /** How many variants of the block and the gas were executed. */
  readonly variants: number;
  /** Without fees for gas. */
  readonly changes: readonly BalanceChange[];
  /** Of the account, for the assets in `changes`. */
  readonly balances: readonly HeldBalance[];
  /** Accounts whose balances of the native token and of `tokens` are measured: they are unchanged where `changes` has none. */
  readonly holders: readonly Address[];
  readonly tokens: readonly Address[];
  /** Of the account and the sender, where they grow. */
  readonly approvals: readonly SimulatedApproval[];
  /** Of contracts that existed before. */
  readonly control: readonly ControlChange[];
  /** Whether the code or storage of the account itself changes. */
  readonly changesAccount: boolean;
  /** Events with a known name that could not be read, so that the changes may be incomplete. */
  readonly unreadable: number;
  readonly gasUsed: bigint;
  readonly fee: bigint;
  /** Of the tokens of the account that change, as each of them claims. */
  readonly decimals: ReadonlyMap<Address, number>;
  readonly parties: readonly SimulatedParty[];
  /** Contracts that were executed as proxies, and their implementations. */
  readonly proxies: readonly { readonly address: Address; readonly implementation: Address }[];
  /** Of the named tokens, and of those of the account that change: what each of them claims. */
  readonly symbols: ReadonlyMap<Address, string>;
  /** Dollars for one whole unit, in 10^-8, from price feeds in the same state. */
  readonly prices: ReadonlyMap<Address | "native", bigint>;
};

/** Returns how much the account gains or loses of an asset; null if that was not measured. */
export function measuredChange(
  { changes, holders, tokens }: Pick<Simulation, "changes" | "holders" | "tokens">,
  holder: Address,
  asset: Asset,
): bigint | null {
  if (asset.kind === "unsaid" || asset.kind === "nft") return null;
  const isSame = (other: Asset): boolean =>
    other.kind === asset.kind &&
    (asset.kind === "native" || (other.kind === "token" && other.address === asset.address));
  const found = changes.find((one) => one.holder === holder && isSame(one.asset));
  if (found !== undefined) return found.isMeasured ? found.amount : null;
  if (!holders.includes(holder)) return null;
  return asset.kind === "native" || tokens.includes(asset.address) ? 0n : null;
}
