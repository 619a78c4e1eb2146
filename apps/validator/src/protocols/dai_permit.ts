/** The permit of DAI from before the standard: all or nothing, and an expiry of zero means never. */
import { exactly, MAX_UINT, token, type Asset, type Party } from "../effects.ts";
import type { Draft } from "../protocol.ts";
import { defineProtocol, fn } from "../protocol.ts";
import { feeds, feedsAll, inert } from "../uses.ts";
import { addressAt, flagAt, integerAt, verifyingContract } from "./shared/signed-fields.ts";

const permit = {
  holder: feeds.payer,
  spender: feeds.spender,
  nonce: inert.replay,
  expiry: feedsAll("deadline", "until"),
  allowed: feedsAll("act", "amount"),
};

type Given = {
  readonly holder: Party;
  readonly spender: Party;
  readonly expiry: bigint;
  readonly allowed: boolean;
};

const permitted = (given: Given, asset: Asset, prefix: "" | "message."): Draft => ({
  act: given.allowed ? "approve" : "revoke",
  payer: given.holder,
  authority: {
    spender: given.spender,
    asset,
    amount: exactly(given.allowed ? MAX_UINT : 0n),
    until: prefix === "message." && given.expiry > 0n ? given.expiry : null,
    signed: prefix === "message.",
    at: `${prefix}spender`,
  },
  deadline: given.expiry > 0n ? given.expiry : null,
  places: {
    spender: `${prefix}spender`,
    amount: `${prefix}allowed`,
    deadline: `${prefix}expiry`,
    payer: `${prefix}holder`,
  },
});

export default defineProtocol({
  title: "DAI permit",
  names: [],
  contracts: {},
  functions: [
    fn(
      "function permit(address holder, address spender, uint256 nonce, uint256 expiry, bool allowed, uint8 v, bytes32 r, bytes32 s)",
      "anywhere",
      { ...permit, v: inert.signature, r: inert.signature, s: inert.signature },
      ([holder, spender, , expiry, allowed], call) =>
        permitted({ holder, spender, expiry, allowed }, token(call.to), ""),
    ),
  ],
  typedData: [
    {
      primaryType: "Permit",
      on: "anywhere",
      members: ["holder", "spender", "nonce", "expiry", "allowed"],
      uses: permit,
      read: (data) =>
        permitted(
          {
            holder: addressAt(data.message, "holder"),
            spender: addressAt(data.message, "spender"),
            expiry: integerAt(data.message, "expiry"),
            allowed: flagAt(data.message, "allowed"),
          },
          token(verifyingContract(data)),
          "message.",
        ),
    },
  ],
});
