/**
 * The canonical requests: one English pattern for each act. `describe` fills it from a transaction and `restate` from a request,
 * so that both speak the same language, and reading a filled pattern back gives the same request.
 *
 * `{slot}` is required. `[ … {slot}]` is written only if the slot has a value. An effect with a value that its pattern has no
 * slot for is not described.
 */
import type { EffectAct } from "../effects.ts";

/** The parts of a canonical request. */
export const slots = {
  gives: "the amounts and assets that leave",
  gets: "the amounts and assets that arrive, with the guaranteed minimum",
  payer: "the account whose assets are used, if it is not yours",
  to: "who receives it, or in whose name it happens, if it is not you",
  spender: "who may spend",
  until: "when the allowance ends",
  deadline: "when the transaction can no longer happen",
  fills: "whether an order may be filled in part",
  venue: "the protocol",
  choices: "pools, markets, ids and other choices that decide what the call does",
  fee: "the fee, as a share",
  vote: "the direction of the vote",
  proposal: "the proposal that is voted on",
  party: "who gains or loses control",
  replaced: "whom the party replaces",
  threshold: "how many owners must sign",
  role: "the role",
  contract: "the contract whose control changes",
  message: "the text to be signed",
  site: "the site to sign in to",
  toChain: "the destination chain",
  chain: "the chain",
} as const;

export type Slot = keyof typeof slots;
export type Terms = Readonly<Partial<Record<Slot, string>>>;

type Act = Exclude<EffectAct, "admin" | "forward" | "harmless" | "opaque">;

/** Acts that move value or grant authority. */
const acts: Readonly<Record<Act, string>> = {
  transfer: "Send {gives}[ from {payer}] to {to}[ using {choices}][ on {chain}].",
  approve: "Approve {spender} to spend {gives}[ from {payer}][ until {until}][ on {chain}].",
  revoke: "Revoke the allowance of {spender} for {gives}[ on {chain}].",
  swap: "Swap {gives}[ from {payer}] for {gets}[ on {venue}][ to {to}][ using {choices}][ paying {fee} in fees][ on {chain}][ before {deadline}][, {fills}].",
  wrap: "Wrap {gives}[ from {payer}][ and receive {gets}][ to {to}][ on {chain}].",
  unwrap: "Unwrap {gives}[ from {payer}][ and receive {gets}][ to {to}][ on {chain}].",
  supply:
    "Supply {gives}[ from {payer}][ on {venue}][ on behalf of {to}][ and receive {gets}][ using {choices}][ on {chain}].",
  withdraw: "Withdraw {gets}[ for {gives}][ from {venue}][ to {to}][ using {choices}][ on {chain}].",
  borrow: "Borrow {gets}[ from {venue}][ on behalf of {payer}][ to {to}][ using {choices}][ on {chain}].",
  repay: "Repay {gives}[ from {payer}][ on {venue}][ on behalf of {to}][ using {choices}][ on {chain}].",
  stake:
    "Stake {gives}[ from {payer}][ on {venue}][ on behalf of {to}][ and receive {gets}][ using {choices}][ on {chain}].",
  unstake:
    "Unstake {gives}[ from {payer}][ on {venue}][ to {to}][ and receive {gets}][ using {choices}][ on {chain}].",
  claim: "Claim {gets}[ from {venue}][ to {to}][ using {choices}][ on {chain}].",
  add_liquidity:
    "Add liquidity of {gives}[ on {venue}][ on behalf of {to}][ and receive {gets}][ using {choices}][ on {chain}][ before {deadline}].",
  remove_liquidity:
    "Remove liquidity[ on {venue}][ using {choices}] and receive {gets}[ for {gives}][ to {to}][ on {chain}][ before {deadline}].",
  bridge:
    "Bridge {gives}[ from {payer}][ from {chain}] to[ {to} on] {toChain}[ via {venue}][ and receive {gets}][ using {choices}][ paying {fee} in fees][ before {deadline}].",
  mint: "Mint {gets}[ for {gives}][ to {to}][ using {choices}][ on {chain}].",
  buy_nft: "Buy {gets} for {gives}[ on {venue}][ to {to}][ using {choices}][ on {chain}][, {fills}].",
  sell_nft:
    "Sell {gives} for {gets}[ on {venue}][ to {to}][ using {choices}][ paying {fee} in fees][ on {chain}][ before {deadline}][, {fills}].",
  delegate: "Delegate the voting power of {gives} to {party}[ from {payer}][ on {chain}].",
  vote: "Vote {vote} {proposal}[ using {choices}][ on {chain}].",
  cancel: "Cancel {choices}[ on {venue}][ on {chain}].",
  deploy: "Deploy a contract[ with {gives}][ using {choices}][ on {chain}].",
  sign: "Sign the message “{message}”.",
  sign_in: "Sign in to {site}.",
};

/** Acts of control, by their kind. A kind without a pattern is not described. */
const controls: Readonly<Record<string, string>> = {
  transfer_ownership: "Transfer the ownership of contract {contract} to {party}[ on {chain}].",
  accept_ownership: "Accept ownership of contract {contract}[ on {chain}].",
  renounce_ownership: "Renounce the ownership of contract {contract}[ on {chain}].",
  add_owner: "Add owner {party}[ on account {contract}][ with threshold {threshold}][ on {chain}].",
  remove_owner: "Remove owner {party}[ on account {contract}][ with threshold {threshold}][ on {chain}].",
  swap_owner: "Replace owner {replaced} with {party}[ on {chain}].",
  change_threshold: "Change the threshold to {threshold}[ on {chain}].",
  enable_module: "Enable module {party} on account {contract}[ on {chain}].",
  disable_module: "Disable module {party} on account {contract}[ on {chain}].",
  set_guard: "Set the guard of account {contract} to {party}[ on {chain}].",
  set_fallback_handler: "Set the fallback handler of account {contract} to {party}[ on {chain}].",
  grant_role: "Grant {role} on contract {contract} to {party}[ on {chain}].",
  upgrade: "Upgrade contract {contract} to implementation {party}[ using {choices}][ on {chain}].",
  pause: "Pause contract {contract}[ on {chain}].",
  unpause: "Unpause contract {contract}[ on {chain}].",
  delegate_code: "Delegate my wallet's code to {party} with EIP-7702[ on {chain}].",
  revoke_delegation: "Revoke the EIP-7702 code delegation of my wallet[ on {chain}].",
};

/** By act, or `admin.` and the kind of control. */
export const patterns: ReadonlyMap<string, string> = new Map([
  ...Object.entries(acts),
  ...Object.entries(controls).map(([kind, pattern]): [string, string] => [`admin.${kind}`, pattern]),
]);
