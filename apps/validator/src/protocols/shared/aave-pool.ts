/** The pool of Aave's third version, which its forks share. */
import { word } from "../../bytes/openings.ts";
import { everything, exactly, token, unsaid, type Amount } from "../../effects.ts";
import type { Hex } from "../../proposal.ts";
import { fn, unreadFn, type CallView, type Draft, type ProtocolFunction } from "../../protocol.ts";
import { feeds, inert, openedAsCalls, openedBy, type Opening } from "../../uses.ts";
import { allOrExactly } from "./amounts.ts";
import { picking } from "./admin-drafts.ts";
import { atRate, borrow, outOfSupply, repay, reserve, supply, withdraw } from "./lending.ts";

const on = ["pool"];
const behalf = { receiverAt: "onBehalfOf", at: "amount" };

const permit = {
  deadline: feeds.deadline,
  permitV: inert.signature,
  permitR: inert.signature,
  permitS: inert.signature,
};
const supplied = {
  asset: feeds.asset,
  amount: feeds.amount,
  onBehalfOf: feeds.receiver,
  referralCode: inert.attribution,
};
const rated = { asset: feeds.asset, amount: feeds.amount, interestRateMode: feeds.choice };

/** Funds move; no other party gains power over them. */
const supplies = [
  fn(
    "function supply(address asset, uint256 amount, address onBehalfOf, uint16 referralCode)",
    on,
    supplied,
    ([asset, amount, receiver]) =>
      supply({ asset: token(asset), amount: exactly(amount), receiver, ...behalf }),
  ),
  fn(
    "function deposit(address asset, uint256 amount, address onBehalfOf, uint16 referralCode)",
    on,
    supplied,
    ([asset, amount, receiver]) =>
      supply({ asset: token(asset), amount: exactly(amount), receiver, ...behalf }),
  ),
  fn(
    "function supplyWithPermit(address asset, uint256 amount, address onBehalfOf, uint16 referralCode, uint256 deadline, uint8 permitV, bytes32 permitR, bytes32 permitS)",
    on,
    { ...supplied, ...permit },
    ([asset, amount, receiver, , deadline]) => ({
      ...supply({ asset: token(asset), amount: exactly(amount), receiver, ...behalf }),
      deadline,
    }),
  ),
  fn(
    "function withdraw(address asset, uint256 amount, address to)",
    on,
    { asset: feeds.asset, amount: feeds.amount, to: feeds.receiver },
    ([asset, amount, receiver]) =>
      withdraw({
        asset: token(asset),
        amount: allOrExactly(amount),
        at: "amount",
        receiver,
        receiverAt: "to",
      }),
  ),
];

const debts = [
  fn(
    "function borrow(address asset, uint256 amount, uint256 interestRateMode, uint16 referralCode, address onBehalfOf)",
    on,
    { ...rated, referralCode: inert.attribution, onBehalfOf: feeds.payer },
    ([asset, amount, mode, , debtor], call) =>
      picking(
        borrow(
          { asset: token(asset), amount: exactly(amount), at: "amount", receiver: call.sender },
          debtor,
          "onBehalfOf",
        ),
        atRate(mode),
      ),
  ),
  fn(
    "function repay(address asset, uint256 amount, uint256 interestRateMode, address onBehalfOf)",
    on,
    { ...rated, onBehalfOf: feeds.receiver },
    ([asset, amount, mode, receiver]) =>
      picking(
        repay({ asset: token(asset), amount: allOrExactly(amount), receiver, ...behalf }),
        atRate(mode),
      ),
  ),
  fn(
    "function repayWithPermit(address asset, uint256 amount, uint256 interestRateMode, address onBehalfOf, uint256 deadline, uint8 permitV, bytes32 permitR, bytes32 permitS)",
    on,
    { ...rated, onBehalfOf: feeds.receiver, ...permit },
    ([asset, amount, mode, receiver, deadline]) =>
      picking(
        {
          ...repay({ asset: token(asset), amount: allOrExactly(amount), receiver, ...behalf }),
          deadline,
        },
        atRate(mode),
      ),
  ),
  fn(
    "function repayWithATokens(address asset, uint256 amount, uint256 interestRateMode)",
    on,
    rated,
    ([asset, amount, mode], call) =>
      picking(
        repay({ asset: token(asset), amount: allOrExactly(amount), at: "amount", receiver: call.sender }),
        atRate(mode),
        outOfSupply("asset"),
      ),
  ),
];

