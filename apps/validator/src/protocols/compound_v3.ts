/**
 * Compound III. Each market lends one base asset against many kinds of collateral. Withdrawing more of the base asset
 * than was supplied is a borrow, and supplying it while in debt is a repayment. The calldata is the same, so a borrow
 * reads as `withdraw` and a repayment as `supply`, and `verbs` maps "borrow" and "repay" in the request to these.
 */
import { exactly, everything, MAX_UINT, token, unsaid, type Party } from "../effects.ts";
import type { Address } from "../proposal.ts";
import { defineProtocol, fn, unreadFn, type CallView, type Draft, type DraftChoice } from "../protocol.ts";
import { feeds, feedsAll, inert } from "../uses.ts";
import { allOrExactly } from "./shared/amounts.ts";
import { cometBulker, handOver, type Handed } from "./shared/comet-bulker.ts";
import { baseOf, cometBulkers, cometRewards, comets } from "./shared/comet-deployments.ts";
import { lenderVerbs, repay, supply, withdraw } from "./shared/lending.ts";
import { addressAt, flagAt, integerAt } from "./shared/signed-fields.ts";

const on = ["comet"];

type Moved = {
  readonly asset: Address;
  readonly amount: bigint;
  readonly receiver: Party;
  readonly receiverAt?: string;
};

/** All of the base asset means all that is owed. */
const supplied = ({ asset, amount, ...to }: Moved): Draft => {
  const act = amount === MAX_UINT ? repay : supply;
  return act({ asset: token(asset), amount: allOrExactly(amount), at: "amount", ...to });
};

const withdrawn = ({ asset, amount, ...to }: Moved): Draft =>
  withdraw({ asset: token(asset), amount: allOrExactly(amount), at: "amount", ...to });

const from = (draft: Draft, payer: Address, at: string): Draft => ({
  ...draft,
  payer,
  places: { ...draft.places, payer: at },
});

const asset = feeds.asset;
const lent = { asset, amount: feedsAll("amount", "act") };
const taken = { asset, amount: feeds.amount };
const handed = { asset: feedsAll("asset", "choice"), amount: feeds.amount };

const supplies = [
  fn("function supply(address asset, uint256 amount)", on, lent, ([given, amount], call) =>
    supplied({ asset: given, amount, receiver: call.sender }),
  ),
  fn(
    "function supplyTo(address dst, address asset, uint256 amount)",
    on,
    { ...lent, dst: feeds.receiver },
    ([dst, given, amount]) => supplied({ asset: given, amount, receiver: dst, receiverAt: "dst" }),
  ),
  fn(
    "function supplyFrom(address from, address dst, address asset, uint256 amount)",
    on,
    { ...lent, from: feeds.payer, dst: feeds.receiver },
    ([payer, dst, given, amount]) =>
      from(supplied({ asset: given, amount, receiver: dst, receiverAt: "dst" }), payer, "from"),
  ),
  fn("function withdraw(address asset, uint256 amount)", on, taken, ([given, amount], call) =>
    withdrawn({ asset: given, amount, receiver: call.sender }),
  ),
  fn(
    "function withdrawTo(address to, address asset, uint256 amount)",
    on,
    { ...taken, to: feeds.receiver },
    ([to, given, amount]) => withdrawn({ asset: given, amount, receiver: to, receiverAt: "to" }),
  ),
  fn(
    "function withdrawFrom(address src, address to, address asset, uint256 amount)",
    on,
    { ...taken, src: feeds.payer, to: feeds.receiver },
    ([src, to, given, amount]) =>
      from(withdrawn({ asset: given, amount, receiver: to, receiverAt: "to" }), src, "src"),
  ),
];

const managed = (manager: Address, isAllowed: boolean): Draft => ({
  act: isAllowed ? "approve" : "revoke",
  authority: { spender: manager, asset: null, amount: isAllowed ? everything : exactly(0n), at: "manager" },
  places: { spender: "manager" },
});

const base = (call: CallView): ReturnType<typeof token> => {
  const asset = baseOf(call.chain, call.to);
  return asset === null ? unsaid("the market's base asset") : token(asset);
};

const earnedIn = (comet: Address): DraftChoice => ({ what: "market", value: comet, at: "comet", roles: on });

const sent = (asset: Address, amount: bigint, to: Address, comet: Address): Handed => ({
  comet,
  to,
  asset,
  amount,
  at: { asset: "asset", amount: "amount", receiver: "dst" },
});

