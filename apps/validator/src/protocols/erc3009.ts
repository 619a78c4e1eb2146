/** A signed transfer. Anyone can submit it, and the funds go where the message says. */
import { exactly, token, type Asset, type Party } from "../effects.ts";
import type { Address, Hex, TypedData } from "../proposal.ts";
import type { Draft } from "../protocol.ts";
import { defineProtocol, fn } from "../protocol.ts";
import { feeds, inert } from "../uses.ts";
import { addressAt, hexAt, integerAt, verifyingContract } from "./shared/signed-fields.ts";

const authorization = {
  from: feeds.payer,
  to: feeds.receiver,
  value: feeds.amount,
  // A later start only delays it.
  validAfter: inert.restricts,
  validBefore: feeds.deadline,
  nonce: inert.replay,
};
const vrs = { v: inert.signature, r: inert.signature, s: inert.signature };

/** The signed authorization that is cancelled. */
const cancelled = (authorizer: Party, nonce: Hex, prefix: "" | "message."): Draft => ({
  act: "cancel",
  payer: authorizer,
  choices: [{ what: "permission", value: nonce, at: `${prefix}nonce` }],
  places: { payer: `${prefix}authorizer` },
});

type Given = { readonly from: Party; readonly to: Address; readonly value: bigint; readonly until: bigint };

const moved = (given: Given, asset: Asset, prefix: "" | "message."): Draft => ({
  act: "transfer",
  payer: given.from,
  gives: [{ asset, amount: exactly(given.value), at: `${prefix}value` }],
  receiver: given.to,
  deadline: given.until,
  ...(prefix === "" ? {} : { terms: { order: true } }),
  places: {
    receiver: `${prefix}to`,
    amount: `${prefix}value`,
    deadline: `${prefix}validBefore`,
    payer: `${prefix}from`,
  },
});

const signed = (data: TypedData): Draft =>
  moved(
    {
      from: addressAt(data.message, "from"),
      to: addressAt(data.message, "to"),
      value: integerAt(data.message, "value"),
      until: integerAt(data.message, "validBefore"),
    },
    token(verifyingContract(data)),
    "message.",
  );

const members = ["from", "to", "value", "validAfter", "validBefore", "nonce"];

export default defineProtocol({
  title: "ERC-3009 transfer with authorization",
  names: [],
  contracts: {},
  functions: [
    fn(
      "function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)",
      "anywhere",
      { ...authorization, ...vrs },
      ([from, to, value, , until], call) => moved({ from, to, value, until }, token(call.to), ""),
    ),
    fn(
      "function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)",
      "anywhere",
      { ...authorization, signature: inert.signature },
      ([from, to, value, , until], call) => moved({ from, to, value, until }, token(call.to), ""),
    ),
    fn(
      "function receiveWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)",
      "anywhere",
      { ...authorization, ...vrs },
      ([from, to, value, , until], call) => moved({ from, to, value, until }, token(call.to), ""),
    ),
    fn(
      "function receiveWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)",
      "anywhere",
      { ...authorization, signature: inert.signature },
      ([from, to, value, , until], call) => moved({ from, to, value, until }, token(call.to), ""),
    ),
    fn(
      "function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)",
      "anywhere",
      { authorizer: feeds.payer, nonce: feeds.choice, ...vrs },
      ([authorizer, nonce]) => cancelled(authorizer, nonce, ""),
    ),
  ],
  typedData: [
    { primaryType: "TransferWithAuthorization", on: "anywhere", members, uses: authorization, read: signed },
    { primaryType: "ReceiveWithAuthorization", on: "anywhere", members, uses: authorization, read: signed },
    {
      primaryType: "CancelAuthorization",
      on: "anywhere",
      members: ["authorizer", "nonce"],
      uses: { authorizer: feeds.payer, nonce: feeds.choice },
      read: ({ message }) => cancelled(addressAt(message, "authorizer"), hexAt(message, "nonce"), "message."),
    },
  ],
});
