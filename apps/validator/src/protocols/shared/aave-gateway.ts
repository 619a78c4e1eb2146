/** The contract in front of an Aave pool that takes and gives the chain's own coin. */
import { exactly, native } from "../../effects.ts";
import type { Address } from "../../proposal.ts";
import { fn, type CallView, type Draft, type ProtocolFunction } from "../../protocol.ts";
import { allOrExactly, coinFor } from "./amounts.ts";
import { borrow, repay, supply, withdraw } from "./lending.ts";
import { ZERO_ADDRESS } from "./swap-draft.ts";

type Pools = Readonly<Record<number, Address | readonly Address[]>>;

const on = ["gateway"];

/** Newer gateways ignore the pool named in the call; older ones obey it, and money sent through a stranger's is lost. */
const checked = (pools: Pools, pool: Address, call: CallView, draft: Draft): Draft => {
  const own = [pools[call.chain] ?? []].flat();
  if (pool === ZERO_ADDRESS || own.includes(pool)) return draft;
  return { ...draft, terms: { ...draft.terms, faults: [`${pool} is not a pool of this protocol`] } };
};

const supplied = (receiver: Address, call: CallView): Draft =>
  supply({ asset: native, amount: exactly(call.value), at: "value", receiver, receiverAt: "onBehalfOf" });

const out = (amount: bigint, receiver: Address): Draft =>
  withdraw({ asset: native, amount: allOrExactly(amount), at: "amount", receiver, receiverAt: "to" });

const lent = (amount: bigint, call: CallView): Draft =>
  borrow({ asset: native, amount: exactly(amount), at: "amount", receiver: call.sender }, call.sender);

const paid = (amount: bigint, receiver: Address, call: CallView): Draft =>
  repay({
    asset: native,
    amount: coinFor(call.value, amount),
    at: "value",
    receiver,
    receiverAt: "onBehalfOf",
  });

type Through = (pool: Address, call: CallView, draft: Draft) => Draft;

const positions = (through: Through): readonly ProtocolFunction[] => [
  fn(
    "function depositETH(address pool, address onBehalfOf, uint16 referralCode) payable",
    on,
    ([pool, receiver], call) => through(pool, call, supplied(receiver, call)),
  ),
  fn("function withdrawETH(address pool, uint256 amount, address to)", on, ([pool, amount, to], call) =>
    through(pool, call, out(amount, to)),
  ),
  fn(
    "function withdrawETHWithPermit(address pool, uint256 amount, address to, uint256 deadline, uint8 permitV, bytes32 permitR, bytes32 permitS)",
    on,
    ([pool, amount, to, deadline], call) => ({ ...through(pool, call, out(amount, to)), deadline }),
  ),
];

/** The kind of rate was an argument once, and is one no longer. */
const debts = (through: Through): readonly ProtocolFunction[] => [
  fn("function borrowETH(address pool, uint256 amount, uint16 referralCode)", on, ([pool, amount], call) =>
    through(pool, call, lent(amount, call)),
  ),
  fn(
    "function borrowETH(address pool, uint256 amount, uint256 interestRateMode, uint16 referralCode)",
    on,
    ([pool, amount], call) => through(pool, call, lent(amount, call)),
  ),
  fn(
    "function repayETH(address pool, uint256 amount, address onBehalfOf) payable",
    on,
    ([pool, amount, receiver], call) => through(pool, call, paid(amount, receiver, call)),
  ),
  fn(
    "function repayETH(address pool, uint256 amount, uint256 rateMode, address onBehalfOf) payable",
    on,
    ([pool, amount, , receiver], call) => through(pool, call, paid(amount, receiver, call)),
  ),
];

export const aaveGateway = (pools: Pools): readonly ProtocolFunction[] => {
  const through: Through = (pool, call, draft) => checked(pools, pool, call, draft);
  return [...positions(through), ...debts(through)];
};
