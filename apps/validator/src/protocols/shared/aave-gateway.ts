/** The contract in front of an Aave pool that takes and pays out the native token. */
import { exactly, MAX_UINT, native, type Amount } from "../../effects.ts";
import type { Address } from "../../proposal.ts";
import { fn, type CallView, type Draft, type ProtocolFunction } from "../../protocol.ts";
import { feeds, inert } from "../../uses.ts";
import { picking } from "./admin-drafts.ts";
import { allOrExactly, coinFor } from "./amounts.ts";
import { atRate, borrow, repay, supply, withdraw } from "./lending.ts";
import { ZERO_ADDRESS } from "./swap-draft.ts";

const on = ["gateway"];

/** Newer gateways ignore the pool named in the call; older ones use it, and funds sent through an unknown pool are lost. */
const through = (pool: Address, draft: Draft): Draft =>
  pool === ZERO_ADDRESS ? draft : picking(draft, { what: "pool", value: pool, at: "pool", roles: ["pool"] });

const supplied = (receiver: Address, call: CallView): Draft =>
  supply({ asset: native, amount: exactly(call.value), at: "value", receiver, receiverAt: "onBehalfOf" });

const out = (amount: bigint, receiver: Address): Draft =>
  withdraw({ asset: native, amount: allOrExactly(amount), at: "amount", receiver, receiverAt: "to" });

const lent = (amount: bigint, call: CallView): Draft =>
  borrow({ asset: native, amount: exactly(amount), at: "amount", receiver: call.sender }, call.sender);

/** At most `amount` is repaid, and the gateway returns the rest of the native value. */
const repaid = (amount: bigint, { value }: CallView): Amount => {
  if (amount === MAX_UINT) return coinFor(value, amount);
  if (amount > value) throw new Error("more is to be repaid than is sent");
  return { least: amount, most: value };
};

const paid = (amount: bigint, receiver: Address, call: CallView): Draft =>
  repay({ asset: native, amount: repaid(amount, call), at: "amount", receiver, receiverAt: "onBehalfOf" });

const pool = feeds.choice;
const referralCode = inert.attribution;
const withdrawal = { pool, amount: feeds.amount, to: feeds.receiver };

const positions = [
  fn(
    "function depositETH(address pool, address onBehalfOf, uint16 referralCode) payable",
    on,
    { pool, onBehalfOf: feeds.receiver, referralCode },
    ([market, receiver], call) => through(market, supplied(receiver, call)),
  ),
  fn(
    "function withdrawETH(address pool, uint256 amount, address to)",
    on,
    withdrawal,
    ([market, amount, to]) => through(market, out(amount, to)),
  ),
  fn(
    "function withdrawETHWithPermit(address pool, uint256 amount, address to, uint256 deadline, uint8 permitV, bytes32 permitR, bytes32 permitS)",
    on,
    {
      ...withdrawal,
      deadline: feeds.deadline,
      permitV: inert.signature,
      permitR: inert.signature,
      permitS: inert.signature,
    },
    ([market, amount, to, deadline]) => ({ ...through(market, out(amount, to)), deadline }),
  ),
];

/** The rate mode was an argument in older versions. */
const debts = [
  fn(
    "function borrowETH(address pool, uint256 amount, uint16 referralCode)",
    on,
    { pool, amount: feeds.amount, referralCode },
    ([market, amount], call) => through(market, lent(amount, call)),
  ),
  fn(
    "function borrowETH(address pool, uint256 amount, uint256 interestRateMode, uint16 referralCode)",
    on,
    { pool, amount: feeds.amount, interestRateMode: feeds.choice, referralCode },
    ([market, amount, mode], call) => picking(through(market, lent(amount, call)), atRate(mode)),
  ),
  fn(
    "function repayETH(address pool, uint256 amount, address onBehalfOf) payable",
    on,
    { pool, amount: feeds.amount, onBehalfOf: feeds.receiver },
    ([market, amount, receiver], call) => through(market, paid(amount, receiver, call)),
  ),
  fn(
    "function repayETH(address pool, uint256 amount, uint256 rateMode, address onBehalfOf) payable",
    on,
    { pool, amount: feeds.amount, rateMode: feeds.choice, onBehalfOf: feeds.receiver },
    ([market, amount, mode, receiver], call) =>
      picking(through(market, paid(amount, receiver, call)), atRate(mode, "rateMode")),
  ),
];

export const aaveGateway: readonly ProtocolFunction[] = [...positions, ...debts];
