/**
 * Compound III. Each market lends one base asset against many kinds of collateral. Withdrawing more of the base asset than one
 * has supplied is how one borrows, and supplying it while in debt is how one repays: the bytes are the same, so a borrow reads
 * as `withdraw` and a repayment as `supply`, and `verbs` lets the words "borrow" and "repay" mean these here.
 */
import { exactly, everything, MAX_UINT, token, unsaid, type Party } from "../effects.ts";
import type { Address } from "../proposal.ts";
import { defineProtocol, fn, type CallView, type Draft } from "../protocol.ts";
import { allOrExactly } from "./shared/amounts.ts";
import { cometBulker } from "./shared/comet-bulker.ts";
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

const supplies = [
  fn("function supply(address asset, uint256 amount)", on, ([asset, amount], call) =>
    supplied({ asset, amount, receiver: call.sender }),
  ),
  fn("function supplyTo(address dst, address asset, uint256 amount)", on, ([dst, asset, amount]) =>
    supplied({ asset, amount, receiver: dst, receiverAt: "dst" }),
  ),
  fn(
    "function supplyFrom(address from, address dst, address asset, uint256 amount)",
    on,
    ([payer, dst, asset, amount]) =>
      from(supplied({ asset, amount, receiver: dst, receiverAt: "dst" }), payer, "from"),
  ),
  fn("function withdraw(address asset, uint256 amount)", on, ([asset, amount], call) =>
    withdrawn({ asset, amount, receiver: call.sender }),
  ),
  fn("function withdrawTo(address to, address asset, uint256 amount)", on, ([to, asset, amount]) =>
    withdrawn({ asset, amount, receiver: to, receiverAt: "to" }),
  ),
  fn(
    "function withdrawFrom(address src, address to, address asset, uint256 amount)",
    on,
    ([src, to, asset, amount]) =>
      from(withdrawn({ asset, amount, receiver: to, receiverAt: "to" }), src, "src"),
  ),
];

/** A position changes hands inside the market. */
const sent = (asset: Address, amount: bigint, dst: Address): Draft => ({
  act: "transfer",
  gives: [{ asset: token(asset), amount: allOrExactly(amount), at: "amount" }],
  receiver: dst,
  places: { receiver: "dst", amount: "amount" },
});

const managed = (manager: Address, isAllowed: boolean): Draft => ({
  act: isAllowed ? "approve" : "revoke",
  authority: { spender: manager, asset: null, amount: isAllowed ? everything : exactly(0n), at: "manager" },
  places: { spender: "manager" },
});

const base = (call: CallView): ReturnType<typeof token> => {
  const asset = baseOf(call.chain, call.to);
  return asset === null ? unsaid("the market's base asset") : token(asset);
};

const others = [
  fn("function transferAsset(address dst, address asset, uint256 amount)", on, ([dst, asset, amount]) =>
    sent(asset, amount, dst),
  ),
  fn(
    "function transferAssetFrom(address src, address dst, address asset, uint256 amount)",
    on,
    ([src, dst, asset, amount]) => from(sent(asset, amount, dst), src, "src"),
  ),
  fn("function allow(address manager, bool isAllowed_)", on, ([manager, isAllowed]) =>
    managed(manager, isAllowed),
  ),
  fn(
    "function allowBySig(address owner, address manager, bool isAllowed_, uint256 nonce, uint256 expiry, uint8 v, bytes32 r, bytes32 s)",
    on,
    ([owner, manager, isAllowed, , expiry]) => ({
      ...from(managed(manager, isAllowed), owner, "owner"),
      deadline: expiry,
    }),
  ),
  // Other people's bad debt is moved to the protocol; the caller pays nothing but gas.
  fn("function absorb(address absorber, address[] accounts)", on, () => ({ act: "harmless" })),
  fn(
    "function buyCollateral(address asset, uint256 minAmount, uint256 baseAmount, address recipient)",
    on,
    ([asset, minAmount, baseAmount, recipient], call) => ({
      act: "swap",
      gives: [{ asset: base(call), amount: exactly(baseAmount), at: "baseAmount" }],
      gets: [{ asset: token(asset), amount: { least: minAmount, most: MAX_UINT }, at: "minAmount" }],
      receiver: recipient,
      places: { receiver: "recipient", minimum: "minAmount", amount: "baseAmount" },
    }),
  ),
  fn("function claim(address comet, address src, bool shouldAccrue)", ["rewards"], ([, src]) => ({
    act: "claim",
    receiver: src,
    places: { receiver: "src" },
  })),
  fn(
    "function claimTo(address comet, address src, address to, bool shouldAccrue)",
    ["rewards"],
    ([, src, to]) => ({
      act: "claim",
      payer: src,
      receiver: to,
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
