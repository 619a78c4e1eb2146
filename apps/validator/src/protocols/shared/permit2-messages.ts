/**
 * Messages signed for Permit2. An allowance stays until it expires; a signature transfer is used once, but its
 * spender chooses where the tokens go, so both are authority.
 */
import { exactly, token } from "../../effects.ts";
import type { TypedData } from "../../proposal.ts";
import type { Draft, ProtocolTypedData } from "../../protocol.ts";
import { feeds, feedsAll, inert } from "../../uses.ts";
import { permitUses } from "./permit-steps.ts";
import { addressAt, fieldsAt, integerAt, listAt, type Fields } from "./signed-fields.ts";

const allowance = (data: TypedData, details: Fields, at: string): Draft => {
  const amount = integerAt(details, "amount");
  const until = integerAt(details, "expiration");
  return {
    act: amount === 0n ? "revoke" : "approve",
    authority: {
      spender: addressAt(data.message, "spender"),
      asset: token(addressAt(details, "token")),
      amount: exactly(amount),
      until,
      signed: true,
      at: "message.spender",
    },
    deadline: integerAt(data.message, "sigDeadline"),
    terms: { nonce: integerAt(details, "nonce") },
    places: {
      spender: "message.spender",
      amount: `${at}.amount`,
      expiry: `${at}.expiration`,
      deadline: "message.sigDeadline",
    },
  };
};

const once = (data: TypedData, permitted: Fields, at: string): Draft => {
  const deadline = integerAt(data.message, "deadline");
  return {
    act: "approve",
    authority: {
      spender: addressAt(data.message, "spender"),
      asset: token(addressAt(permitted, "token")),
      amount: exactly(integerAt(permitted, "amount")),
      until: deadline,
      signed: true,
      at: "message.spender",
    },
    deadline,
    terms: { nonce: integerAt(data.message, "nonce") },
    places: { spender: "message.spender", amount: `${at}.amount`, deadline: "message.deadline" },
  };
};

const one = (data: TypedData): Draft => once(data, fieldsAt(data.message, "permitted"), "message.permitted");

const many = (data: TypedData): readonly Draft[] =>
  listAt(data.message, "permitted").map((item, index) => once(data, item, `message.permitted[${index}]`));

const transferMembers = ["permitted", "spender", "nonce", "deadline"];
const transferUses = {
  permitted: { token: feeds.asset, amount: feeds.amount },
  spender: feeds.spender,
  nonce: inert.replay,
  deadline: feedsAll("deadline", "until"),
};

/**
 * Reads a permit that also signs a witness. Only the spender knows the witness type, and it can be an order for anything, so the
 * request must state it. The UniswapX protocol reads the single permit with a witness.
 */
const witnessed = (data: TypedData): readonly Draft[] =>
  many(data).map((draft) => ({
    ...draft,
    choices: [
      { what: "code", value: JSON.stringify(data.message["witness"]), at: "message.witness", known: false },
    ],
  }));

export const permit2Messages: readonly ProtocolTypedData[] = [
  {
    primaryType: "PermitSingle",
    on: ["permit2"],
    members: ["details", "spender", "sigDeadline"],
    uses: permitUses,
    read: (data) => allowance(data, fieldsAt(data.message, "details"), "message.details"),
  },
  {
    primaryType: "PermitBatch",
    on: ["permit2"],
    members: ["details", "spender", "sigDeadline"],
    uses: permitUses,
    read: (data) =>
      listAt(data.message, "details").map((item, index) =>
        allowance(data, item, `message.details[${index}]`),
      ),
  },
  {
    primaryType: "PermitTransferFrom",
    on: ["permit2"],
    members: transferMembers,
    uses: transferUses,
    read: one,
  },
  {
    primaryType: "PermitBatchTransferFrom",
    on: ["permit2"],
    members: transferMembers,
    uses: transferUses,
    read: many,
  },
  {
    primaryType: "PermitBatchWitnessTransferFrom",
    on: ["permit2"],
    members: [...transferMembers, "witness"],
    uses: { ...transferUses, witness: feeds.choice },
    read: witnessed,
  },
];
