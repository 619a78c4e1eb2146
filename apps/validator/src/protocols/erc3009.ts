/** A transfer given by signature: whoever submits it, the money goes where the message says. */
import { exactly, token, type Asset, type Party } from "../effects.ts";
import type { Address, TypedData } from "../proposal.ts";
import type { Draft } from "../protocol.ts";
import { defineProtocol, fn } from "../protocol.ts";
import { addressAt, integerAt, verifyingContract } from "./shared/signed-fields.ts";

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
      ([from, to, value, , until], call) => moved({ from, to, value, until }, token(call.to), ""),
    ),
    fn(
      "function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)",
      "anywhere",
      ([from, to, value, , until], call) => moved({ from, to, value, until }, token(call.to), ""),
    ),
    fn(
      "function receiveWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)",
      "anywhere",
      ([from, to, value, , until], call) => moved({ from, to, value, until }, token(call.to), ""),
    ),
    fn(
      "function receiveWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)",
      "anywhere",
      ([from, to, value, , until], call) => moved({ from, to, value, until }, token(call.to), ""),
    ),
    fn(
      "function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)",
      "anywhere",
      ([authorizer]) => ({ act: "cancel", payer: authorizer, places: { payer: "authorizer" } }),
    ),
  ],
  typedData: [
    { primaryType: "TransferWithAuthorization", on: "anywhere", members, read: signed },
    { primaryType: "ReceiveWithAuthorization", on: "anywhere", members, read: signed },
    {
      primaryType: "CancelAuthorization",
      on: "anywhere",
      members: ["authorizer", "nonce"],
      read: (data) => ({
        act: "cancel",
        payer: addressAt(data.message, "authorizer"),
        places: { payer: "message.authorizer" },
      }),
    },
  ],
});
