/** Lets another account borrow on the owner's collateral. The borrower gets the funds, and the owner keeps the debt. */
import { exactly, token } from "../../effects.ts";
import { fn, type Draft, type ProtocolFunction, type ProtocolTypedData } from "../../protocol.ts";
import { feeds, feedsAll, inert } from "../../uses.ts";
import { addressAt, integerAt, verifyingContract } from "./signed-fields.ts";

const act = (amount: bigint): Draft["act"] => (amount === 0n ? "revoke" : "approve");

/** Each asset has its own debt token. Only debt tokens have this function, so it is read on any contract. */
export const creditDelegation: readonly ProtocolFunction[] = [
  fn(
    "function approveDelegation(address delegatee, uint256 amount)",
    "anywhere",
    { delegatee: feeds.spender, amount: feedsAll("amount", "act") },
    ([delegatee, amount], call) => ({
      act: act(amount),
      authority: { spender: delegatee, asset: token(call.to), amount: exactly(amount), at: "delegatee" },
      places: { spender: "delegatee", amount: "amount" },
    }),
  ),
  fn(
    "function delegationWithSig(address delegator, address delegatee, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)",
    "anywhere",
    {
      delegator: feeds.payer,
      delegatee: feeds.spender,
      value: feedsAll("amount", "act"),
      deadline: feeds.deadline,
      v: inert.signature,
      r: inert.signature,
      s: inert.signature,
    },
    ([delegator, delegatee, value, deadline], call) => ({
      act: act(value),
      payer: delegator,
      authority: { spender: delegatee, asset: token(call.to), amount: exactly(value), at: "delegatee" },
      deadline,
      places: { spender: "delegatee", amount: "value" },
    }),
  ),
];

export const creditDelegationMessage: ProtocolTypedData = {
  primaryType: "DelegationWithSig",
  on: "anywhere",
  members: ["delegatee", "value", "nonce", "deadline"],
  uses: {
    delegatee: feeds.spender,
    value: feedsAll("amount", "act"),
    nonce: inert.replay,
    deadline: feedsAll("deadline", "until"),
  },
  read: (data) => {
    const value = integerAt(data.message, "value");
    const deadline = integerAt(data.message, "deadline");
    return {
      act: act(value),
      authority: {
        spender: addressAt(data.message, "delegatee"),
        asset: token(verifyingContract(data)),
        amount: exactly(value),
        until: deadline,
        signed: true,
        at: "message.delegatee",
      },
      deadline,
      places: { spender: "message.delegatee", amount: "message.value", deadline: "message.deadline" },
    };
  },
};
