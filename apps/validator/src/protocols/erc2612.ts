/** A signed allowance of a token. Anyone who holds the signature can use it until the deadline. */
import { exactly, token } from "../effects.ts";
import type { Draft } from "../protocol.ts";
import { defineProtocol, fn } from "../protocol.ts";
import { feeds, feedsAll, inert } from "../uses.ts";
import { addressAt, integerAt, verifyingContract } from "./shared/signed-fields.ts";

const permit = {
  owner: feeds.payer,
  spender: feeds.spender,
  value: feedsAll("amount", "act"),
  deadline: feeds.deadline,
};

const noted = (amount: bigint): Pick<Draft, "act"> => ({ act: amount === 0n ? "revoke" : "approve" });

export default defineProtocol({
  title: "ERC-2612 permit",
  names: [],
  contracts: {},
  functions: [
    fn(
      "function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)",
      "anywhere",
      { ...permit, v: inert.signature, r: inert.signature, s: inert.signature },
      ([owner, spender, value, deadline], call) => ({
        ...noted(value),
        payer: owner,
        authority: { spender, asset: token(call.to), amount: exactly(value), at: "spender" },
        deadline,
        places: { spender: "spender", amount: "value", deadline: "deadline", payer: "owner" },
      }),
    ),
    fn(
      "function permit(address owner, address spender, uint256 value, uint256 deadline, bytes signature)",
      "anywhere",
      { ...permit, signature: inert.signature },
      ([owner, spender, value, deadline], call) => ({
        ...noted(value),
        payer: owner,
        authority: { spender, asset: token(call.to), amount: exactly(value), at: "spender" },
        deadline,
        places: { spender: "spender", amount: "value", deadline: "deadline", payer: "owner" },
      }),
    ),
  ],
  typedData: [
    {
      primaryType: "Permit",
      on: "anywhere",
      members: ["owner", "spender", "value", "deadline"],
      uses: { ...permit, nonce: inert.replay },
      read: (data) => {
        const value = integerAt(data.message, "value");
        const deadline = integerAt(data.message, "deadline");
        return {
          ...noted(value),
          payer: addressAt(data.message, "owner"),
          authority: {
            spender: addressAt(data.message, "spender"),
            asset: token(verifyingContract(data)),
            amount: exactly(value),
            until: deadline,
            signed: true,
            at: "message.spender",
          },
          deadline,
          places: {
            spender: "message.spender",
            amount: "message.value",
            deadline: "message.deadline",
            payer: "message.owner",
          },
        };
      },
    },
  ],
});