/** Collateral is switched off, or a category or a rate changed. No funds leave, but a liquidation may come sooner. */
const settings = [
  fn(
    "function setUserUseReserveAsCollateral(address asset, bool useAsCollateral)",
    on,
    { asset: feeds.choice, useAsCollateral: feeds.act },
    ([asset, useAsCollateral]) =>
      picking(
        useAsCollateral
          ? { act: "harmless" }
          : { act: "admin", admin: { kind: "collateral_off", party: null } },
        reserve(asset),
      ),
  ),
  fn("function setUserEMode(uint8 categoryId)", on, { categoryId: feeds.choice }, ([category]) => ({
    act: "admin",
    admin: { kind: "set_emode", party: null },
    choices: [{ what: "setting", value: BigInt(category), at: "categoryId" }],
  })),
  fn(
    "function swapBorrowRateMode(address asset, uint256 interestRateMode)",
    on,
    { asset: feeds.choice, interestRateMode: feeds.choice },
    // The argument is the rate mode that the debt leaves.
    ([asset, mode]) => ({
      act: "admin",
      admin: { kind: "set_rate_mode", party: null },
      choices: [reserve(asset), atRate(3n - mode)],
    }),
  ),
  fn(
    "function approvePositionManager(address positionManager, bool approve)",
    on,
    { positionManager: feeds.spender, approve: feeds.act },
    ([manager, approve]) => ({
      act: approve ? "approve" : "revoke",
      authority: {
        spender: manager,
        asset: null,
        amount: approve ? everything : exactly(0n),
        at: "positionManager",
      },
    }),
  ),
  fn("function multicall(bytes[] data)", on, { data: openedAsCalls }, ([data], call) => ({
    calls: data.map((inner, index) => ({
      to: call.to,
      value: 0n,
      data: inner,
      sender: call.sender,
      program: true,
      at: `data[${index}]`,
    })),
  })),
];

/** Code of the caller's choice runs with the borrowed funds: the calldata does not show what it does. */
const unread = [
  unreadFn(
    "function flashLoan(address receiverAddress, address[] assets, uint256[] amounts, uint256[] interestRateModes, address onBehalfOf, bytes params, uint16 referralCode)",
    on,
    ([receiver]) => ({ receiver, places: { receiver: "receiverAddress" } }),
  ),
  unreadFn(
    "function flashLoanSimple(address receiverAddress, address asset, uint256 amount, bytes params, uint16 referralCode)",
    on,
    ([receiver]) => ({ receiver, places: { receiver: "receiverAddress" } }),
  ),
  unreadFn(
    "function liquidationCall(address collateralAsset, address debtAsset, address user, uint256 debtToCover, bool receiveAToken)",
    on,
    ([, debtAsset, user, debtToCover]) => ({
      gives: [{ asset: token(debtAsset), amount: allOrExactly(debtToCover), at: "debtToCover" }],
      receiver: user,
    }),
  ),
];

/**
 * On rollups the arguments are packed into one word to save bytes. The asset is an index in the pool's list, which
 * the calldata does not contain; the amount can be read, and the maximum means all of it.
 */
const moved = {
  reserve: { at: 0, bits: 16, use: feeds.choice },
  amount: { at: 16, bits: 128, use: feeds.amount },
} as const;

const openings = {
  supply: word("uint16 reserve, uint128 amount, uint16 referralCode", {
    ...moved,
    referralCode: { at: 144, bits: 16, use: inert.attribution },
    rest: { at: 160, bits: 96, use: inert.unused },
  }),
  withdraw: word("uint16 reserve, uint128 amount", {
    ...moved,
    rest: { at: 144, bits: 112, use: inert.unused },
  }),
  borrow: word("uint16 reserve, uint128 amount, uint8 interestRateMode, uint16 referralCode", {
    ...moved,
    interestRateMode: { at: 144, bits: 8, use: feeds.choice },
    referralCode: { at: 152, bits: 16, use: inert.attribution },
    rest: { at: 168, bits: 88, use: inert.unused },
  }),
  repay: word("uint16 reserve, uint128 amount, uint8 interestRateMode", {
    ...moved,
    interestRateMode: { at: 144, bits: 8, use: feeds.choice },
    rest: { at: 152, bits: 104, use: inert.unused },
  }),
};

const packedAmount = (amount: bigint): Amount => (amount === 2n ** 128n - 1n ? everything : exactly(amount));

type Packed = { readonly reserve: bigint; readonly amount: bigint; readonly interestRateMode?: bigint };

const compactFn = (
  name: "supply" | "withdraw" | "borrow" | "repay" | "repayWithATokens",
  act: Draft["act"],
  side: "gives" | "gets",
  opening: Opening<Packed>,
): ProtocolFunction =>
  fn(
    `function ${name}(bytes32 args)`,
    on,
    { args: openedBy(opening) },
    ([args]: readonly [Hex], call: CallView): Draft => {
      const { reserve: number, amount, interestRateMode: mode } = call.open(opening, args, "args");
      const asset = unsaid(`reserve number ${number} of the pool`);
      return {
        act,
        [side]: [{ asset, amount: packedAmount(amount), at: "args" }],
        receiver: call.sender,
        choices: [
          { what: "market", value: number, at: "args" },
          ...(mode === undefined ? [] : [atRate(mode, "args")]),
          ...(name === "repayWithATokens" ? [outOfSupply("args")] : []),
        ],
      };
    },
  );

const compact = [
  compactFn("supply", "supply", "gives", openings.supply),
  compactFn("withdraw", "withdraw", "gets", openings.withdraw),
  compactFn("borrow", "borrow", "gets", openings.borrow),
  compactFn("repay", "repay", "gives", openings.repay),
  compactFn("repayWithATokens", "repay", "gives", openings.repay),
];

export const aavePool: readonly ProtocolFunction[] = [
  ...supplies,
  ...debts,
  ...settings,
  ...unread,
  ...compact,
];