const others = [
  fn(
    "function transferAsset(address dst, address asset, uint256 amount)",
    on,
    { ...handed, dst: feeds.receiver },
    ([dst, given, amount], call) => handOver(sent(given, amount, dst, call.to), call.chain),
  ),
  fn(
    "function transferAssetFrom(address src, address dst, address asset, uint256 amount)",
    on,
    { ...handed, src: feeds.payer, dst: feeds.receiver },
    ([src, dst, given, amount], call) =>
      from(handOver(sent(given, amount, dst, call.to), call.chain), src, "src"),
  ),
  fn(
    "function allow(address manager, bool isAllowed_)",
    on,
    { manager: feeds.spender, isAllowed_: feeds.act },
    ([manager, isAllowed]) => managed(manager, isAllowed),
  ),
  fn(
    "function allowBySig(address owner, address manager, bool isAllowed_, uint256 nonce, uint256 expiry, uint8 v, bytes32 r, bytes32 s)",
    on,
    {
      owner: feeds.payer,
      manager: feeds.spender,
      isAllowed_: feeds.act,
      nonce: inert.replay,
      expiry: feeds.deadline,
      v: inert.signature,
      r: inert.signature,
      s: inert.signature,
    },
    ([owner, manager, isAllowed, , expiry]) => ({
      ...from(managed(manager, isAllowed), owner, "owner"),
      deadline: expiry,
    }),
  ),
  // The call liquidates accounts, and one of them may be the owner's.
  unreadFn("function absorb(address absorber, address[] accounts)", on),
  fn(
    "function buyCollateral(address asset, uint256 minAmount, uint256 baseAmount, address recipient)",
    on,
    { asset, minAmount: feeds.minimum, baseAmount: feeds.amount, recipient: feeds.receiver },
    ([bought, minAmount, baseAmount, recipient], call) => ({
      act: "swap",
      gives: [{ asset: base(call), amount: exactly(baseAmount), at: "baseAmount" }],
      gets: [{ asset: token(bought), amount: { least: minAmount, most: MAX_UINT }, at: "minAmount" }],
      receiver: recipient,
      places: { receiver: "recipient", minimum: "minAmount", amount: "baseAmount" },
    }),
  ),
  fn(
    "function claim(address comet, address src, bool shouldAccrue)",
    ["rewards"],
    { comet: feeds.choice, src: feeds.receiver, shouldAccrue: inert.restricts },
    ([comet, src]) => ({
      act: "claim",
      receiver: src,
      choices: [earnedIn(comet)],
      places: { receiver: "src" },
    }),
  ),
  fn(
    "function claimTo(address comet, address src, address to, bool shouldAccrue)",
    ["rewards"],
    { comet: feeds.choice, src: feeds.payer, to: feeds.receiver, shouldAccrue: inert.restricts },
    ([comet, src, to]) => ({
      act: "claim",
      payer: src,
      receiver: to,
      choices: [earnedIn(comet)],
      places: { receiver: "to", payer: "src" },
    }),
  ),
];

export default defineProtocol({
  title: "Compound III",
  names: ["compound", "compound v3", "compound iii", "compound 3", "compoundv3", "comet", "compound finance"],
  family: "compound",
  verbs: { ...lenderVerbs, borrow: ["withdraw"], repay: ["supply"] },
  contracts: { comet: comets, rewards: cometRewards, bulker: cometBulkers },
  functions: [...supplies, ...others, ...cometBulker],
  typedData: [
    {
      primaryType: "Authorization",
      on,
      members: ["owner", "manager", "isAllowed", "expiry"],
      uses: {
        owner: feeds.payer,
        manager: feeds.spender,
        isAllowed: feeds.act,
        nonce: inert.replay,
        expiry: feedsAll("deadline", "until"),
      },
      read: (data) => {
        const isAllowed = flagAt(data.message, "isAllowed");
        const until = integerAt(data.message, "expiry");
        return {
          act: isAllowed ? "approve" : "revoke",
          payer: addressAt(data.message, "owner"),
          authority: {
            spender: addressAt(data.message, "manager"),
            asset: null,
            amount: isAllowed ? everything : exactly(0n),
            until,
            signed: true,
            at: "message.manager",
          },
          deadline: until,
          places: { spender: "message.manager", payer: "message.owner", deadline: "message.expiry" },
        };
      },
    },
  ],
});
