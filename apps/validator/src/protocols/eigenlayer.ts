/** EigenLayer: staking tokens that are restaked under an operator of the owner's choice. */
import { packed } from "../bytes/openings.ts";
import {
  atMost,
  everything,
  exactly,
  MAX_UINT,
  native,
  token,
  unsaid,
  type Asset,
  type Party,
} from "../effects.ts";
import type { Address } from "../proposal.ts";
import { defineProtocol, fn, type CallView, type Draft, type DraftChoice } from "../protocol.ts";
import { feeds, feedsAll, feedsWhen, inert, openedBy } from "../uses.ts";
import { picking } from "./shared/admin-drafts.ts";
import { depositFor, VALIDATOR_KEY_BYTES } from "./shared/staking.ts";

const restaked = (asset: Address, amount: bigint, receiver: Party): Draft => ({
  act: "stake",
  gives: [{ asset: token(asset), amount: exactly(amount), at: "amount" }],
  receiver,
  places: { amount: "amount" },
});

/** Counted in shares of a strategy: the calldata shows neither the token nor its amount. */
const shares = unsaid("shares of restaking strategies");

/** Strategies on mainnet and the token that each takes. Anyone may deploy a strategy, and it holds what is deposited. */
const strategyTokens: Readonly<Record<Address, Address>> = {
  "0x93c4b944d05dfe6df7645a86cd2206016c51564d": "0xae7ab96520de3a18e5e111b5eaab095312d7fe84", // stETH
  "0x54945180db7943c0ed0fee7edab2bd24620256bc": "0xbe9895146f7af43049ca1c1ae358b0541ea49704", // cbETH
  "0x1bee69b7dfffa4e2d53c2a2df135c388ad25dcd2": "0xae78736cd615f374d3085123a210448e74fc6393", // rETH
  "0x9d7ed45ee2e8fc5482fa2428f15c971e6369011d": "0xa35b1b31ce002fbf2058d22f30f95d405200a15b", // ETHx
  "0x13760f50a9d7377e4f20cb8cf9e4c26586c658ff": "0xe95a203b1a91a908f9b9ce46459d101078c2c3cb", // ankrETH
  "0xa4c637e0f704745d182e4d38cab7e7485321d059": "0x856c4efb76c1d1ae02e20ceb03a2a6a08b0b8dc3", // OETH
  "0x57ba429517c3473b6d34ca9acd56c0e735b94c02": "0xf1c9acdc66974dfb6decb12aa385b9cd01190e38", // osETH
  "0x0fe4f44bee93503346a3ac9ee5a26b130a5796d6": "0xf951e335afb289353dc249e82926178eac7ded78", // swETH
  "0x7ca911e83dabf90c90dd3de5411a10f1a6112184": "0xa2e3356610840701bdf5611a53974510ae27e2e1", // wBETH
  "0x8ca7a5d6f3acd3a7a8bc468a8cd0fb14b6bd28b6": "0xac3e018457b222d93114458476f3e3416abbe38f", // sfrxETH
  "0xae60d8180437b5c34bb956822ac2710972584473": "0x8c1bed5b9a0928467c9b1341da1d7bd5e10b6549", // lsETH
  "0x298afb19a105d59e74658c4c334ff360bade6dd2": "0xd5f7838f5c461feff7fe49ea5ebaf7728bb0adfa", // mETH
  "0xacb55c530acdb2849e6d4f36992cd8c9d50ed8f7": "0xec53bf9167f50cdeb3ae105f56099aaab9061f83", // EIGEN
};

/** Not among the contracts of this protocol: a strategy is never approved, and only the manager sends to it. */
const tokenOf = (strategy: Address, call: CallView): Address | undefined =>
  call.chain === 1 ? strategyTokens[strategy] : undefined;

const heldBy = (strategy: Address, call: CallView): Asset => {
  const held = tokenOf(strategy, call);
  return held === undefined ? shares : token(held);
};

const strategyAt = (strategy: Address, call: CallView, at: string): DraftChoice => ({
  what: "strategy",
  value: strategy,
  at,
  known: tokenOf(strategy, call) !== undefined,
});

const deposit = { strategy: feeds.choice, token: feeds.asset, amount: feeds.amount };

const strategies = [
  fn(
    "function depositIntoStrategy(address strategy, address token, uint256 amount)",
    ["strategy_manager"],
    deposit,
    ([strategy, asset, amount], call) =>
      picking(restaked(asset, amount, call.sender), strategyAt(strategy, call, "strategy")),
  ),
  fn(
    "function depositIntoStrategyWithSignature(address strategy, address token, uint256 amount, address staker, uint256 expiry, bytes signature)",
    ["strategy_manager"],
    { ...deposit, staker: feeds.receiver, expiry: feeds.deadline, signature: inert.signature },
    ([strategy, asset, amount, staker, expiry], call) => ({
      ...picking(restaked(asset, amount, staker), strategyAt(strategy, call, "strategy")),
      deadline: expiry,
      places: { amount: "amount", receiver: "staker", deadline: "expiry" },
    }),
  ),
];

