/**
 * Facts that a proven state of the chain shows about a call: whether the account can pay, and what the call does. They can contradict
 * the calldata or supply evidence. They never give consent.
 */
import type { Asset } from "./effects.ts";
import type { Address, Hex } from "./proposal.ts";

export type Block = { readonly number: bigint; readonly hash: Hex; readonly timestamp: bigint };

/** The state that the caller sent. A refused one proves nothing, and nothing passes with it. */
export type State =
  | { readonly status: "proven"; readonly hash: Hex; readonly block: Block }
  /** `hash` is null for a state of another form. */
  | { readonly status: "refused"; readonly hash: Hex | null; readonly why: string };

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

export type Simulation = {
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
  /** Of the account, where they grow. */
  readonly approvals: readonly SimulatedApproval[];
  /** Of contracts that existed before. */
  readonly control: readonly ControlChange[];
  /** Whether the code or storage of the account itself changes. */
  readonly changesAccount: boolean;
  /** Events with a known name that could not be read, so that the changes may be incomplete. */
  readonly unreadable: number;
  readonly gasUsed: bigint;
  readonly fee: bigint;
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
