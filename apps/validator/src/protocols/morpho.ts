/** Morpho Blue: every call identifies its market by five parameters. */
import { everything, exactly, token, type Party } from "../effects.ts";
import { encodeAbiParameters, keccak256, parseAbiParameters } from "viem/utils";
import type { Address, Hex } from "../proposal.ts";
import { defineProtocol, fn, unreadFn, type Draft, type DraftChoice } from "../protocol.ts";
import { assetsOrShares } from "./shared/amounts.ts";
import { borrow, lenderVerbs, repay, supply, withdraw } from "./shared/lending.ts";
import { addressAt, flagAt, integerAt } from "./shared/signed-fields.ts";
import { feeds, feedsAll, inert } from "../uses.ts";

const on = ["morpho"];
const owned = { at: "assets", receiverAt: "onBehalf" };
const paid = { at: "assets", receiverAt: "receiver" };

type Market = {
  readonly loanToken: Address;
  readonly collateralToken: Address;
  readonly oracle: Address;
  readonly irm: Address;
  readonly lltv: bigint;
};

const MARKET =
  "(address loanToken, address collateralToken, address oracle, address irm, uint256 lltv) marketParams";
const marketForm = parseAbiParameters("address, address, address, address, uint256");

/** Anyone can open a market with an oracle of their own, so a market is identified only by its id. */
const marketOf = ({ loanToken, collateralToken, oracle, irm, lltv }: Market): DraftChoice => ({
  what: "market",
  value: keccak256(encodeAbiParameters(marketForm, [loanToken, collateralToken, oracle, irm, lltv])),
  at: "marketParams",
});

const marketUses = {
  loanToken: feedsAll("asset", "choice"),
  collateralToken: feedsAll("asset", "choice"),
  oracle: feeds.choice,
  irm: feeds.choice,
  lltv: feeds.choice,
};
const loan = {
  marketParams: marketUses,
  assets: feeds.amount,
  shares: feedsAll("amount", "choice"),
  onBehalf: feeds.receiver,
};
const payout = { ...loan, onBehalf: feeds.payer, receiver: feeds.receiver };

type More = { readonly shares?: bigint; readonly data?: Hex };

const within = (market: Market, { shares = 0n, data = "0x" }: More, draft: Draft): Draft => ({
  ...draft,
  choices: [
    marketOf(market),
    ...(shares === 0n ? [] : [{ what: "shares" as const, value: shares, at: "shares" }]),
    // Data for the caller's own code.
    ...(data === "0x" ? [] : [{ what: "code" as const, value: data, at: "data" }]),
  ],
});

const owner = (draft: Draft, onBehalf: Address): Draft => ({
  ...draft,
  payer: onBehalf,
  places: { ...draft.places, payer: "onBehalf" },
});

const positions = [
  ...(
    [
      ["supply", supply],
      ["repay", repay],
    ] as const
  ).map(([name, act]) =>
    fn(
      `function ${name}(${MARKET}, uint256 assets, uint256 shares, address onBehalf, bytes data)`,
      on,
      { ...loan, data: feeds.choice },
      ([market, assets, shares, receiver, data]) => {
        const amount = assetsOrShares(assets, shares);
        const draft = act({ asset: token(market.loanToken), amount, receiver, ...owned });
        return within(market, { shares, data }, draft);
      },
    ),
  ),
  fn(
    `function withdraw(${MARKET}, uint256 assets, uint256 shares, address onBehalf, address receiver)`,
    on,
    payout,
    ([market, assets, shares, onBehalf, receiver]) => {
      const amount = assetsOrShares(assets, shares);
      const draft = withdraw({ asset: token(market.loanToken), amount, receiver, ...paid });
      return within(market, { shares }, owner(draft, onBehalf));
    },
  ),
  fn(
    `function borrow(${MARKET}, uint256 assets, uint256 shares, address onBehalf, address receiver)`,
    on,
    payout,
    ([market, assets, shares, onBehalf, receiver]) => {
      const amount = assetsOrShares(assets, shares);
      const lent = { asset: token(market.loanToken), amount, receiver, ...paid };
      return within(market, { shares }, borrow(lent, onBehalf, "onBehalf"));
    },
  ),
  fn(
    `function supplyCollateral(${MARKET}, uint256 assets, address onBehalf, bytes data)`,
    on,
    { marketParams: marketUses, assets: feeds.amount, onBehalf: feeds.receiver, data: feeds.choice },
    ([market, assets, receiver, data]) => {
      const lent = { asset: token(market.collateralToken), amount: exactly(assets), receiver, ...owned };
      return within(market, { data }, supply(lent));
    },
  ),
  fn(
    `function withdrawCollateral(${MARKET}, uint256 assets, address onBehalf, address receiver)`,
    on,
    { marketParams: marketUses, assets: feeds.amount, onBehalf: feeds.payer, receiver: feeds.receiver },
    ([market, assets, onBehalf, receiver]) => {
      const draft = withdraw({
        asset: token(market.collateralToken),
        amount: exactly(assets),
        receiver,
        ...paid,
      });
      return within(market, {}, owner(draft, onBehalf));
    },
  ),
];

const authorized = (spender: Party, isAuthorized: boolean, at: string): Draft => ({
  act: isAuthorized ? "approve" : "revoke",
  authority: { spender: spender, asset: null, amount: isAuthorized ? everything : exactly(0n), at },
  places: { spender: at },
});

const permissions = [
  fn(
    "function setAuthorization(address authorized, bool newIsAuthorized)",
    on,
    { authorized: feeds.spender, newIsAuthorized: feeds.act },
    ([spender, isAuthorized]) => authorized(spender, isAuthorized, "authorized"),
  ),
  fn(
    "function setAuthorizationWithSig((address authorizer, address authorized, bool isAuthorized, uint256 nonce, uint256 deadline) authorization, (uint8 v, bytes32 r, bytes32 s) signature)",
    on,
    {
      authorization: {
        authorizer: feeds.payer,
        authorized: feeds.spender,
        isAuthorized: feeds.act,
        nonce: inert.replay,
        deadline: feeds.deadline,
      },
      signature: inert.signature,
    },
    ([given]) => ({
      ...authorized(given.authorized, given.isAuthorized, "authorization.authorized"),
      payer: given.authorizer,
      deadline: given.deadline,
    }),
  ),
];

const unread = [
  unreadFn("function flashLoan(address token, uint256 assets, bytes data)", on),
  unreadFn(
    `function liquidate(${MARKET}, address borrower, uint256 seizedAssets, uint256 repaidShares, bytes data)`,
    on,
    ([{ loanToken }, borrower]) => ({
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
      uses: {
        authorizer: feeds.payer,
        authorized: feeds.spender,
        isAuthorized: feeds.act,
        nonce: inert.replay,
        deadline: feedsAll("deadline", "until"),
      },
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
