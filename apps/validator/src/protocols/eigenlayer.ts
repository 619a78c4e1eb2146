/** EigenLayer: staking tokens put to work a second time, under an operator of one's choice. */
import { everything, exactly, MAX_UINT, native, token, unsaid, type Party, type Terms } from "../effects.ts";
import type { Address } from "../proposal.ts";
import { defineProtocol, fn, type CallView, type Draft } from "../protocol.ts";

const restaked = (asset: Address, amount: bigint, receiver: Party): Draft => ({
  act: "stake",
  gives: [{ asset: token(asset), amount: exactly(amount), at: "amount" }],
  receiver,
  places: { amount: "amount" },
});

/** Counted in a strategy's shares, so that the token and its amount are not in the bytes. */
const shares = unsaid("shares of restaking strategies");

/** The strategies of the first token sets on mainnet. Anybody may write a strategy, and it holds what is put into it. */
const knownStrategies: ReadonlySet<string> = new Set([
  // stETH
  "0x93c4b944d05dfe6df7645a86cd2206016c51564d",
  // cbETH
  "0x54945180db7943c0ed0fee7edab2bd24620256bc",
  // rETH
  "0x1bee69b7dfffa4e2d53c2a2df135c388ad25dcd2",
  // ETHx
  "0x9d7ed45ee2e8fc5482fa2428f15c971e6369011d",
  // ankrETH
  "0x13760f50a9d7377e4f20cb8cf9e4c26586c658ff",
  // OETH
  "0xa4c637e0f704745d182e4d38cab7e7485321d059",
  // osETH
  "0x57ba429517c3473b6d34ca9acd56c0e735b94c02",
  // swETH
  "0x0fe4f44bee93503346a3ac9ee5a26b130a5796d6",
  // wBETH
  "0x7ca911e83dabf90c90dd3de5411a10f1a6112184",
  // sfrxETH
  "0x8ca7a5d6f3acd3a7a8bc468a8cd0fb14b6bd28b6",
  // lsETH
  "0xae60d8180437b5c34bb956822ac2710972584473",
  // mETH
  "0x298afb19a105d59e74658c4c334ff360bade6dd2",
  // EIGEN
  "0xacb55c530acdb2849e6d4f36992cd8c9d50ed8f7",
]);

const faultOf = (strategy: Address, call: CallView): Terms =>
  call.chain !== 1 || knownStrategies.has(strategy)
    ? {}
    : { faults: ["the amount goes to a strategy that is none of the known ones"] };

const strategies = [
  fn(
    "function depositIntoStrategy(address strategy, address token, uint256 amount)",
    ["strategy_manager"],
    ([strategy, asset, amount], call) => ({
      ...restaked(asset, amount, call.sender),
      terms: faultOf(strategy, call),
    }),
  ),
  fn(
    "function depositIntoStrategyWithSignature(address strategy, address token, uint256 amount, address staker, uint256 expiry, bytes signature)",
    ["strategy_manager"],
    ([strategy, asset, amount, staker, expiry], call) => ({
      ...restaked(asset, amount, staker),
      terms: faultOf(strategy, call),
      deadline: expiry,
      places: { amount: "amount", receiver: "staker", deadline: "expiry" },
    }),
  ),
];

const operators = [
  fn(
    "function delegateTo(address operator, (bytes signature, uint256 expiry) approverSignatureAndExpiry, bytes32 approverSalt)",
    ["delegation_manager"],
    ([operator]) => ({ act: "delegate", receiver: operator, places: { receiver: "operator" } }),
  ),
  fn(
    "function redelegate(address newOperator, (bytes signature, uint256 expiry) newOperatorApproverSig, bytes32 approverSalt)",
    ["delegation_manager"],
    ([operator]) => ({ act: "delegate", receiver: operator, places: { receiver: "newOperator" } }),
  ),
  // Leaving the operator takes everything out of it.
  fn("function undelegate(address staker)", ["delegation_manager"], ([staker]) => ({
    act: "unstake",
    gives: [{ asset: shares, amount: everything, at: "staker" }],
    payer: staker,
    receiver: staker,
    places: { receiver: "staker" },
  })),
];

const leaving = [
  fn(
    "function queueWithdrawals((address[] strategies, uint256[] depositShares, address withdrawer)[] params)",
    ["delegation_manager"],
    ([params], call) =>
      params.map((_, index) => ({
        act: "unstake" as const,
        gives: [
          { asset: shares, amount: { least: 0n, most: MAX_UINT }, at: `params[${index}].depositShares` },
        ],
        // The withdrawer named in older versions is ignored: it must be the caller.
        receiver: call.sender,
      })),
  ),
  fn(
    "function completeQueuedWithdrawal((address staker, address delegatedTo, address withdrawer, uint256 nonce, uint32 startBlock, address[] strategies, uint256[] scaledShares) withdrawal, address[] tokens, bool receiveAsTokens)",
    ["delegation_manager"],
    ([{ withdrawer }, tokens, receiveAsTokens]) => ({
      act: "claim",
      gets: (receiveAsTokens ? tokens : []).map((asset, index) => ({
        asset: token(asset),
        amount: { least: 0n, most: MAX_UINT },
        at: `tokens[${index}]`,
      })),
      receiver: withdrawer,
      places: { receiver: "withdrawal.withdrawer" },
    }),
  ),
  fn(
    "function completeQueuedWithdrawals((address staker, address delegatedTo, address withdrawer, uint256 nonce, uint32 startBlock, address[] strategies, uint256[] scaledShares)[] withdrawals, address[][] tokens, bool[] receiveAsTokens)",
    ["delegation_manager"],
    ([withdrawals]) =>
      withdrawals.map(({ withdrawer }, index) => ({
        act: "claim" as const,
        receiver: withdrawer,
        places: { receiver: `withdrawals[${index}].withdrawer` },
      })),
  ),
];

const pods = [
  fn("function createPod()", ["pod_manager"], () => ({ act: "harmless" })),
  fn(
    "function stake(bytes pubkey, bytes signature, bytes32 depositDataRoot) payable",
    ["pod_manager"],
    (_, call) => ({
      act: "stake",
      gives: [{ asset: native, amount: exactly(call.value), at: "value" }],
      receiver: call.sender,
      places: { amount: "value" },
    }),
  ),
];

const rewards = [
  fn(
    "function processClaim((uint32 rootIndex, uint32 earnerIndex, bytes earnerTreeProof, (address earner, bytes32 earnerTokenRoot) earnerLeaf, uint32[] tokenIndices, bytes[] tokenTreeProofs, (address token, uint256 cumulativeEarnings)[] tokenLeaves) claim, address recipient)",
    ["rewards"],
    ([claim, recipient]) => ({
      act: "claim",
      gets: claim.tokenLeaves.map((leaf, index) => ({
        asset: token(leaf.token),
        amount: { least: 0n, most: leaf.cumulativeEarnings },
        at: `claim.tokenLeaves[${index}].cumulativeEarnings`,
      })),
      receiver: recipient,
      places: { receiver: "recipient" },
    }),
  ),
  fn("function setClaimerFor(address claimer)", ["rewards"], ([claimer]) => ({
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
