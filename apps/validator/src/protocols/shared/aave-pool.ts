/** The pool of Aave's third version, which its forks have too. */
import { everything, exactly, token, unsaid } from "../../effects.ts";
import type { Hex } from "../../proposal.ts";
import { fn, type CallView, type Draft, type DraftFlow, type ProtocolFunction } from "../../protocol.ts";
import { allOrExactly } from "./amounts.ts";
import { borrow, repay, supply, withdraw } from "./lending.ts";

const on = ["pool"];
const behalf = { receiverAt: "onBehalfOf", at: "amount" };

/** Money moves; nobody else is given power over it. */
const supplies = [
  fn(
    "function supply(address asset, uint256 amount, address onBehalfOf, uint16 referralCode)",
    on,
    ([asset, amount, receiver]) =>
      supply({ asset: token(asset), amount: exactly(amount), receiver, ...behalf }),
  ),
  fn(
    "function deposit(address asset, uint256 amount, address onBehalfOf, uint16 referralCode)",
    on,
    ([asset, amount, receiver]) =>
      supply({ asset: token(asset), amount: exactly(amount), receiver, ...behalf }),
  ),
  fn(
    "function supplyWithPermit(address asset, uint256 amount, address onBehalfOf, uint16 referralCode, uint256 deadline, uint8 permitV, bytes32 permitR, bytes32 permitS)",
    on,
    ([asset, amount, receiver, , deadline]) => ({
      ...supply({ asset: token(asset), amount: exactly(amount), receiver, ...behalf }),
      deadline,
    }),
  ),
  fn("function withdraw(address asset, uint256 amount, address to)", on, ([asset, amount, receiver]) =>
    withdraw({ asset: token(asset), amount: allOrExactly(amount), at: "amount", receiver, receiverAt: "to" }),
  ),
];

const debts = [
  fn(
    "function borrow(address asset, uint256 amount, uint256 interestRateMode, uint16 referralCode, address onBehalfOf)",
    on,
    ([asset, amount, , , debtor], call) =>
      borrow(
        { asset: token(asset), amount: exactly(amount), at: "amount", receiver: call.sender },
        debtor,
        "onBehalfOf",
      ),
  ),
  fn(
    "function repay(address asset, uint256 amount, uint256 interestRateMode, address onBehalfOf)",
    on,
    ([asset, amount, , receiver]) =>
      repay({ asset: token(asset), amount: allOrExactly(amount), receiver, ...behalf }),
  ),
  fn(
    "function repayWithPermit(address asset, uint256 amount, uint256 interestRateMode, address onBehalfOf, uint256 deadline, uint8 permitV, bytes32 permitR, bytes32 permitS)",
    on,
    ([asset, amount, , receiver, deadline]) => ({
      ...repay({ asset: token(asset), amount: allOrExactly(amount), receiver, ...behalf }),
      deadline,
    }),
  ),
  fn(
    "function repayWithATokens(address asset, uint256 amount, uint256 interestRateMode)",
    on,
    ([asset, amount], call) =>
      repay({ asset: token(asset), amount: allOrExactly(amount), at: "amount", receiver: call.sender }),
  ),
];

/** Collateral switched off, a category or a rate changed: nothing leaves, but what is owed may be called in sooner. */
const settings = [
  fn(
    "function setUserUseReserveAsCollateral(address asset, bool useAsCollateral)",
    on,
    ([, useAsCollateral]) =>
      useAsCollateral
        ? { act: "harmless" }
        : { act: "admin", admin: { kind: "collateral_off", party: null } },
  ),
  fn("function setUserEMode(uint8 categoryId)", on, () => ({
    act: "admin",
    admin: { kind: "set_emode", party: null },
  })),
  fn("function swapBorrowRateMode(address asset, uint256 interestRateMode)", on, () => ({
    act: "admin",
    admin: { kind: "set_rate_mode", party: null },
  })),
  fn("function approvePositionManager(address positionManager, bool approve)", on, ([manager, approve]) => ({
    act: approve ? "approve" : "revoke",
    authority: {
      spender: manager,
      asset: null,
      amount: approve ? everything : exactly(0n),
      at: "positionManager",
    },
  })),
  fn("function multicall(bytes[] data)", on, ([data], call) => ({
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

/** Code of the caller's choosing runs with the borrowed money: what it does is not in these bytes. */
const unread = [
  fn(
    "function flashLoan(address receiverAddress, address[] assets, uint256[] amounts, uint256[] interestRateModes, address onBehalfOf, bytes params, uint16 referralCode)",
    on,
    ([receiver]) => ({ act: "opaque", receiver, places: { receiver: "receiverAddress" } }),
  ),
  fn(
    "function flashLoanSimple(address receiverAddress, address asset, uint256 amount, bytes params, uint16 referralCode)",
    on,
    ([receiver]) => ({ act: "opaque", receiver, places: { receiver: "receiverAddress" } }),
  ),
  fn(
    "function liquidationCall(address collateralAsset, address debtAsset, address user, uint256 debtToCover, bool receiveAToken)",
    on,
    ([, debtAsset, user, debtToCover]) => ({
      act: "opaque",
      gives: [{ asset: token(debtAsset), amount: allOrExactly(debtToCover), at: "debtToCover" }],
      receiver: user,
    }),
  ),
];

/**
 * On rollups the arguments are packed into one word to save bytes. The asset is its number in the pool's list, which the bytes
 * do not name; the amount can be read, and the largest stands for all of it.
 */
const unpack = (args: Hex): readonly DraftFlow[] => {
  const word = BigInt(args);
  const amount = (word >> 16n) & (2n ** 128n - 1n);
  const all = amount === 2n ** 128n - 1n;
  const asset = unsaid(`reserve number ${word & 0xffffn} of the pool`);
  return [{ asset, amount: all ? everything : exactly(amount), at: "args" }];
};

const packed =
  (act: Draft["act"], side: "gives" | "gets"): ((args: readonly [Hex], call: CallView) => Draft) =>
  ([args], call) => ({ act, [side]: unpack(args), receiver: call.sender });

const compact = [
  fn("function supply(bytes32 args)", on, packed("supply", "gives")),
  fn("function withdraw(bytes32 args)", on, packed("withdraw", "gets")),
  fn("function borrow(bytes32 args)", on, packed("borrow", "gets")),
  fn("function repay(bytes32 args)", on, packed("repay", "gives")),
  fn("function repayWithATokens(bytes32 args)", on, packed("repay", "gives")),
];

export const aavePool: readonly ProtocolFunction[] = [
  ...supplies,
  ...debts,
  ...settings,
  ...unread,
  ...compact,
];