const operators = [
  fn(
    "function delegateTo(address operator, (bytes signature, uint256 expiry) approverSignatureAndExpiry, bytes32 approverSalt)",
    ["delegation_manager"],
    { operator: feeds.receiver, approverSignatureAndExpiry: inert.signature, approverSalt: inert.replay },
    ([operator]) => ({ act: "delegate", receiver: operator, places: { receiver: "operator" } }),
  ),
  fn(
    "function redelegate(address newOperator, (bytes signature, uint256 expiry) newOperatorApproverSig, bytes32 approverSalt)",
    ["delegation_manager"],
    { newOperator: feeds.receiver, newOperatorApproverSig: inert.signature, approverSalt: inert.replay },
    ([operator]) => ({ act: "delegate", receiver: operator, places: { receiver: "newOperator" } }),
  ),
  // Leaving the operator also queues a withdrawal of everything.
  fn(
    "function undelegate(address staker)",
    ["delegation_manager"],
    { staker: feedsAll("payer", "receiver") },
    ([staker]) => ({
      act: "unstake",
      gives: [{ asset: shares, amount: everything, at: "staker" }],
      payer: staker,
      receiver: staker,
      places: { receiver: "staker" },
    }),
  ),
];

type Queued = { readonly strategies: readonly Address[]; readonly depositShares: readonly bigint[] };

/** The amounts are shares of each strategy, so both must be stated. */
const queued = (
  { strategies: from, depositShares }: Queued,
  call: CallView,
  at: string,
): readonly DraftChoice[] => {
  if (from.length !== depositShares.length) throw new Error("the lists have different lengths");
  return [
    ...from.map((strategy, i) => strategyAt(strategy, call, `${at}.strategies[${i}]`)),
    ...depositShares.map((value, i) => ({
      what: "shares" as const,
      value,
      at: `${at}.depositShares[${i}]`,
    })),
  ];
};

type Completed = {
  readonly withdrawer: Address;
  readonly tokens: readonly Address[];
  readonly receiveAsTokens: boolean;
  readonly at: { readonly withdrawal: string; readonly tokens: string; readonly receiveAsTokens: string };
};

/** Completed as shares, nothing is paid out: it is restaked. */
const completed = ({ withdrawer, tokens, receiveAsTokens, at }: Completed): Draft => ({
  act: "claim",
  gets: (receiveAsTokens ? tokens : []).map((asset, index) => ({
    asset: token(asset),
    amount: { least: 0n, most: MAX_UINT },
    at: `${at.tokens}[${index}]`,
  })),
  receiver: withdrawer,
  choices: receiveAsTokens
    ? []
    : [{ what: "setting", value: "as shares", at: at.receiveAsTokens, known: false }],
  places: { receiver: `${at.withdrawal}.withdrawer` },
});

/** A withdrawal is identified by the hash of these, and only its withdrawer may complete it. */
const withdrawalUses = {
  staker: inert.own_item,
  delegatedTo: inert.own_item,
  withdrawer: feeds.receiver,
  nonce: inert.own_item,
  startBlock: inert.own_item,
  strategies: inert.own_item,
  scaledShares: inert.own_item,
};
const completion = {
  tokens: feedsWhen("asset", "the withdrawal is paid out in tokens"),
  receiveAsTokens: feeds.choice,
};

