/** Morpho Blue: markets are named by their five parameters in every call. */
import { everything, exactly, token, type Party } from "../effects.ts";
import type { Address, Hex } from "../proposal.ts";
import { defineProtocol, fn, type Draft } from "../protocol.ts";
import { assetsOrShares } from "./shared/amounts.ts";
import { borrow, lenderVerbs, repay, supply, withdraw } from "./shared/lending.ts";
import { addressAt, flagAt, integerAt } from "./shared/signed-fields.ts";

const on = ["morpho"];
const owned = { at: "assets", receiverAt: "onBehalf" };
const paid = { at: "assets", receiverAt: "receiver" };

/** Bytes for the caller's own code, which an account without code cannot answer. */
const plain = (draft: Draft, data: Hex): Draft =>
  data === "0x"
    ? draft
    : { ...draft, terms: { ...draft.terms, faults: ["asks for a call back into the caller's own code"] } };

const owner = (draft: Draft, onBehalf: Address): Draft => ({
  ...draft,
  payer: onBehalf,
  places: { ...draft.places, payer: "onBehalf" },
});

const positions = [
  fn(
    "function supply((address loanToken, address collateralToken, address oracle, address irm, uint256 lltv) marketParams, uint256 assets, uint256 shares, address onBehalf, bytes data)",
    on,
    ([{ loanToken }, assets, , receiver, data]) =>
      plain(supply({ asset: token(loanToken), amount: assetsOrShares(assets), receiver, ...owned }), data),
  ),
  fn(
    "function withdraw((address loanToken, address collateralToken, address oracle, address irm, uint256 lltv) marketParams, uint256 assets, uint256 shares, address onBehalf, address receiver)",
    on,
    ([{ loanToken }, assets, , onBehalf, receiver]) =>
      owner(
        withdraw({ asset: token(loanToken), amount: assetsOrShares(assets), receiver, ...paid }),
        onBehalf,
      ),
  ),
  fn(
    "function borrow((address loanToken, address collateralToken, address oracle, address irm, uint256 lltv) marketParams, uint256 assets, uint256 shares, address onBehalf, address receiver)",
    on,
    ([{ loanToken }, assets, , onBehalf, receiver]) =>
      borrow(
        { asset: token(loanToken), amount: assetsOrShares(assets), receiver, ...paid },
        onBehalf,
        "onBehalf",
      ),
  ),
  fn(
    "function repay((address loanToken, address collateralToken, address oracle, address irm, uint256 lltv) marketParams, uint256 assets, uint256 shares, address onBehalf, bytes data)",
    on,
    ([{ loanToken }, assets, , receiver, data]) =>
      plain(repay({ asset: token(loanToken), amount: assetsOrShares(assets), receiver, ...owned }), data),
  ),
  fn(
    "function supplyCollateral((address loanToken, address collateralToken, address oracle, address irm, uint256 lltv) marketParams, uint256 assets, address onBehalf, bytes data)",
    on,
    ([{ collateralToken }, assets, receiver, data]) =>
      plain(supply({ asset: token(collateralToken), amount: exactly(assets), receiver, ...owned }), data),
  ),
  fn(
    "function withdrawCollateral((address loanToken, address collateralToken, address oracle, address irm, uint256 lltv) marketParams, uint256 assets, address onBehalf, address receiver)",
    on,
    ([{ collateralToken }, assets, onBehalf, receiver]) =>
      owner(
        withdraw({ asset: token(collateralToken), amount: exactly(assets), receiver, ...paid }),
        onBehalf,
      ),
  ),
];

const authorized = (spender: Party, isAuthorized: boolean, at: string): Draft => ({
  act: isAuthorized ? "approve" : "revoke",
  authority: { spender: spender, asset: null, amount: isAuthorized ? everything : exactly(0n), at },
  places: { spender: at },
});

const permissions = [
  fn("function setAuthorization(address authorized, bool newIsAuthorized)", on, ([spender, isAuthorized]) =>
    authorized(spender, isAuthorized, "authorized"),
  ),
  fn(
    "function setAuthorizationWithSig((address authorizer, address authorized, bool isAuthorized, uint256 nonce, uint256 deadline) authorization, (uint8 v, bytes32 r, bytes32 s) signature)",
    on,
    ([given]) => ({
      ...authorized(given.authorized, given.isAuthorized, "authorization.authorized"),
      payer: given.authorizer,
      deadline: given.deadline,
    }),
  ),
];

const unread = [
  fn("function flashLoan(address token, uint256 assets, bytes data)", on, () => ({ act: "opaque" })),
  fn(
    "function liquidate((address loanToken, address collateralToken, address oracle, address irm, uint256 lltv) marketParams, address borrower, uint256 seizedAssets, uint256 repaidShares, bytes data)",
    on,
    ([{ loanToken }, borrower]) => ({
      act: "opaque",
      gives: [{ asset: token(loanToken), amount: everything, at: "repaidShares" }],
      receiver: borrower,
    }),
  ),
];

export default defineProtocol({
  title: "Morpho",
  names: ["morpho", "morpho blue", "morphoblue", "morpho labs", "morpho protocol", "morpho market"],
  family: "morpho",
  verbs: lenderVerbs,
  contracts: {
    morpho: {
      1: "0xbbbbbbbbbb9cc5e90e3b3af64bdaf62c37eeffcb",
      8453: "0xbbbbbbbbbb9cc5e90e3b3af64bdaf62c37eeffcb",
      42161: "0x6c247b1f6182318877311737bac0844baa518f5e",
      10: "0xce95afbb8ea029495c66020883f87aae8864af92",
      130: "0x8f5ae9cddb9f68de460c77730b018ae7e04a140a",
      137: "0x1bf0c2541f820e775182832f06c0b7fc27a25f67",
    },
  },
  functions: [...positions, ...permissions, ...unread],
  typedData: [
    {
      primaryType: "Authorization",
      on,
      members: ["authorizer", "authorized", "isAuthorized", "deadline"],
      read: (data) => {
        const deadline = integerAt(data.message, "deadline");
        const given = authorized(
          addressAt(data.message, "authorized"),
          flagAt(data.message, "isAuthorized"),
          "message.authorized",
        );
        return {
          ...given,
          payer: addressAt(data.message, "authorizer"),
          ...(given.authority === undefined
            ? {}
            : { authority: { ...given.authority, signed: true, until: deadline } }),
          deadline,
          places: { ...given.places, payer: "message.authorizer", deadline: "message.deadline" },
        };
      },
    },
  ],
});
