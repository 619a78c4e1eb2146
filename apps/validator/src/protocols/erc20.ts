import { everything, exactly, token, unknownAmount, amountFault, type Asset } from "../effects.ts";
import type { Address } from "../proposal.ts";
import { defineProtocol, fn, type CallView, type Draft } from "../protocol.ts";
import { feeds, feedsAll, inert } from "../uses.ts";

const asset = (call: CallView): Asset => token(call.to);

/** ERC-721 has functions of the same shape. Only a known token is certain to be an ERC-20. */
const doubt = (call: CallView): Pick<Draft, "terms"> =>
  call.registry.token(call.chain, call.to) === null ? { terms: { maybeNft: true } } : {};

const transfer = (call: CallView, to: Address, amount: bigint, from?: Address): Draft => ({
  act: "transfer",
  gives: [{ asset: asset(call), amount: exactly(amount), at: "amount" }],
  ...(from === undefined ? {} : { payer: from }),
  receiver: to,
  places: { receiver: "to", amount: "amount", ...(from === undefined ? {} : { payer: "from" }) },
});

const allow = (call: CallView, spender: Address, amount: bigint): Draft => ({
  act: amount === 0n ? "revoke" : "approve",
  authority: { spender, asset: asset(call), amount: exactly(amount), at: "spender" },
  places: { spender: "spender", amount: "amount" },
});

/** The remaining allowance depends on the previous one, which the calldata does not show. */
const reduce = (call: CallView, spender: Address, amount: bigint): Draft => ({
  act: "revoke",
  authority: { spender, asset: asset(call), amount: unknownAmount, at: "spender" },
  terms: {
    reducedBy: amount,
    ...(amount === 0n ? { faults: [amountFault("the allowance is reduced by zero")] } : {}),
  },
  places: { spender: "spender", amount: "amount" },
});

/** The receiving contract is called after the transfer, with data that only it can interpret. */
const notified = (draft: Draft, data: string): Draft =>
  data === "0x" ? draft : { ...draft, choices: [{ what: "code", value: data, at: "data" }] };

const sent = { to: feeds.receiver, amount: feeds.amount };
const pulled = { ...sent, from: feeds.payer };
const allowed = { spender: feeds.spender, amount: feedsAll("amount", "act") };

const NOBODY: Address = "0x0000000000000000000000000000000000000000";

const harmless: Draft = { act: "harmless" };

export default defineProtocol({
  title: "ERC-20 tokens",
  names: [],
  contracts: {},
  functions: [
    fn("function transfer(address to, uint256 amount)", "anywhere", sent, ([to, amount], call) =>
      transfer(call, to, amount),
    ),
    fn(
      "function transferFrom(address from, address to, uint256 amount)",
      "anywhere",
      pulled,
      ([from, to, amount], call) => ({
        ...transfer(call, to, amount, from),
        ...doubt(call),
      }),
    ),
    fn(
      "function approve(address spender, uint256 amount)",
      "anywhere",
      allowed,
      ([spender, amount], call) => ({
        ...allow(call, spender, amount),
        ...doubt(call),
      }),
    ),
    fn(
      "function increaseAllowance(address spender, uint256 amount)",
      "anywhere",
      allowed,
      ([spender, amount], call) => allow(call, spender, amount),
    ),
    fn(
      "function decreaseAllowance(address spender, uint256 amount)",
      "anywhere",
      allowed,
      ([spender, amount], call) => reduce(call, spender, amount),
    ),
    fn(
      "function increaseApproval(address spender, uint256 amount)",
      "anywhere",
      allowed,
      ([spender, amount], call) => allow(call, spender, amount),
    ),
    fn(
      "function decreaseApproval(address spender, uint256 amount)",
      "anywhere",
      allowed,
      ([spender, amount], call) => reduce(call, spender, amount),
    ),
    fn(
      "function transferAndCall(address to, uint256 amount, bytes data)",
      "anywhere",
      { ...sent, data: feeds.choice },
      ([to, amount, data], call) => notified(transfer(call, to, amount), data),
    ),
    fn("function transferAndCall(address to, uint256 amount)", "anywhere", sent, ([to, amount], call) =>
      transfer(call, to, amount),
    ),
    fn(
      "function transferFromAndCall(address from, address to, uint256 amount, bytes data)",
      "anywhere",
      { ...pulled, data: feeds.choice },
      ([from, to, amount, data], call) => notified(transfer(call, to, amount, from), data),
    ),
    fn(
      "function approveAndCall(address spender, uint256 amount, bytes data)",
      "anywhere",
      { ...allowed, data: feeds.choice },
      ([spender, amount, data], call) => notified(allow(call, spender, amount), data),
    ),
    fn(
      "function approveAndCall(address spender, uint256 amount)",
      "anywhere",
      allowed,
      ([spender, amount], call) => allow(call, spender, amount),
    ),
    fn(
      "function send(address to, uint256 amount, bytes data)",
      "anywhere",
      { ...sent, data: feeds.choice },
      ([to, amount, data], call) => notified(transfer(call, to, amount), data),
    ),
    fn(
      "function operatorSend(address from, address to, uint256 amount, bytes data, bytes operatorData)",
      "anywhere",
      { ...pulled, data: feeds.choice, operatorData: inert.label },
      ([from, to, amount, data], call) => notified(transfer(call, to, amount, from), data),
    ),
    fn("function burn(uint256 amount)", "anywhere", { amount: feeds.amount }, ([amount], call) => ({
      ...transfer(call, NOBODY, amount),
      ...doubt(call),
    })),
    fn(
      "function burnFrom(address from, uint256 amount)",
      "anywhere",
      { from: feeds.payer, amount: feeds.amount },
      ([from, amount], call) => transfer(call, NOBODY, amount, from),
    ),
    fn(
      "function authorizeOperator(address operator)",
      "anywhere",
      { operator: feeds.spender },
      ([operator], call) => ({
        act: "approve",
        authority: { spender: operator, asset: asset(call), amount: everything, at: "operator" },
        places: { spender: "operator" },
      }),
    ),
    fn(
      "function revokeOperator(address operator)",
      "anywhere",
      { operator: feeds.spender },
      ([operator], call) => ({
        act: "revoke",
        authority: { spender: operator, asset: asset(call), amount: exactly(0n), at: "operator" },
        places: { spender: "operator" },
      }),
    ),
    fn("function balanceOf(address account)", "anywhere", { account: inert.view }, () => harmless),
    fn(
      "function allowance(address owner, address spender)",
      "anywhere",
      { owner: inert.view, spender: inert.view },
      () => harmless,
    ),
    fn("function decimals()", "anywhere", {}, () => harmless),
  ],
});