const leaving = [
  fn(
    "function queueWithdrawals((address[] strategies, uint256[] depositShares, address withdrawer)[] params)",
    ["delegation_manager"],
    // Older versions required the withdrawer to be the caller; newer ones ignore it.
    { params: { strategies: feeds.choice, depositShares: feeds.choice, withdrawer: inert.unused } },
    ([params], call) =>
      params.map((each, index) => ({
        act: "unstake" as const,
        gives: each.strategies.map((strategy, i) => ({
          asset: heldBy(strategy, call),
          amount: { least: 0n, most: MAX_UINT },
          at: `params[${index}].depositShares[${i}]`,
        })),
        receiver: call.sender,
        choices: queued(each, call, `params[${index}]`),
      })),
  ),
  fn(
    "function completeQueuedWithdrawal((address staker, address delegatedTo, address withdrawer, uint256 nonce, uint32 startBlock, address[] strategies, uint256[] scaledShares) withdrawal, address[] tokens, bool receiveAsTokens)",
    ["delegation_manager"],
    { withdrawal: withdrawalUses, ...completion },
    ([{ withdrawer }, tokens, receiveAsTokens]) =>
      completed({
        withdrawer,
        tokens,
        receiveAsTokens,
        at: { withdrawal: "withdrawal", tokens: "tokens", receiveAsTokens: "receiveAsTokens" },
      }),
  ),
  fn(
    "function completeQueuedWithdrawals((address staker, address delegatedTo, address withdrawer, uint256 nonce, uint32 startBlock, address[] strategies, uint256[] scaledShares)[] withdrawals, address[][] tokens, bool[] receiveAsTokens)",
    ["delegation_manager"],
    { withdrawals: withdrawalUses, ...completion },
    ([withdrawals, tokens, receiveAsTokens]) => {
      if (withdrawals.length !== tokens.length || withdrawals.length !== receiveAsTokens.length)
        throw new Error("the lists have different lengths");
      return withdrawals.map(({ withdrawer }, i) =>
        completed({
          withdrawer,
          tokens: tokens[i] ?? [],
          receiveAsTokens: receiveAsTokens[i] === true,
          at: {
            withdrawal: `withdrawals[${i}]`,
            tokens: `tokens[${i}]`,
            receiveAsTokens: `receiveAsTokens[${i}]`,
          },
        }),
      );
    },
  ),
];

const publicKey = packed("public key", {
  head: [{ name: "key", bytes: VALIDATOR_KEY_BYTES, use: feeds.choice }],
});

const pods = [
  fn("function createPod()", ["pod_manager"], {}, () => ({ act: "harmless" })),
  fn(
    "function stake(bytes pubkey, bytes signature, bytes32 depositDataRoot) payable",
    ["pod_manager"],
    { pubkey: openedBy(publicKey), signature: inert.signature, depositDataRoot: feeds.choice },
    ([pubkey, , root], call) => ({
      act: "stake",
      gives: [{ asset: native, amount: exactly(call.value), at: "value" }],
      receiver: call.sender,
      choices: depositFor({
        key: call.open(publicKey, pubkey, "pubkey").head["key"] ?? "0x",
        keyAt: "pubkey",
        root,
        rootAt: "depositDataRoot",
      }),
      places: { amount: "value" },
    }),
  ),
];

const rewards = [
  fn(
    "function processClaim((uint32 rootIndex, uint32 earnerIndex, bytes earnerTreeProof, (address earner, bytes32 earnerTokenRoot) earnerLeaf, uint32[] tokenIndices, bytes[] tokenTreeProofs, (address token, uint256 cumulativeEarnings)[] tokenLeaves) claim, address recipient)",
    ["rewards"],
    {
      claim: {
        rootIndex: inert.signature,
        earnerIndex: inert.signature,
        earnerTreeProof: inert.signature,
        earnerLeaf: { earner: feeds.payer, earnerTokenRoot: inert.signature },
        tokenIndices: inert.signature,
        tokenTreeProofs: inert.signature,
        tokenLeaves: { token: feeds.asset, cumulativeEarnings: feeds.amount },
      },
      recipient: feeds.receiver,
    },
    ([claim, recipient]) => ({
      act: "claim",
      payer: claim.earnerLeaf.earner,
      gets: claim.tokenLeaves.map((leaf, index) => ({
        asset: token(leaf.token),
        amount: atMost(leaf.cumulativeEarnings),
        at: `claim.tokenLeaves[${index}].cumulativeEarnings`,
      })),
      receiver: recipient,
      places: { receiver: "recipient", payer: "claim.earnerLeaf.earner" },
    }),
  ),
  fn("function setClaimerFor(address claimer)", ["rewards"], { claimer: feeds.spender }, ([claimer]) => ({
    act: "approve",
    authority: { spender: claimer, asset: null, amount: everything, at: "claimer" },
  })),
];

export default defineProtocol({
  title: "EigenLayer",
  names: ["eigenlayer", "eigen layer", "eigencloud"],
  verbs: { supply: ["stake"], withdraw: ["unstake", "claim"], unstake: ["claim"] },
  contracts: {
    strategy_manager: {
      1: "0x858646372cc42e1a627fce94aa7a7033e7cf075a",
      11155111: "0x2e3d6c0744b10eb0a4e6f679f71554a39ec47a5d",
    },
    delegation_manager: {
      1: "0x39053d51b77dc0d36036fc1fcc8cb819df8ef37a",
      11155111: "0xd4a7e1bd8015057293f0d0a557088c286942e84b",
    },
    pod_manager: { 1: "0x91e677b07f7af907ec9a428aafa9fc14a0d3a338" },
    rewards: {
      1: "0x7750d328b314effa365a0402ccfd489b80b0adda",
      11155111: "0x5ae8152fb88c26ff9ca5c014c94fca3c68029349",
    },
  },
  functions: [...strategies, ...operators, ...leaving, ...pods, ...rewards],
});
